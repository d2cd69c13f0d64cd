import {
  type Episode,
  type Finding,
  type GripperConvention,
  type Outcome,
  type Series,
  type Stream,
  type TaskText,
  type UnitOfMeasure,
  unknownOutcome,
} from '#core/episode';
import { grippersOf } from '../shared/messages/grippers.ts';
import { observedRange } from '../shared/observed-range.ts';
import { clocksOf, countedClock, type MappedClock, mappedClock } from './clocks.ts';
import type { EpisodeRows, ReadPlan, StreamRows } from './episode-rows.ts';
import type { Mapping, StreamMapping } from './mapping.ts';

/** What was read of an episode, before it is put together. */
export interface RawEpisode {
  readonly mapping: Mapping;
  readonly mapping_path: string;
  readonly plan: ReadPlan;
  readonly rows: EpisodeRows;
  /** First stamp of each clock of the table, nanoseconds as written. */
  readonly origins: readonly (bigint | null)[];
}

/** The parts of an episode that follow from its rows. */
export interface EpisodeFromRows
  extends Pick<Episode, 'start_ns' | 'duration_s' | 'streams' | 'tasks' | 'outcome' | 'grippers' | 'robot'> {
  readonly clocks: readonly MappedClock[];
  readonly findings: readonly Finding[];
}

export function episodeFromRows(raw: RawEpisode): EpisodeFromRows {
  const { mapping, plan, rows } = raw;
  const { clocks, start_ns } = clocksFrom(raw);
  const findings: Finding[] = [];
  const streams: MappedStream[] = [];
  for (const own of rows.streams) {
    if (own.plan.parts.every((part) => part < 0)) continue;
    streams.push({ stream: streamOf(raw, own, clocks), rows: own });
    if (own.ragged > 0) findings.push(raggedLists(own));
  }
  const { grippers, findings: notFound } = mappedGrippers(streams, raw.mapping_path);
  return {
    clocks,
    start_ns,
    duration_s: durationOf(clocks[0]?.clock.time_s),
    streams: streams.map(({ stream }) => stream),
    tasks: tasksOf(mapping, plan, rows),
    outcome: outcomeOf(mapping.outcome, rows.outcome),
    grippers,
    robot: mapping.robot ?? null,
    findings: [...findings, ...notFound],
  };
}

/**
 * Times count from the first stamp of the first clock; other clocks of the same epoch from there too, and of another
 * one from their own first stamp.
 */
function clocksFrom({ mapping, plan, rows, origins }: RawEpisode): {
  clocks: MappedClock[];
  start_ns: string | null;
} {
  if (plan.clocks.length === 0)
    return {
      clocks: mapping.rate_hz === undefined ? [] : [countedClock(rows.rows, mapping.rate_hz)],
      start_ns: null,
    };
  let start: bigint | null = null;
  const clocks = plan.clocks.map((clock, at) => {
    const time_s = rows.stamps(at);
    const first = time_s.find((time) => Number.isFinite(time)) ?? 0;
    const origin = origins[at];
    let offset_s = first;
    if (clock.epoch === 'unix' && origin !== null) {
      start ??= origin + BigInt(Math.round(first * 1e9));
      offset_s = Number(start - origin) / 1e9;
    }
    for (let row = 0; row < time_s.length; row++) time_s[row] -= offset_s;
    return mappedClock(clock, time_s);
  });
  return { clocks, start_ns: start === null ? null : String(start) };
}

function durationOf(time_s: Float64Array | undefined): number {
  let last = 0;
  for (const time of time_s ?? []) if (time > last) last = time;
  return last;
}

function streamOf(raw: RawEpisode, rows: StreamRows, clocks: readonly MappedClock[]): MappedStream['stream'] {
  const { mapping, columns, parts } = rows.plan;
  const dims = rows.dims ?? parts.length;
  const names = mapping.names ?? (columns.length === dims ? columns : null);
  return {
    id: mapping.id,
    role: mapping.role,
    modality: 'numeric',
    shape: [dims],
    names: names?.length === dims ? names : null,
    unit: unitOf(mapping.unit, raw.mapping_path),
    declared_rate_hz: mapping.rate_hz ?? raw.mapping.rate_hz ?? null,
    sample_count: raw.rows.rows,
    ...clocksOf(clocks, mapping.clock),
    series: { values: rows.values(), dims },
  };
}

