import { significant } from '#core';
import type { Finding, FrameLocator, Frames, Stream } from '#core/episode';
import type { Feature } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import type { ChosenClock } from '../clock.ts';
import type { EpisodeParts } from '../episodes/episode-parts.ts';
import type { VideoSpan } from '../episodes/episode-table.ts';
import { clockPart, noUnit } from '../streams.ts';
import { askedOf, stampedRate } from './asked-frames.ts';
import { sizeOf } from './camera-features.ts';

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
  const rows = parts.rows.numbering.rows;
  const span = parts.table_row === undefined ? null : set.episodes.video(parts.table_row, feature.key);
  const { episode } = parts.rows.numbering;
  const { locator, findings } = locate(set, feature.key, span, rows, episode, clock);
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
  clock: ChosenClock | null,
): { locator: FrameLocator; findings: Finding[] } {
  if (span === null) {
    const reason = 'the table of episodes does not say where its video lies';
    return missing(set, `videos/${key}`, reason, episode, key);
  }
  if (!set.tree.has(span.path)) return missing(set, span.path, 'the file is not there', episode, key);
  if (set.pointers.has(span.path)) {
    // Said once for the whole set.
    const reason = 'a Git LFS pointer is in its place; fetch it with git lfs pull';
    return { locator: { type: 'missing', path: span.path, reason }, findings: [] };
  }
  const rate_hz = stampedRate(clock, set.info.fps);
  const to_s = span.to_s ?? (set.layout === 'v3' && rate_hz !== null ? span.from_s + rows / rate_hz : null);
  const locator: FrameLocator = {
    type: 'video',
    path: span.path,
    from_s: span.from_s,
    to_s,
    expected_frames: rows,
    ...(rate_hz === null ? {} : { asked: askedOf(set, key, span, rows, rate_hz) }),
  };
  const displaced = set.windows(key)?.findings.get(episode);
  const findings = spanFindings(set, span, rows, rate_hz, key);
  return { locator, findings: displaced === undefined ? findings : [displaced, ...findings] };
}

function missing(
  { layout }: LeRobotSet,
  path: string,
  reason: string,
  episode: number,
  key: string,
): { locator: FrameLocator; findings: Finding[] } {
  const message = `episode ${episode} has no video of ${key}: ${path}: ${reason}`;
  const finding = lerobotBreach(layout, 'video_missing', path, message);
  return { locator: { type: 'missing', path, reason }, findings: [finding] };
}

/** The window must hold one frame a row. */
function spanFindings(
  { layout }: LeRobotSet,
  span: VideoSpan,
  rows: number,
  rate_hz: number | null,
  key: string,
): Finding[] {
  if (span.to_s === null || rate_hz === null) return [];
  const frames = (span.to_s - span.from_s) * rate_hz;
  if (Math.abs(frames - rows) < 0.5) return [];
  const window = `${significant(span.from_s, 9)}..${significant(span.to_s, 9)} s`;
  const message = `the span ${window} of ${key} holds ${Math.round(frames)} frames at ${rate_hz} Hz, the episode has ${rows} rows`;
  return [lerobotBreach(layout, 'video_span_mismatch', span.path, message)];
}

function codecOf(feature: Feature): string | null {
  const codec = feature.details['video.codec'];
  return typeof codec === 'string' ? codec : null;
}
