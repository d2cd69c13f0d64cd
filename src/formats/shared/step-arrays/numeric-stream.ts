import { type Hdf5Dataset, toFloats } from '@assay/hdf5';
import { AssayError, significant } from '#core';
import type { Clock, ClockChoice, Finding, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import type { ArrayRooms } from './array-rooms.ts';

/** Wider rows than this are no signal; they are counted and not held. */
const mostDimensions = 4096;
/** Numbers of one episode, as they are held. */
const mostBytes = 512 * 1024 * 1024;
/** More steps than two weeks at 20 Hz are no episode. */
const mostSteps = 25_000_000;

/** Throws for more steps than any episode has, before memory is taken for them. */
export function checkSteps(steps: number, path: string): void {
  if (steps <= mostSteps) return;
  throw new AssayError('limit_exceeded', `an episode of ${steps} steps`, {
    ...{ path, advice: 'check where the file comes from; recordings do not get there' },
  });
}

export const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the file names no units',
};

/** What a stream is besides its numbers. */
export interface StreamPlan {
  readonly id: string;
  readonly role: StreamRole;
  readonly dataset: Hdf5Dataset;
  readonly unit?: UnitOfMeasure;
  readonly names?: readonly string[] | null;
}

/** What the streams of one episode share while they are read. */
export class StepReading {
  readonly path: string;
  readonly clock: StepClock | null;
  readonly findings: Finding[] = [];
  readonly #span: readonly [from: number, to: number] | null;
  readonly #rooms: ArrayRooms | null;
  #bytes = 0;

  /** `span`: the rows of the file's arrays that are this episode; null: all, however many each has. `rooms`: where numbers may lie that the next episode's may be written over. */
  constructor(
    path: string,
    clock: StepClock | null,
    span: readonly [number, number] | null,
    rooms: ArrayRooms | null = null,
  ) {
    this.path = path;
    this.clock = clock;
    this.#span = span;
    this.#rooms = rooms;
  }

  /** The numbers of an array; what is no number, too wide or unreadable is named and not held. */
  async numeric(plan: StreamPlan): Promise<Stream> {
    const { dataset } = plan;
    const [from, to] = (this.#span ?? [0, dataset.rows]).map((row) => Math.min(row, dataset.rows));
    const rows = to - from;
    const dims = dataset.rowElements;
    const isHeld =
      dataset.isNumeric && dims > 0 && dims <= mostDimensions && this.#fits(plan.id, rows * dims * 8);
    if (!isHeld) return this.#carried(plan, rows);
    try {
      await checkStored(dataset, this.path);
      const rooms = this.#rooms;
      const room = rooms === null ? undefined : (bytes: number) => rooms.of(plan.id, bytes);
      const values = toFloats(await dataset.readNumbers(from, to, room));
      return {
        ...this.#base(plan, rows),
        ...{ modality: 'numeric', names: plan.names ?? null, series: { values, dims } },
      };
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.unread(plan.id, thrown);
      return this.#carried(plan, rows);
    }
  }

  /** An array that could not be read: the rest of the episode goes on without it. */
  unread(id: string, { message, advice }: AssayError): void {
    this.findings.push({
      ...{ code: 'array_unreadable', severity: 'error', path: this.path },
      message: `${id} could not be read: ${message}`,
      advice: advice ?? 'copy the file again',
    });
  }

  #carried(plan: StreamPlan, rows: number): Stream {
    const isText = plan.dataset.type.kind === 'text';
    return { ...this.#base(plan, rows), modality: isText ? 'text' : 'opaque', names: null };
  }

  #base({ id, role, dataset, unit }: StreamPlan, rows: number): Omit<Stream, 'modality' | 'names'> {
    const shape = dataset.shape.slice(1);
    return {
      ...{ id, role, shape: shape.length === 0 ? [1] : shape, unit: unit ?? noUnit, sample_count: rows },
      ...clockPart(this.clock, rows),
    };
  }

  #fits(id: string, bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= mostBytes) return true;
    this.#bytes -= bytes;
    this.findings.push({
      ...{ code: 'array_too_large', severity: 'warning', path: this.path },
      message: `${id} was not read: with it the episode would take more than ${mostBytes / 2 ** 20} MiB`,
      advice: 'split the recording into shorter episodes',
    });
    return false;
  }
}

/** Deflate packs a thousand to one at most: what takes less in the file was never written, or is made to cost time. */
const mostPacked = 1100;
const worthALook = 64 * 1024 * 1024;

/** Throws for a large array of which next to nothing is stored, before memory and time are spent on its fill value. */
export async function checkStored(dataset: Hdf5Dataset, path: string): Promise<void> {
  const said = dataset.rows * dataset.rowBytes;
  if (said < worthALook || dataset.type.kind === 'sequence') return;
  const stored = await dataset.storedBytes();
  if (said <= stored * mostPacked) return;
  throw new AssayError('unreadable_input', `it says it holds ${said} bytes, and ${stored} bytes are stored`, {
    ...{ path, place: dataset.path },
    advice: 'record the episode again: the array was not written',
  });
}

/** A rate that somebody says, and where. */
export interface KnownRate {
  readonly hz: number;
  readonly source: string;
}

export interface StepClock {
  readonly rate: KnownRate;
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** These files keep no times: there is a clock only where a rate is known, and it proves nothing about capture. */
export function clockOfSteps(steps: number, rate: KnownRate): StepClock;
export function clockOfSteps(steps: number, rate: KnownRate | null): StepClock | null;
export function clockOfSteps(steps: number, rate: KnownRate | null): StepClock | null {
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const name = `step / ${significant(rate.hz)} Hz`;
  const reason = `the file keeps no times; ${name} stands in: ${rate.source}`;
  return { rate, clock: { name, provenance: 'synthesised', time_s }, choice: { index: 0, reason } };
}

/** The clock of a stream; none where it has more samples than there are steps. */
export function clockPart(
  clock: StepClock | null,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const declared_rate_hz = clock?.rate.hz ?? null;
  if (clock === null || samples > clock.clock.time_s.length) {
    return { clocks: [], clock: null, declared_rate_hz };
  }
  const { time_s } = clock.clock;
  const own =
    samples === time_s.length ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, samples) };
  return { clocks: [own], clock: clock.choice, declared_rate_hz };
}

/** From the first step to one period past the last; 0 where no rate is known. */
export function durationOf(steps: number, rate: KnownRate | null): number {
  return rate === null ? 0 : steps / rate.hz;
}
