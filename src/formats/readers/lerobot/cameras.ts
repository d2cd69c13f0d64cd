import type { Finding, FrameLocator, Frames, Stream } from '#episode';
import type { ChosenClock } from './clock.ts';
import type { EpisodeParts } from './episode-parts.ts';
import type { VideoSpan } from './episode-table.ts';
import type { Feature } from './info.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { clockPart, noUnit } from './streams.ts';

export function pictureStream(
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

export function cameraStream(
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
