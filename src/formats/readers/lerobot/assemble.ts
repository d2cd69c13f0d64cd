import type {
  Clock,
  Episode,
  EpisodeLocator,
  Finding,
  FrameLocator,
  Frames,
  Outcome,
  SourceRef,
  Stream,
  TaskText,
} from '#episode';
import { unknownOutcome } from '#episode';
import { type ChosenClock, clockOfRows } from './clock.ts';
import type { FilePlan } from './column-plan.ts';
import type { VideoSpan } from './episode-table.ts';
import { grippersOf } from './grippers.ts';
import { type Feature, infoPath } from './info.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { rowFindings } from './row-findings.ts';
import type { ReadColumn, ReadRows } from './row-reader.ts';
import { unitOf } from './units.ts';

export interface EpisodeParts {
  readonly rows: ReadRows;
  readonly plan: FilePlan;
  /** Data file, relative to the set. */
  readonly path: string;
  /** First row in that file where it holds several episodes. */
  readonly first_row: number | null;
  /** Row of the episodes table; undefined where the table does not list the episode. */
  readonly table_row: number | undefined;
  readonly pictures: ReadonlyMap<string, Frames>;
  readonly findings: readonly Finding[];
}

export function episodeId(index: number): string {
  return `episode_${String(index).padStart(6, '0')}`;
}

export async function assemble(set: LeRobotSet, parts: EpisodeParts): Promise<Episode> {
  const { rows } = parts;
  const index = rows.segment.episode;
  const clock = clockOfRows(rows.timestamps, rows.segment.rows, set.info.fps);
  const cameras = set.cameras.map((camera) => cameraStream(set, parts, camera, clock));
  const streams = [
    ...rows.columns.map((column) => numericStream(set, column, rows.segment.rows, clock)),
    ...parts.plan.texts.map((feature) => textStream(set, feature, rows.segment.rows, clock)),
    ...[...parts.pictures].map(([key, frames]) => pictureStream(set, key, frames, rows.segment.rows, clock)),
    ...cameras.map((camera) => camera.stream),
  ];
  return {
    id: episodeId(index),
    index,
    locator: locatorOf(parts),
    sources: await sourcesOf(set, parts.path, streams),
    start_ns: null,
    duration_s: durationOf(clock?.clock ?? null, set.info.fps),
    streams,
    events: [],
    tasks: tasksOf(set, parts),
    outcome: outcomeOf(rows.columns),
    robot: set.info.robot,
    calibrations: [],
    grippers: grippersOf(streams, set.info.robot),
    labels: null,
    findings: [
      ...parts.findings,
      ...rowFindings(set, parts),
      ...cameras.flatMap((camera) => camera.findings),
    ],
  };
}

function locatorOf(parts: EpisodeParts): EpisodeLocator {
  const base = { format: 'lerobot', path: parts.path };
  if (parts.first_row === null) return base;
  const to = parts.first_row + parts.rows.segment.rows;
  return { ...base, span: { unit: 'row', from: parts.first_row, to } };
}

/** From the first stamp to one period past the last. */
function durationOf(clock: Clock | null, fps: number | null): number {
  if (clock === null || clock.time_s.length === 0) return 0;
  const { time_s } = clock;
  const span = time_s[time_s.length - 1] - time_s[0];
  const period = fps === null ? 0 : 1 / fps;
  return Number.isFinite(span) ? Math.max(0, span + period) : time_s.length * period;
}

function clockPart(clock: ChosenClock | null): Pick<Stream, 'clocks' | 'clock'> {
  return clock === null ? { clocks: [], clock: null } : { clocks: [clock.clock], clock: clock.choice };
}

const noUnit = { unit: 'unknown', evidence: 'unknown', reason: 'not a quantity' } as const;

function numericStream(set: LeRobotSet, column: ReadColumn, rows: number, clock: ChosenClock | null): Stream {
  const { plan, dims, values } = column;
  const { feature } = plan;
  return {
    id: feature.key,
    role: plan.role,
    modality: 'numeric',
    shape: dims === plan.dims && feature.shape.length > 0 ? feature.shape : [dims],
    names: dims === plan.dims ? feature.names : null,
    unit: unitOf(plan, set.stats),
    declared_rate_hz: set.info.fps,
    sample_count: rows,
    ...clockPart(clock),
    series: { values, dims },
  };
}

function textStream(set: LeRobotSet, feature: Feature, rows: number, clock: ChosenClock | null): Stream {
  return {
    id: feature.key,
    role: 'annotation',
    modality: 'text',
    shape: feature.shape,
    names: null,
    unit: noUnit,
    declared_rate_hz: set.info.fps,
    sample_count: rows,
    ...clockPart(clock),
  };
}

function pictureStream(
  set: LeRobotSet,
  key: string,
  frames: Frames,
  rows: number,
  clock: ChosenClock | null,
): Stream {
  return {
    ...cameraBase(set, key, set.features.get(key), rows, clock),
    modality: 'image',
    frames,
  };
}

function cameraBase(
  set: LeRobotSet,
  key: string,
  feature: Feature | undefined,
  rows: number,
  clock: ChosenClock | null,
): Omit<Stream, 'modality' | 'frames'> {
  const details = feature?.details ?? {};
  const depth = details.is_depth_map === true || details['video.is_depth_map'] === true;
  return {
    id: key,
    role: depth ? 'depth' : 'camera',
    shape: feature?.shape ?? [],
    names: null,
    unit: noUnit,
    declared_rate_hz: set.info.fps,
    sample_count: rows,
    ...clockPart(clock),
  };
}

