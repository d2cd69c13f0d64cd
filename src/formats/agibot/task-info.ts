import { AssayError } from '#core';
import type { Event, Finding, TaskText } from '#core/episode';
import type { SourceTree } from '#io/sources';

/** Task name, initial scene and sub-steps of one episode, from task_info. `null` and `[]` for what is absent. */
export interface EpisodeInfo {
  readonly task_name: string | null;
  readonly init_scene_text: string | null;
  readonly steps: readonly SubStep[];
}

/** A sub-step of the task: frames `start_frame` (inclusive) to `end_frame` (exclusive). */
interface SubStep {
  readonly start_frame: number;
  readonly end_frame: number;
  readonly text: string;
  readonly skill: string | null;
}

/** Contents of one task_<id>.json: annotations by episode id, and findings about the file. */
export interface TaskInfo {
  readonly path: string;
  readonly episodes: ReadonlyMap<string, EpisodeInfo>;
  readonly findings: readonly Finding[];
}

const maxTaskInfoBytes = 64 * 1024 * 1024;
const maxSubSteps = 1000;

/** Reads task_info/task_<task>.json; a missing or invalid file yields no episodes and a `task_info_missing` finding. */
export async function readTaskInfo(tree: SourceTree, task: string): Promise<TaskInfo> {
  const path = `task_info/task_${task}.json`;
  const empty = new Map<string, EpisodeInfo>();
  if (!tree.has(path)) return { path, episodes: empty, findings: [taskInfoFinding(path, 'is missing')] };
  try {
    const json: unknown = JSON.parse(await tree.text(path, maxTaskInfoBytes));
    if (!Array.isArray(json))
      return { path, episodes: empty, findings: [taskInfoFinding(path, 'contains no list')] };
    const episodes = new Map<string, EpisodeInfo>();
    for (const row of json) {
      const record = asRecord(row);
      const { episode_id } = record;
      if (typeof episode_id === 'number' || typeof episode_id === 'string')
        episodes.set(String(episode_id), parseEpisodeInfo(record));
    }
    return { path, episodes, findings: [] };
  } catch (thrown) {
    if (!(thrown instanceof AssayError || thrown instanceof SyntaxError)) throw thrown;
    return { path, episodes: empty, findings: [taskInfoFinding(path, 'is not valid JSON')] };
  }
}

function taskInfoFinding(path: string, what: string): Finding {
  return {
    ...{ code: 'task_info_missing', severity: 'warning', path },
    message: `${path} ${what}; its episodes are read without task text and sub-steps`,
    advice: 'copy the task_info folder of the dataset next to the recordings',
  };
}

function parseEpisodeInfo(json: Record<string, unknown>): EpisodeInfo {
  const list = asRecord(json.label_info).action_config;
  const steps = (Array.isArray(list) ? list.slice(0, maxSubSteps) : []).flatMap((row): SubStep[] => {
    const { start_frame, end_frame, action_text, skill } = asRecord(row);
    if (!isFrame(start_frame) || !isFrame(end_frame)) return [];
    return [
      { start_frame, end_frame, text: nonEmptyText(action_text) ?? 'sub-step', skill: nonEmptyText(skill) },
    ];
  });
  return {
    task_name: nonEmptyText(json.task_name),
    init_scene_text: nonEmptyText(json.init_scene_text),
    steps,
  };
}

const isFrame = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function nonEmptyText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the task name and the initial scene as task texts; those that are absent are left out. */
export function taskTexts(info: EpisodeInfo | undefined, path: string): TaskText[] {
  const listed = [
    [info?.task_name, `${path}: task_name`],
    [info?.init_scene_text, `${path}: init_scene_text`],
  ] as const;
  return listed.flatMap(([text, source]) => (text == null ? [] : [{ text, source }]));
}

/**
 * Converts sub-steps to a start and an end event each, sorted by time; those outside the episode's frames are dropped
 * and reported in one finding.
 * @param time_s time of each frame, seconds since the start of the episode
 */
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
  const listed = outside.slice(0, 3).map((step) => `${step.start_frame} to ${step.end_frame}`);
  return [
    {
      ...{ code: 'sub_step_outside', severity: 'warning', path },
      message: `${outside.length} sub-steps lie outside the ${frames} frames of the episode: ${listed.join(', ')}`,
      advice: 'relabel the episode, or exclude these sub-steps',
    },
  ];
}
