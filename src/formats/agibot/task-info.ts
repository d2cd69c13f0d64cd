import { AssayError } from '#core';
import type { Event, Finding, TaskText } from '#core/episode';
import type { SourceTree } from '#io/sources';

/** What task_info says of one episode. */
export interface EpisodeInfo {
  readonly task_name: string | null;
  readonly init_scene_text: string | null;
  readonly steps: readonly SubStep[];
}

/** A part of the task, by frames; `end_frame` is the first that does not belong to it. */
interface SubStep {
  readonly start_frame: number;
  readonly end_frame: number;
  readonly text: string;
  readonly skill: string | null;
}

/** What one task_<id>.json says, by episode. */
export interface TaskInfo {
  readonly path: string;
  readonly episodes: ReadonlyMap<string, EpisodeInfo>;
  readonly findings: readonly Finding[];
}

const mostBytes = 64 * 1024 * 1024;
const mostSteps = 1000;

/** Reads the list of a task; what cannot be read is a finding, and nothing is known of its episodes. */
export async function readTaskInfo(tree: SourceTree, task: string): Promise<TaskInfo> {
  const path = `task_info/task_${task}.json`;
  const empty = new Map<string, EpisodeInfo>();
  if (!tree.has(path)) return { path, episodes: empty, findings: [absent(path, 'is not there')] };
  try {
    const said: unknown = JSON.parse(await tree.text(path, mostBytes));
    if (!Array.isArray(said)) return { path, episodes: empty, findings: [absent(path, 'holds no list')] };
    const episodes = new Map<string, EpisodeInfo>();
    for (const row of said) {
      const one = asRecord(row);
      const { episode_id } = one;
      if (typeof episode_id === 'number' || typeof episode_id === 'string')
        episodes.set(String(episode_id), infoOf(one));
    }
    return { path, episodes, findings: [] };
  } catch (thrown) {
    if (!(thrown instanceof AssayError || thrown instanceof SyntaxError)) throw thrown;
    return { path, episodes: empty, findings: [absent(path, 'cannot be read as JSON')] };
  }
}

function absent(path: string, what: string): Finding {
  return {
    ...{ code: 'task_info_missing', severity: 'warning', path },
    message: `${path} ${what}; its episodes are read without task text and sub-steps`,
    advice: 'copy task_info of the set beside the recordings',
  };
}

function infoOf(said: Record<string, unknown>): EpisodeInfo {
  const list = asRecord(said.label_info).action_config;
  const steps = (Array.isArray(list) ? list.slice(0, mostSteps) : []).flatMap((row): SubStep[] => {
    const { start_frame, end_frame, action_text, skill } = asRecord(row);
    if (!isFrame(start_frame) || !isFrame(end_frame)) return [];
    return [{ start_frame, end_frame, text: textOf(action_text) ?? 'sub-step', skill: textOf(skill) }];
  });
  return { task_name: textOf(said.task_name), init_scene_text: textOf(said.init_scene_text), steps };
}

const isFrame = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The name of the task, and the scene it begins in. */
export function tasksOf(info: EpisodeInfo | undefined, path: string): TaskText[] {
  const named = [
    [info?.task_name, `${path}: task_name`],
    [info?.init_scene_text, `${path}: init_scene_text`],
  ] as const;
  return named.flatMap(([text, source]) => (text == null ? [] : [{ text, source }]));
}

/** Beginning and end of every sub-step; those that lie outside the episode are told. */
export function subStepEvents(
  info: EpisodeInfo | undefined,
  path: string,
  time_s: Float64Array,
): { events: Event[]; findings: Finding[] } {
  const events: Event[] = [];
  const outside: SubStep[] = [];
  for (const step of info?.steps ?? []) {
    const from = time_s[step.start_frame];
    const to = time_s[Math.min(step.end_frame, time_s.length - 1)];
    if (from === undefined || to === undefined || step.end_frame > time_s.length || to < from) {
      outside.push(step);
      continue;
    }
    const source = `${path}: action_config${step.skill === null ? '' : `, skill ${step.skill}`}`;
    events.push({ time_s: from, label: step.text, source });
    events.push({ time_s: to, label: `end of: ${step.text}`, source });
  }
  return {
    events: events.sort((a, b) => a.time_s - b.time_s),
    findings: outsideFindings(outside, path, time_s.length),
  };
}

function outsideFindings(outside: readonly SubStep[], path: string, frames: number): Finding[] {
  if (outside.length === 0) return [];
  const named = outside.slice(0, 3).map((step) => `${step.start_frame} to ${step.end_frame}`);
  return [
    {
      ...{ code: 'sub_step_outside', severity: 'warning', path },
      message: `${outside.length} sub-steps do not lie in the ${frames} frames of the episode: ${named.join(', ')}`,
      advice: 'label the episode again, or leave these sub-steps out',
    },
  ];
}
