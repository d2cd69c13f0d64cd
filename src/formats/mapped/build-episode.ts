import { nearestText } from '#core';
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
  unknownOutcome,
} from '#core/episode';
import { detectGrippers, observedRange } from '../shared/grippers.ts';
import type { EpisodeRows, ReadPlan, StreamRows } from './episode-rows.ts';
import { type ClockMapping, declaredUnit, type Mapping, type StreamMapping } from './mapping.ts';
import type { FileValue, Table } from './table.ts';

/** Rows read for an episode, with the mapping and plan by which they are interpreted. */
export interface RawEpisode {
  readonly mapping: Mapping;
  readonly mapping_path: string;
  readonly plan: ReadPlan;
  readonly rows: EpisodeRows;
  /** First stamp of each clock of the table, in nanoseconds as written; `null` if there is none. */
  readonly origins: readonly (bigint | null)[];
  readonly values: EpisodeValues;
}

/** Values of the whole file that the mapping names by a path or states itself; `null` if absent. */
export interface EpisodeValues {
  readonly rate_hz: number | null;
  readonly task: FileValue | null;
  readonly outcome: FileValue | null;
  readonly findings: readonly Finding[];
}

const maxRate_hz = 1e6;

/**
 * Returns rate, task and outcome that a mapping takes from paths in the file; a missing or invalid one is `null`, with
 * a finding.
 */
export async function readEpisodeValues(
  mapping: Mapping,
  table: Table,
  path: string,
): Promise<EpisodeValues> {
  const findings: Finding[] = [];
  const read = async (setting: unknown, what: string): Promise<FileValue | null> => {
    if (typeof setting !== 'object' || setting === null || !('path' in setting)) return null;
    const value = (await table.value?.(String(setting.path))) ?? null;
    if (value === null) {
      const paths = [...((await table.values?.()) ?? new Map()).keys()];
      findings.push(valueMissingFinding(path, String(setting.path), what, paths));
    }
    return value;
  };
  const { rate_hz, task, outcome } = mapping;
  const rate = typeof rate_hz === 'number' ? rate_hz : await read(rate_hz, 'rate_hz');
  const hz = rate === null ? Number.NaN : Number(rate);
  const isRate = hz > 0 && hz <= maxRate_hz;
  if (rate !== null && !isRate)
    findings.push(
      valueMissingFinding(
        path,
        `${JSON.stringify(rate).slice(0, 40)}, which is no rate in Hz,`,
        'rate_hz',
        [],
      ),
    );
  return {
    rate_hz: isRate ? hz : null,
    task: await read(task, 'task'),
    outcome: await read(outcome, 'outcome'),
    findings,
  };
}

function valueMissingFinding(path: string, value: string, what: string, paths: readonly string[]): Finding {
  const nearest = nearestText(value, paths);
  const listed = paths.slice(0, 8).join(', ');
  const hints = [
    ...(nearest === null ? [] : [`the nearest path is ${nearest}`]),
    ...(listed === '' ? [] : [`paths with values are ${listed}${paths.length > 8 ? ', …' : ''}`]),
  ];
  return {
    code: 'value_missing',
    severity: 'warning',
    path,
    message: `${path} has no value ${value} for ${what} of the mapping`,
    advice: [`correct ${what} in the mapping`, ...hints].join('; '),
    evidence: { value, ...(nearest === null ? {} : { nearest }) },
  };
}

/** Parts of an episode that are computed from its rows. */
export interface EpisodeParts
  extends Pick<Episode, 'start_ns' | 'duration_s' | 'streams' | 'tasks' | 'outcome' | 'grippers' | 'robot'> {
  readonly clocks: readonly MappedClock[];
  readonly findings: readonly Finding[];
}

/**
 * Builds streams, clocks, grippers, tasks and outcome from the rows of an episode; streams without columns are left
 * out, empty ones reported.
 */
export function buildEpisodeParts(raw: RawEpisode): EpisodeParts {
  const { mapping, rows } = raw;
  const { clocks, start_ns } = buildClocks(raw);
  const findings: Finding[] = [];
  const streams: MappedStream[] = [];
  for (const streamRows of rows.streams) {
    if (streamRows.plan.parts.every((part) => part < 0)) continue;
    if (streamRows.dims === 0) {
      if (streamRows.plan.mapping.optional !== true) findings.push(emptyStreamFinding(streamRows));
      continue;
    }
    streams.push({ stream: buildStream(raw, streamRows, clocks), rows: streamRows });
    findings.push(...namesFindings(streamRows));
    if (streamRows.ragged > 0) findings.push(raggedFinding(streamRows));
  }
  const { grippers, findings: gripperFindings } = mappedGrippers(streams, raw.mapping_path);
  return {
    clocks,
    start_ns,
    duration_s: computeDuration(clocks[0]?.clock.time_s),
    streams: streams.map(({ stream }) => stream),
    tasks: taskTexts(raw),
    outcome: resolveOutcome(mapping.outcome, rows.outcome, raw.values.outcome),
    grippers,
    robot: mapping.robot ?? null,
    findings: [...findings, ...gripperFindings],
  };
}

