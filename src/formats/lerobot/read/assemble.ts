import { significant } from '#core';
import {
  type Clock,
  type Episode,
  type EpisodeLocator,
  type Finding,
  type FrameLocator,
  type Frames,
  type LoaderRequests,
  type Outcome,
  type Stream,
  type TaskText,
  unknownOutcome,
} from '#core/episode';
import { splitFromRanges } from '../../shared/splits.ts';
import { findGripperDimensions, inferGripperConvention } from '../metadata/grippers.ts';
import { type Feature, infoPath } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { createLeRobotViolation } from '../rules/contract.ts';
import { tolerance_s } from '../rules/readers.ts';
import { declaredSize_px } from './camera-features.ts';
import type { FilePlan } from './episodes/column-plan.ts';
import { type EpisodeParts, episodeId, type SharedParts } from './episodes/episode-parts.ts';
import type { VideoSpan } from './episodes/episode-table.ts';
import type { ReadColumn } from './episodes/row-reader.ts';
import { inferUnit } from './episodes/units.ts';
import { checkRows } from './findings/row-findings.ts';
import type { Sources } from './sources.ts';
import {
  type ChosenClock,
  chooseClock,
  clockFields,
  createNumericStream,
  createTextStream,
  noUnit,
} from './streams.ts';

/** Infers the units and gripper dimensions of a file's columns once, for all episodes with the same columns. */
export function createSharedParts(set: LeRobotSet, plan: FilePlan): SharedParts {
  return {
    plan,
    splits: Object.keys(set.info.splits).length > 1,
    units: new Map(plan.columns.map((column) => [column, inferUnit(column, set.stats)])),
    grippers: new Map(
      plan.columns.map((column) => [column, findGripperDimensions(column, set.info.robot, set.stats)]),
    ),
  };
}

/**
 * Assembles an episode from its rows, pictures and texts, with all findings on it; returns a promise only if the hash
 * of a source file has to be computed first.
 */
export function assembleEpisode(
  set: LeRobotSet,
  parts: EpisodeParts,
  sources: Sources,
): Episode | Promise<Episode> {
  const { rows, shared } = parts;
  const { columns, numbering } = rows;
  const clock = chooseClock(rows.timestamps, numbering.rows, set.info.fps);
  const cameras = set.cameras.map((camera) => cameraStream(set, parts, camera, clock));
  const streams: Stream[] = columns.map((column) => {
    const unit = shared.units.get(column.plan) ?? inferUnit(column.plan, set.stats);
    return createNumericStream(set, column, unit, numbering.rows, clock);
  });
  for (const feature of shared.plan.texts)
    streams.push(createTextStream(set, feature, numbering.rows, clock));
  for (const [key, frames] of parts.pictures)
    streams.push(pictureStream(set, key, frames, numbering.rows, clock));
  for (const camera of cameras) streams.push(camera.stream);
  const split = shared.splits ? splitFromRanges(set.info.splits, numbering.episode) : null;
  const whole = (files: Episode['sources']): Episode => ({
    id: episodeId(numbering.episode),
    index: numbering.episode,
    locator: episodeLocator(parts),
    sources: files,
    start_ns: null,
    duration_s: computeDuration_s(clock?.clock ?? null, set.info.fps),
    streams,
    events: [],
    tasks: episodeTasks(set, parts),
    outcome: readOutcome(columns),
    robot: set.info.robot,
    calibrations: [],
    grippers: columns.flatMap((column) =>
      column.dims !== column.plan.dims
        ? []
        : (shared.grippers.get(column.plan) ?? []).map((row) => inferGripperConvention(column, row)),
    ),
    labels: null,
    ...(split === null ? {} : { split }),
    findings: [...parts.findings, ...checkRows(set, parts), ...cameras.flatMap((camera) => camera.findings)],
  });
  const known = sources.getCached(parts.path, streams);
  return known === null ? sources.load(parts.path, streams).then(whole) : whole(known);
}

function episodeLocator(parts: EpisodeParts): EpisodeLocator {
  const base = { format: 'lerobot', path: parts.path };
  if (parts.first_row === null) return base;
  const to = parts.first_row + parts.rows.numbering.rows;
  return { ...base, span: { unit: 'row', from: parts.first_row, to } };
}

/** Returns the duration from the first timestamp to one period after the last, in seconds; 0 without a clock. */
function computeDuration_s(clock: Clock | null, fps: number | null): number {
  if (clock === null || clock.time_s.length === 0) return 0;
  const { time_s } = clock;
  const span = time_s[time_s.length - 1] - time_s[0];
  const period = fps === null ? 0 : 1 / fps;
  return Number.isFinite(span) ? Math.max(0, span + period) : time_s.length * period;
}

/** Returns the task texts of the episodes table, else of the rows' task_index; null if there are none. */
function episodeTasks(set: LeRobotSet, parts: EpisodeParts): readonly TaskText[] | null {
  const listed = parts.table_row === undefined ? null : set.episodes.tasks(parts.table_row);
  if (listed !== null && listed.length > 0) {
    return listed.map((text) => ({ text, source: set.episodes.files[0] ?? infoPath }));
  }
  const range = parts.rows.numbering.task_range;
  if (set.tasks === null) return listed === null ? null : [];
  if (range === null) return listed === null ? null : [];
  const { byIndex, source } = set.tasks;
  const used = range[0] === range[1] ? [range[0]] : [range[0], range[1]];
  return used.flatMap((task) => {
    const text = byIndex.get(task);
    return text === undefined ? [] : [{ text, source }];
  });
}