function unitOf(unit: string | undefined, path: string): UnitOfMeasure {
  return unit === undefined
    ? { unit: 'unknown', evidence: 'unknown', reason: `${path} names no unit` }
    : { unit, evidence: 'declared', reason: `${path} names the unit` };
}

function tasksOf(mapping: Mapping, plan: ReadPlan, rows: EpisodeRows): readonly TaskText[] | null {
  if (typeof mapping.task === 'string') return [{ text: mapping.task, source: 'mapping' }];
  if (plan.task === null || typeof mapping.task !== 'object' || !('column' in mapping.task)) return null;
  return rows.task === null ? [] : [{ text: rows.task, source: `column ${mapping.task.column}` }];
}

function raggedLists({ plan, ragged, dims }: StreamRows): Finding {
  return {
    code: 'lists_ragged',
    severity: 'warning',
    path: null,
    message: `${plan.mapping.id}: about ${ragged} rows hold lists of another length than ${dims}, that of the first row`,
    advice: 'write lists of one length; what is missing counts as such, what is beyond is left out',
  };
}

/** What the outcome column says in its last row: only the values that the mapping names mean anything. */
function outcomeOf(mapping: Mapping['outcome'], said: string | null): Outcome {
  if (mapping === undefined) return unknownOutcome;
  const { column, success, failure } = mapping;
  if (said === null)
    return { value: 'unknown', evidence: 'unknown', reason: `${column} is empty in the last row` };
  const value = equals(said, success) ? 'success' : equals(said, failure) ? 'failure' : 'unknown';
  const shown = JSON.stringify(said.slice(0, 40));
  return value === 'unknown'
    ? {
        value,
        evidence: 'unknown',
        reason: `${column} ends as ${shown}, of which the mapping does not say what it means`,
      }
    : { value, evidence: 'declared', reason: `${column} ends as ${shown}, by the mapping ${value}` };
}

function equals(said: string, named: string | number | boolean | undefined): boolean {
  if (named === undefined) return false;
  const text = said.trim().toLowerCase();
  if (text === String(named).toLowerCase()) return true;
  if (typeof named === 'number') return text !== '' && Number(text) === named;
  return typeof named === 'boolean' && text !== '' && Number(text) === Number(named);
}

/** A stream with the rows that it was put together from. */
interface MappedStream {
  readonly stream: Stream & { readonly series: Series };
  readonly rows: StreamRows;
}

/** What the mapping declares of grippers, with the range seen; columns that are only called so stay unknown. */
function mappedGrippers(
  streams: readonly MappedStream[],
  path: string,
): { readonly grippers: GripperConvention[]; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  const declared = streams.flatMap(({ stream, rows }) =>
    rows.plan.mapping.grippers.flatMap((gripper) => {
      const dimension = rows.dimensionOf(gripper.column) ?? stream.names?.indexOf(gripper.column) ?? -1;
      if (dimension >= 0) return [declaredOf(stream, dimension, gripper, path)];
      findings.push(notFound(stream, gripper.column, path));
      return [];
    }),
  );
  const known = new Set(declared.map(({ stream, dimension }) => `${stream}\0${dimension}`));
  const byName = grippersOf(streams.map(({ stream }) => stream)).filter(
    ({ stream, dimension }) => !known.has(`${stream}\0${dimension}`),
  );
  const reason = `${path} does not say which value means open`;
  return { grippers: [...declared, ...byName.map((found) => ({ ...found, reason }))], findings };
}

function declaredOf(
  stream: MappedStream['stream'],
  dimension: number,
  { open_value, unit }: StreamMapping['grippers'][number],
  path: string,
): GripperConvention {
  return {
    stream: stream.id,
    dimension,
    name: stream.names?.[dimension] ?? null,
    unit: unit ?? stream.unit.unit,
    range_observed: observedRange(stream.series, dimension),
    open_value,
    evidence: open_value === null ? 'unknown' : 'declared',
    reason: open_value === null ? `${path} leaves open which value means open` : `${path} declares it`,
  };
}

function notFound({ id }: Stream, column: string, path: string): Finding {
  return {
    code: 'gripper_not_found',
    severity: 'error',
    path,
    message: `${path} declares a gripper in ${column}, which is no single number of ${id}`,
    advice: 'name one of the columns of that stream, or of a column of lists one of its names',
  };
}
