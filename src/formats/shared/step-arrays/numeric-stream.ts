import { type Hdf5Dataset, toFloats } from '@assay/hdf5';
import { AssayError } from '#core';
import type { Finding, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import type { ArrayRooms } from './array-rooms.ts';
import { clockPart, type StepClock } from './step-clock.ts';
import { checkStored } from './stored-share.ts';

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