/**
 * Builds the clocks. Times are relative to the first stamp of the first clock with epoch `unix`, which also applies to
 * the others of this epoch; other clocks start at their own first stamp. `start_ns` is `null` without such a clock.
 */
function buildClocks({ plan, rows, origins, values: { rate_hz } }: RawEpisode): {
  clocks: MappedClock[];
  start_ns: string | null;
} {
  if (plan.clocks.length === 0)
    return {
      clocks: rate_hz === null ? [] : [rowClock(rows.rows, rate_hz)],
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
  const { mapping, parts } = rows.plan;
  const dims = rows.dims ?? parts.length;
  const names = mapping.names ?? rows.dimensionNames();
  return {
    id: mapping.id,
    role: mapping.role,
    modality: 'numeric',
    shape: [dims],
    names: names?.length === dims ? names : null,
    unit: declaredUnit(mapping.unit, raw.mapping_path),
    declared_rate_hz: mapping.rate_hz ?? raw.values.rate_hz,
    sample_count: raw.rows.rows,
    ...selectClocks(clocks, mapping.clock),
    series: { values: rows.values(), dims },
  };
}

function taskTexts({ mapping, plan, rows, values }: RawEpisode): readonly TaskText[] | null {
  if (typeof mapping.task === 'string') return [{ text: mapping.task, source: 'mapping' }];
  if (typeof mapping.task === 'object' && 'path' in mapping.task) {
    const text = typeof values.task === 'string' ? values.task.trim() : '';
    return text === '' ? [] : [{ text, source: mapping.task.path }];
  }
  if (plan.task === null || typeof mapping.task !== 'object' || !('column' in mapping.task)) return null;
  return rows.task === null ? [] : [{ text: rows.task, source: `column ${mapping.task.column}` }];
}

function namesFindings({ plan: { mapping }, dims }: StreamRows): Finding[] {
  const { names, id } = mapping;
  if (names === undefined || dims === null || names.length === dims) return [];
  return [
    {
      code: 'names_mismatch',
      severity: 'warning',
      path: null,
      message: `${id}: the mapping gives ${names.length} names for ${dims} dimensions; they are not used`,
      advice: 'give one name per dimension, in order',
    },
  ];
}

function emptyStreamFinding({ plan }: StreamRows): Finding {
  return {
    code: 'stream_empty',
    severity: 'error',
    path: null,
    message: `${plan.mapping.id}: the columns ${plan.columns.slice(0, 5).join(', ')} contain empty lists`,
    advice:
      'remove the stream from the mapping, or declare it optional: true if only some recordings have it',
  };
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
 * Returns the outcome by the last value of the outcome column, or the value of the file: success or failure only for
 * the values that the mapping names.
 */
function resolveOutcome(
  mapping: Mapping['outcome'],
  lastCell: string | null,
  fileValue: FileValue | null,
): Outcome {
  if (mapping === undefined) return unknownOutcome;
  const { success, failure } = mapping;
  const isColumn = 'column' in mapping;
  const name = isColumn ? mapping.column : mapping.path;
  const place = isColumn ? ' in the last row' : '';
  const cell = isColumn || fileValue === null ? lastCell : String(fileValue);
  if (cell === null) return { value: 'unknown', evidence: 'unknown', reason: `${name} is empty${place}` };
  const value = equals(cell, success) ? 'success' : equals(cell, failure) ? 'failure' : 'unknown';
  const quoted = JSON.stringify(cell.slice(0, 40));
  return value === 'unknown'
    ? {
        value,
        evidence: 'unknown',
        reason: `${name} is ${quoted}${place}, which the mapping does not define as success or failure`,
      }
    : {
        value,
        evidence: 'declared',
        reason: `${name} is ${quoted}${place}, which the mapping defines as ${value}`,
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
  const reason = `${path} does not say which gripper value means open`;
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
    reason:
      open_value === null ? `${path} does not say which gripper value means open` : `${path} declares it`,
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