/** Reads the outcome from `next.success`, the format's only outcome label. */
function readOutcome(columns: readonly ReadColumn[]): Outcome {
  const label = columns.find((column) => /^(next\.)?success$/.test(column.plan.feature.key));
  if (label === undefined) return unknownOutcome;
  const success = label.values.some((value) => value > 0);
  const reason = `${label.plan.feature.key} is ${success ? 'true in at least one row' : 'false in every row'}`;
  return { value: success ? 'success' : 'failure', evidence: 'declared', reason };
}

/** Creates the stream of a camera with pictures in the data file. */
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

/** Creates the fields that all camera streams share. */
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
    ...clockFields(clock),
  };
}

/** Creates the stream of a camera with video, and the findings about its video window. */
function cameraStream(
  set: LeRobotSet,
  parts: EpisodeParts,
  feature: Feature,
  clock: ChosenClock | null,
): { stream: Stream; findings: Finding[] } {
  const rows = parts.rows.numbering.rows;
  const span = parts.table_row === undefined ? null : set.episodes.video(parts.table_row, feature.key);
  const { episode } = parts.rows.numbering;
  const { locator, findings } = locateVideo(set, feature.key, span, rows, episode, clock);
  const stream: Stream = {
    ...cameraBase(set, feature.key, feature, rows, clock),
    modality: 'video',
    frames: { locator, declared_size_px: declaredSize_px(feature), declared_codec: declaredCodec(feature) },
  };
  return { stream, findings };
}

/** Locates an episode's frames in its video; a missing video is returned as a `missing` locator with a finding. */
function locateVideo(
  set: LeRobotSet,
  key: string,
  span: VideoSpan | null,
  rows: number,
  episode: number,
  clock: ChosenClock | null,
): { locator: FrameLocator; findings: Finding[] } {
  if (span === null) {
    const reason = 'the episode table does not give its video file';
    return missingVideo(set, `videos/${key}`, reason, episode, key);
  }
  if (!set.tree.has(span.path)) return missingVideo(set, span.path, 'file not found', episode, key);
  if (set.pointers.has(span.path)) {
    const reason = 'the file is a Git LFS pointer; download it with git lfs pull';
    const message = `episode ${episode} has no video of ${key}: ${span.path}: ${reason}`;
    const finding = createLeRobotViolation(set.layout, 'lfs_pointers', span.path, message);
    return { locator: { type: 'missing', path: span.path, reason }, findings: [finding] };
  }
  const rate_hz = inferStampRate(clock, set.info.fps);
  const to_s = span.to_s ?? (set.layout === 'v3' && rate_hz !== null ? span.from_s + rows / rate_hz : null);
  const locator: FrameLocator = {
    type: 'video',
    path: span.path,
    from_s: span.from_s,
    to_s,
    expected_frames: rows,
    ...(rate_hz === null ? {} : { asked: requestedFrames(set, key, span, rows, rate_hz) }),
  };
  const displaced = set.windows(key)?.findings.get(episode);
  const findings = spanFindings(set, span, rows, rate_hz, key);
  return { locator, findings: displaced === undefined ? findings : [displaced, ...findings] };
}

function missingVideo(
  { layout }: LeRobotSet,
  path: string,
  reason: string,
  episode: number,
  key: string,
): { locator: FrameLocator; findings: Finding[] } {
  const message = `episode ${episode} has no video for ${key}: ${path}: ${reason}`;
  const finding = createLeRobotViolation(layout, 'video_missing', path, message);
  return { locator: { type: 'missing', path, reason }, findings: [finding] };
}

/** Reports a window whose length differs from the number of rows. */
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
  const message = `the video time range ${window} of ${key} covers ${Math.round(frames)} frames at ${rate_hz} Hz, but the episode has ${rows} rows`;
  return [createLeRobotViolation(layout, 'video_span_mismatch', span.path, message)];
}

function declaredCodec(feature: Feature): string | null {
  const codec = feature.details['video.codec'];
  return typeof codec === 'string' ? codec : null;
}

/** Returns the frames that the library requests: from_timestamp plus each row's timestamp. */
function requestedFrames(
  set: LeRobotSet,
  key: string,
  span: VideoSpan,
  rows: number,
  rate_hz: number,
): LoaderRequests {
  const windows = set.windows(key);
  const until_s = windows?.startAfter(span.path, span.from_s) ?? null;
  const windows_end_s = windows?.ends_s.get(span.path);
  return { rows, rate_hz, tolerance_s, until_s, ...(windows_end_s === undefined ? {} : { windows_end_s }) };
}

/**
 * Infers the rate of the timestamps: fps, or the common rate of all timestamps if fps is declared wrongly. Irregular
 * timestamps are a separate fault, and fps is returned.
 */
function inferStampRate(chosen: ChosenClock | null, fps: number | null): number | null {
  const stamps = chosen?.clock.time_s;
  if (stamps === undefined || stamps.length < 3) return fps;
  const last = stamps.length - 1;
  const lasts_s = stamps[last] - stamps[0];
  if (fps !== null && Math.abs(lasts_s - last / fps) < tolerance_s) return fps;
  const step_s = lasts_s / last;
  for (let row = 1; row <= last; row++)
    if (!(Math.abs(stamps[row] - stamps[0] - row * step_s) < tolerance_s)) return fps;
  // Timestamps are float32, so the computed rate is rounded.
  return step_s > 0 ? Math.round(1000 / step_s) / 1000 : fps;
}
