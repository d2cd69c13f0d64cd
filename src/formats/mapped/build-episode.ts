import {
  type Clock,
  type ClockChoice,
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
import { detectGrippers, observedRange } from '../shared/grippers.ts';
import type { EpisodeRows, ReadPlan, StreamRows } from './episode-rows.ts';
import type { ClockMapping, Mapping, StreamMapping } from './mapping.ts';

/** Rows read for an episode, with the mapping and plan by which they are interpreted. */
export interface RawEpisode {
  readonly mapping: Mapping;
  readonly mapping_path: string;
  readonly plan: ReadPlan;
  readonly rows: EpisodeRows;
  /** First stamp of each clock of the table, in nanoseconds as written; `null` if there is none. */
  readonly origins: readonly (bigint | null)[];
}

/** Parts of an episode that are computed from its rows. */
export interface EpisodeParts
  extends Pick<Episode, 'start_ns' | 'duration_s' | 'streams' | 'tasks' | 'outcome' | 'grippers' | 'robot'> {
  readonly clocks: readonly MappedClock[];
  readonly findings: readonly Finding[];
}

/** Builds streams, clocks, grippers, tasks and outcome from the rows of an episode. */
export function buildEpisodeParts(raw: RawEpisode): EpisodeParts {
  const { mapping, plan, rows } = raw;
  const { clocks, start_ns } = buildClocks(raw);
  const findings: Finding[] = [];
  const streams: MappedStream[] = [];
  for (const streamRows of rows.streams) {
    if (streamRows.plan.parts.every((part) => part < 0)) continue;
    streams.push({ stream: buildStream(raw, streamRows, clocks), rows: streamRows });
    if (streamRows.ragged > 0) findings.push(raggedFinding(streamRows));
  }
  const { grippers, findings: gripperFindings } = mappedGrippers(streams, raw.mapping_path);
  return {
    clocks,
    start_ns,
    duration_s: computeDuration(clocks[0]?.clock.time_s),
    streams: streams.map(({ stream }) => stream),
    tasks: taskTexts(mapping, plan, rows),
    outcome: resolveOutcome(mapping.outcome, rows.outcome),
    grippers,
    robot: mapping.robot ?? null,
    findings: [...findings, ...gripperFindings],
  };
}

/**
 * Builds the clocks. Times are relative to the first stamp of the first clock with epoch `unix`, which also applies to
 * the others of this epoch; other clocks start at their own first stamp. `start_ns` is `null` without such a clock.
 */
function buildClocks({ mapping, plan, rows, origins }: RawEpisode): {
  clocks: MappedClock[];
  start_ns: string | null;
} {
  if (plan.clocks.length === 0)
    return {
      clocks: mapping.rate_hz === undefined ? [] : [rowClock(rows.rows, mapping.rate_hz)],
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
    return buildClock(clock, time_s);
  });
  return { clocks, start_ns: start === null ? null : String(start) };
}

function computeDuration(time_s: Float64Array | undefined): number {
  let last = 0;
  for (const time of time_s ?? []) if (time > last) last = time;
  return last;
}

function buildStream(
  raw: RawEpisode,
  rows: StreamRows,
  clocks: readonly MappedClock[],
): MappedStream['stream'] {
  const { mapping, columns, parts } = rows.plan;
  const dims = rows.dims ?? parts.length;
  const names = mapping.names ?? (columns.length === dims ? columns : null);
  return {
    id: mapping.id,
    role: mapping.role,
    modality: 'numeric',
    shape: [dims],
    names: names?.length === dims ? names : null,
    unit: streamUnit(mapping.unit, raw.mapping_path),
    declared_rate_hz: mapping.rate_hz ?? raw.mapping.rate_hz ?? null,
    sample_count: raw.rows.rows,
    ...selectClocks(clocks, mapping.clock),
    series: { values: rows.values(), dims },
  };
}

function streamUnit(unit: string | undefined, path: string): UnitOfMeasure {
  return unit === undefined
    ? { unit: 'unknown', evidence: 'unknown', reason: `${path} declares no unit` }
    : { unit, evidence: 'declared', reason: `${path} declares the unit` };
}

function taskTexts(mapping: Mapping, plan: ReadPlan, rows: EpisodeRows): readonly TaskText[] | null {
  if (typeof mapping.task === 'string') return [{ text: mapping.task, source: 'mapping' }];
  if (plan.task === null || typeof mapping.task !== 'object' || !('column' in mapping.task)) return null;
  return rows.task === null ? [] : [{ text: rows.task, source: `column ${mapping.task.column}` }];
}

function raggedFinding({ plan, ragged, dims }: StreamRows): Finding {
  return {
    code: 'lists_ragged',
    severity: 'warning',
    path: null,
    message: `${plan.mapping.id}: about ${ragged} rows have lists of a different length than the first row (${dims})`,
    advice:
      'write lists of equal length; missing elements count as missing values, extra elements are ignored',
  };
}

/**
 * Returns the outcome by the last value of the outcome column: success or failure only for the values that the mapping
 * names.
 */