function cameraStream(
  set: LeRobotSet,
  parts: EpisodeParts,
  feature: Feature,
  clock: ChosenClock | null,
): { stream: Stream; findings: Finding[] } {
  const rows = parts.rows.segment.rows;
  const span = parts.table_row === undefined ? null : set.episodes.video(parts.table_row, feature.key);
  const { locator, findings } = locate(set, feature.key, span, rows, parts.rows.segment.episode);
  const stream: Stream = {
    ...cameraBase(set, feature.key, feature, rows, clock),
    modality: 'video',
    frames: { locator, declared_size_px: sizeOf(feature), declared_codec: codecOf(feature) },
  };
  return { stream, findings };
}

function locate(
  set: LeRobotSet,
  key: string,
  span: VideoSpan | null,
  rows: number,
  episode: number,
): { locator: FrameLocator; findings: Finding[] } {
  if (span === null) {
    const reason = 'the table of episodes does not say where its video lies';
    return missing(`videos/${key}`, reason, episode, key);
  }
  if (!set.tree.has(span.path)) return missing(span.path, 'the file is not there', episode, key);
  if (set.pointers.has(span.path)) {
    return missing(span.path, 'a Git LFS pointer stands in its place', episode, key);
  }
  const fps = set.info.fps;
  const to_s = span.to_s ?? (set.layout === 'v3' && fps !== null ? span.from_s + rows / fps : null);
  const locator: FrameLocator = {
    type: 'video',
    path: span.path,
    from_s: span.from_s,
    to_s,
    expected_frames: rows,
  };
  return { locator, findings: spanFindings(span, rows, fps, key) };
}

function missing(
  path: string,
  reason: string,
  episode: number,
  key: string,
): { locator: FrameLocator; findings: Finding[] } {
  const finding: Finding = {
    code: 'video_missing',
    severity: 'error',
    path,
    message: `episode ${episode} has no video of ${key}: ${path}: ${reason}`,
    advice: reason.includes('LFS') ? 'run git lfs pull' : 'copy or download the missing file',
  };
  return { locator: { type: 'missing', path, reason }, findings: [finding] };
}

/** The span must hold one frame a row: the library asks for from_timestamp + the row's stamp. */
function spanFindings(span: VideoSpan, rows: number, fps: number | null, key: string): Finding[] {
  if (span.to_s === null || fps === null) return [];
  const frames = (span.to_s - span.from_s) * fps;
  if (Math.abs(frames - rows) < 1.5) return [];
  return [
    {
      code: 'video_span_mismatch',
      severity: 'warning',
      path: span.path,
      message: `the span ${span.from_s}..${span.to_s} s of ${key} holds ${Math.round(frames)} frames at ${fps} Hz, the episode has ${rows} rows`,
      advice: 'write from_timestamp and to_timestamp as frames before this episode / fps',
    },
  ];
}

/** [width, height] by the declared names where they tell, else height first as the library writes it. */
export function sizeOf(feature: Feature): readonly [number, number] | null {
  const { shape, raw_names, details } = feature;
  if (shape.length !== 3) {
    const width = details['video.width'];
    const height = details['video.height'];
    return typeof width === 'number' && typeof height === 'number' ? [width, height] : null;
  }
  const names = Array.isArray(raw_names) ? raw_names : [];
  const height = names.indexOf('height');
  const width = names.indexOf('width');
  if (height >= 0 && width >= 0) return [shape[width], shape[height]];
  return shape[0] <= 4 && shape[2] > 4 ? [shape[2], shape[1]] : [shape[1], shape[0]];
}

function codecOf(feature: Feature): string | null {
  const codec = feature.details['video.codec'];
  return typeof codec === 'string' ? codec : null;
}

function tasksOf(set: LeRobotSet, parts: EpisodeParts): readonly TaskText[] | null {
  const listed = parts.table_row === undefined ? null : set.episodes.tasks(parts.table_row);
  if (listed !== null && listed.length > 0) {
    return listed.map((text) => ({ text, source: set.episodes.files[0] ?? infoPath }));
  }
  const range = parts.rows.task_range;
  if (set.tasks === null) return listed === null ? null : [];
  if (range === null) return listed === null ? null : [];
  const { byIndex, source } = set.tasks;
  const used = range[0] === range[1] ? [range[0]] : [range[0], range[1]];
  return used.flatMap((task) => {
    const text = byIndex.get(task);
    return text === undefined ? [] : [{ text, source }];
  });
}

/** `next.success` is the format's outcome label; nothing else is taken for one. */
function outcomeOf(columns: readonly ReadColumn[]): Outcome {
  const label = columns.find((column) => /^(next\.)?success$/.test(column.plan.feature.key));
  if (label === undefined) return unknownOutcome;
  const success = label.values.some((value) => value > 0);
  const reason = `${label.plan.feature.key} is ${success ? 'true in a row' : 'false in every row'}`;
  return { value: success ? 'success' : 'failure', evidence: 'declared', reason };
}

async function sourcesOf(set: LeRobotSet, data: string, streams: readonly Stream[]): Promise<SourceRef[]> {
  const videos = streams.flatMap((stream) => {
    const locator = stream.frames?.locator;
    return locator?.type === 'video' || locator?.type === 'missing' ? [locator.path] : [];
  });
  const metadata = [infoPath, ...set.episodes.files, ...(set.tasks === null ? [] : [set.tasks.source])];
  return Promise.all([
    source(set, data, 'data'),
    ...[...new Set(videos)].map((path) => source(set, path, 'video')),
    ...metadata.map((path) => source(set, path, 'metadata')),
  ]);
}

async function source(set: LeRobotSet, path: string, role: SourceRef['role']): Promise<SourceRef> {
  const bytes = set.tree.entry(path)?.bytes ?? 0;
  return { path, bytes, sha256: await set.hasher.sha256(path), role };
}
