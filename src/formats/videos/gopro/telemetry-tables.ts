import type { Stream } from '#core/episode';
import { float32Values, float64Values, type GrowingValues } from '../../shared/flight/decode-numbers.ts';
import { axisNames, orient, readAxisOrder } from './axes.ts';
import {
  type GpmfEntry,
  GpmfError,
  type GpmfNumbers,
  readNumber,
  readNumbers,
  readText,
  readTexts,
} from './parse-gpmf.ts';
import type { PayloadSpan } from './payload-spans.ts';
import { type Block, type CameraClock, computeSampleTimes } from './sample-times.ts';
import { groupUnit, type SignalFacts, signals } from './signals.ts';

/** Types of 32 bits and more whose scaled values need more than a 32-bit float. */
const wideTypes = /[lLjJqQd?]/;

/** Samples of one GPMF stream of all payloads. */
export class TelemetryTable {
  readonly id: string;
  readonly facts: SignalFacts;
  readonly blocks: Block[] = [];
  readonly isOriented: boolean;
  readonly dims: number;
  readonly #values: GrowingValues;
  readonly #units: readonly string[];

  constructor(id: string, facts: SignalFacts, first: StreamPart) {
    this.id = id;
    this.facts = facts;
    this.dims = first.numbers.dims;
    this.isOriented = first.isOriented;
    this.#units = first.units;
    this.#values = first.isWide ? float64Values(this.dims) : float32Values(this.dims);
  }

  /** Adds the samples of one payload; throws `GpmfError` if they have other columns than those before. */
  add({ numbers, isOriented, ...part }: StreamPart, payload: PayloadSpan): void {
    if (numbers.dims !== this.dims || isOriented !== this.isOriented)
      throw new GpmfError(`${this.id} changes its columns`);
    if (numbers.rows === 0) return;
    this.#values.reserve(numbers.rows);
    this.#values.values.set(numbers.values, this.#values.rows * this.dims);
    this.#values.rows += numbers.rows;
    const { stamp_us, total, delay_s } = part;
    this.blocks.push({ payload, rows: numbers.rows, stamp_us, total, delay_s });
  }

  /**
   * Returns the streams whose columns the table has, with times in seconds since the first video frame; empties the
   * table.
   */
  finish(camera: CameraClock | null, zero_s: number): Stream[] {
    const { clock, reason } = computeSampleTimes(this.blocks, camera, zero_s);
    const values = this.#values.take();
    return this.facts.groups.flatMap((group) => {
      const [from, count] = group.columns ?? [0, this.dims];
      if (from + count > this.dims) return [];
      const own = this.isOriented ? axisNames : group.names;
      return [
        {
          id: group.suffix === '' ? this.id : `${this.id}.${group.suffix}`,
          role: group.role,
          modality: 'numeric' as const,
          shape: [count],
          names: own?.length === count ? own : null,
          unit: groupUnit(this.facts, group, this.#units),
          declared_rate_hz: null,
          sample_count: clock.time_s.length,
          clocks: [clock],
          clock: { index: 0, reason },
          series: { values: selectColumns(values, this.dims, from, count), dims: count },
        },
      ];
    });
  }
}

function selectColumns(
  values: Float32Array | Float64Array,
  dims: number,
  from: number,
  count: number,
): Float32Array | Float64Array {
  if (count === dims) return values;
  const rows = values.length / dims;
  const own = values.slice(0, rows * count);
  for (let row = 0; row < rows; row++)
    for (let d = 0; d < count; d++) own[row * count + d] = values[row * dims + from + d];
  return own;
}

/** Samples of one stream in one payload, scaled, with what its STRM entry says of them. */
export interface StreamPart {
  readonly key: string;
  readonly numbers: GpmfNumbers;
  /** True if 32-bit floats would lose digits. */
  readonly isWide: boolean;
  readonly isOriented: boolean;
  readonly units: readonly string[];
  readonly stamp_us: number | null;
  readonly total: number | null;
  readonly delay_s: number;
}

/**
 * Reads the samples of a STRM entry, scaled and in camera axes where these are declared; `null` if it holds none of the
 * signals that are read. Throws `GpmfError` if numbers or scales cannot be read.
 */
export function readStreamPart(entries: readonly GpmfEntry[]): StreamPart | null {
  const data = entries.findLast(({ key }) => signals[key] !== undefined);
  if (data === undefined) return null;
  const find = (key: string) => entries.find((entry) => entry.key === key);
  const numberOf = (key: string) => {
    const entry = find(key);
    return entry === undefined ? null : readNumber(entry);
  };
  const structure = find('TYPE');
  const numbers = readNumbers(data, structure === undefined ? '' : readText(structure));
  if (numbers === null) throw new GpmfError(`${data.key} contains no numbers of a known type`);
  scale(numbers, find('SCAL'), data.key);
  const axes = signals[data.key].isOriented && numbers.dims === 3 ? readAxisOrder(entries) : null;
  if (axes !== null) orient(numbers, axes);
  const unit = find('SIUN') ?? find('UNIT');
  return {
    key: data.key,
    numbers,
    isWide: wideTypes.test(data.type),
    isOriented: axes !== null,
    units: unit === undefined ? [] : readTexts(unit),
    stamp_us: numberOf('STMP'),
    total: numberOf('TSMP'),
    delay_s: numberOf('TIMO') ?? 0,
  };
}

/**
 * Divides the numbers in place by SCAL, one divisor for all columns or one per column; throws `GpmfError` if it is
 * unusable.
 */
function scale({ values, dims }: GpmfNumbers, entry: GpmfEntry | undefined, key: string): void {
  if (entry === undefined) return;
  const divisors = readNumbers(entry)?.values ?? new Float64Array(0);
  if ((divisors.length !== 1 && divisors.length !== dims) || divisors.includes(0))
    throw new GpmfError(`${key} has no usable scale`);
  for (let i = 0; i < values.length; i++) values[i] /= divisors[divisors.length === 1 ? 0 : i % dims];
}