function resolveOutcome(mapping: Mapping['outcome'], cell: string | null): Outcome {
  if (mapping === undefined) return unknownOutcome;
  const { column, success, failure } = mapping;
  if (cell === null)
    return { value: 'unknown', evidence: 'unknown', reason: `${column} is empty in the last row` };
  const value = equals(cell, success) ? 'success' : equals(cell, failure) ? 'failure' : 'unknown';
  const quoted = JSON.stringify(cell.slice(0, 40));
  return value === 'unknown'
    ? {
        value,
        evidence: 'unknown',
        reason: `${column} is ${quoted} in the last row, which the mapping does not define as success or failure`,
      }
    : {
        value,
        evidence: 'declared',
        reason: `${column} is ${quoted} in the last row, which the mapping defines as ${value}`,
      };
}

function equals(cell: string, expected: string | number | boolean | undefined): boolean {
  if (expected === undefined) return false;
  const text = cell.trim().toLowerCase();
  if (text === String(expected).toLowerCase()) return true;
  if (typeof expected === 'number') return text !== '' && Number(text) === expected;
  return typeof expected === 'boolean' && text !== '' && Number(text) === Number(expected);
}

/** A stream and the rows it was built from. */
interface MappedStream {
  readonly stream: Stream & { readonly series: Series };
  readonly rows: StreamRows;
}

/**
 * Returns the grippers that the mapping declares, with the observed range, and those detected by column name, whose
 * open value is unknown.
 */
function mappedGrippers(
  streams: readonly MappedStream[],
  path: string,
): { readonly grippers: GripperConvention[]; readonly findings: Finding[] } {
  const findings: Finding[] = [];
  const declared = streams.flatMap(({ stream, rows }) =>
    rows.plan.mapping.grippers.flatMap((gripper) => {
      const dimension = rows.dimensionOf(gripper.column) ?? stream.names?.indexOf(gripper.column) ?? -1;
      if (dimension >= 0) return [declaredGripper(stream, dimension, gripper, path)];
      findings.push(gripperNotFoundFinding(stream, gripper.column, path));
      return [];
    }),
  );
  const declaredKeys = new Set(declared.map(({ stream, dimension }) => `${stream}\0${dimension}`));
  const byName = detectGrippers(streams.map(({ stream }) => stream)).filter(
    ({ stream, dimension }) => !declaredKeys.has(`${stream}\0${dimension}`),
  );
  const reason = `${path} does not say which value means open`;
  return { grippers: [...declared, ...byName.map((found) => ({ ...found, reason }))], findings };
}

function declaredGripper(
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
    reason: open_value === null ? `${path} does not say which value means open` : `${path} declares it`,
  };
}

function gripperNotFoundFinding({ id }: Stream, column: string, path: string): Finding {
  return {
    code: 'gripper_not_found',
    severity: 'error',
    path,
    message: `${path} declares a gripper in ${column}, which is not a single value of ${id}`,
    advice: 'use one of the columns of that stream, or one of the names of a list column',
  };
}

/** Stamps that deviate from an even grid by less than this fraction of a step count as computed. */
const gridTolerance = 1e-3;
const minGridRows = 10;

/** A clock of an episode, its column, and why its provenance was chosen. */
export interface MappedClock {
  readonly clock: Clock;
  readonly column: string;
  readonly reason: string;
}

/**
 * Builds a clock with its provenance: `synthesised` if all stamps lie on an even grid (unless declared `hardware`),
 * else as the mapping says, `log` by default.
 * @param time_s seconds since the episode's first stamp
 */
function buildClock(mapping: ClockMapping, time_s: Float64Array): MappedClock {
  const { column, provenance } = mapping;
  const even = isEvenGrid(time_s);
  if (even && provenance !== 'hardware' && provenance !== 'synthesised') {
    const contradiction = provenance === undefined ? '' : `, although the mapping declares ${provenance}`;
    return {
      column,
      clock: { name: column, provenance: 'synthesised', time_s },
      reason: `timestamps are perfectly evenly spaced, so they were computed rather than measured${contradiction}`,
    };
  }
  const reason =
    provenance === undefined
      ? 'timestamps of the table; the mapping declares no provenance, so they count as times set by the recorder'
      : `the mapping declares ${provenance}`;
  return { column, clock: { name: column, provenance: provenance ?? 'log', time_s }, reason };
}

/** Returns a clock computed from the row number and the mapping's rate, for tables without a clock. */
function rowClock(rows: number, rate_hz: number): MappedClock {
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / rate_hz);
  return {
    column: 'row / rate_hz',
    clock: { name: 'row / rate_hz', provenance: 'synthesised', time_s },
    reason: `the table has no clock; times are row / ${rate_hz}, from rate_hz in the mapping`,
  };
}

/**
 * Returns clock fields of a stream: all clocks, with the preferred one selected, else the first; none if there are no
 * clocks.
 */
export function selectClocks(
  clocks: readonly MappedClock[],
  preferredColumn: string | undefined,
): { readonly clocks: readonly Clock[]; readonly clock: ClockChoice | null } {
  if (clocks.length === 0) return { clocks: [], clock: null };
  const index = Math.max(
    0,
    clocks.findIndex(({ column }) => column === preferredColumn),
  );
  return { clocks: clocks.map(({ clock }) => clock), clock: { index, reason: clocks[index].reason } };
}

function isEvenGrid(time_s: Float64Array): boolean {
  const rows = time_s.length;
  if (rows < minGridRows) return false;
  const step = (time_s[rows - 1] - time_s[0]) / (rows - 1);
  if (!(step > 0)) return false;
  for (let row = 0; row < rows; row++) {
    const deviation = (time_s[row] - time_s[0]) / step - row;
    if (!(Math.abs(deviation) < gridTolerance)) return false;
  }
  return true;
}
