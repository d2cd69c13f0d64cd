import type { Clock, Episode, EpisodeLocator, Outcome, Stream, TaskText } from '#core/episode';
import { unknownOutcome } from '#core/episode';
import { splitOfIndex } from '../../shared/split-of.ts';
import { conventionOf, gripperDimensions } from '../metadata/grippers.ts';
import { infoPath } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { cameraStream, pictureStream } from './cameras/cameras.ts';
import type { Sources } from './cameras/sources.ts';
import { clockOfRows } from './clock.ts';
import type { FilePlan } from './episodes/column-plan.ts';
import { type EpisodeParts, episodeId, type SharedParts } from './episodes/episode-parts.ts';
import type { ReadColumn } from './episodes/row-reader.ts';
import { unitOf } from './episodes/units.ts';
import { rowFindings } from './findings/row-findings.ts';
import { numericStream, textStream } from './streams.ts';

export function sharedParts(set: LeRobotSet, plan: FilePlan): SharedParts {
  return {
    plan,
    splits: Object.keys(set.info.splits).length > 1,
    units: new Map(plan.columns.map((column) => [column, unitOf(column, set.stats)])),
    grippers: new Map(
      plan.columns.map((column) => [column, gripperDimensions(column, set.info.robot, set.stats)]),
    ),
  };
}

/** At once where all of its files were looked at before. */
export function assemble(set: LeRobotSet, parts: EpisodeParts, sources: Sources): Episode | Promise<Episode> {
  const { rows, shared } = parts;
  const { columns, numbering } = rows;
  const clock = clockOfRows(rows.timestamps, numbering.rows, set.info.fps);
  const cameras = set.cameras.map((camera) => cameraStream(set, parts, camera, clock));
  const streams: Stream[] = columns.map((column) => {
    const unit = shared.units.get(column.plan) ?? unitOf(column.plan, set.stats);
    return numericStream(set, column, unit, numbering.rows, clock);
  });
  for (const feature of shared.plan.texts) streams.push(textStream(set, feature, numbering.rows, clock));
  for (const [key, frames] of parts.pictures)
    streams.push(pictureStream(set, key, frames, numbering.rows, clock));
  for (const camera of cameras) streams.push(camera.stream);
  const split = shared.splits ? splitOfIndex(set.info.splits, numbering.episode) : null;
  const whole = (files: Episode['sources']): Episode => ({
    id: episodeId(numbering.episode),
    index: numbering.episode,
    locator: locatorOf(parts),
    sources: files,
    start_ns: null,
    duration_s: durationOf(clock?.clock ?? null, set.info.fps),
    streams,
    events: [],
    tasks: tasksOf(set, parts),
    outcome: outcomeOf(columns),
    robot: set.info.robot,
    calibrations: [],
    grippers: columns.flatMap((column) =>
      column.dims !== column.plan.dims
        ? []
        : (shared.grippers.get(column.plan) ?? []).map((row) => conventionOf(column, row)),
    ),
    labels: null,
    ...(split === null ? {} : { split }),
    findings: [
      ...parts.findings,
      ...rowFindings(set, parts),
      ...cameras.flatMap((camera) => camera.findings),
    ],
  });
  const known = sources.known(parts.path, streams);
  return known === null ? sources.of(parts.path, streams).then(whole) : whole(known);
}

function locatorOf(parts: EpisodeParts): EpisodeLocator {
  const base = { format: 'lerobot', path: parts.path };
  if (parts.first_row === null) return base;
  const to = parts.first_row + parts.rows.numbering.rows;
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

function tasksOf(set: LeRobotSet, parts: EpisodeParts): readonly TaskText[] | null {
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

/** `next.success` is the format's outcome label; nothing else is taken for one. */
function outcomeOf(columns: readonly ReadColumn[]): Outcome {
  const label = columns.find((column) => /^(next\.)?success$/.test(column.plan.feature.key));
  if (label === undefined) return unknownOutcome;
  const success = label.values.some((value) => value > 0);
  const reason = `${label.plan.feature.key} is ${success ? 'true in a row' : 'false in every row'}`;
  return { value: success ? 'success' : 'failure', evidence: 'declared', reason };
}
