import { type Hdf5Dataset, type Hdf5Group, toFloats, walkDatasets } from '@assay/hdf5';
import { AssayError, significant, wrapReadError } from '#core';
import type { Clock, ClockChoice, Finding, Stream, StreamRole, UnitOfMeasure } from '#core/episode';
import type { RowArray } from './row-array.ts';

/** Wider rows are not a signal: they are counted but not read. */
const maxDimensions = 4096;
/** Maximum memory for the numbers of one episode. */
const maxEpisodeBytes = 512 * 1024 * 1024;
/** Maximum steps of an episode: about two weeks at 20 Hz. */
const maxSteps = 25_000_000;

/** Throws `limit_exceeded` if an episode has more than 25 million steps, before memory is allocated for them. */
export function assertStepCount(steps: number, path: string): void {
  if (steps <= maxSteps) return;
  throw new AssayError(
    'limit_exceeded',
    `the episode has ${steps} steps, which is more than the supported ${maxSteps}`,
    {
      ...{ path, advice: 'check where the file comes from; no real recording is that long' },
    },
  );
}

/** Unit of streams whose file declares no units. */
export const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the file does not declare units',
};

/** Description of a stream to read from an array. */
export interface StreamPlan {
  readonly id: string;
  readonly role: StreamRole;
  readonly dataset: Hdf5Dataset;
  readonly unit?: UnitOfMeasure;
  readonly names?: readonly string[] | null;
}

/** Reads the streams of one episode from the arrays of a file; collects findings. */
export class StepArrayReader {
  readonly path: string;
  readonly clock: StepClock | null;
  readonly findings: Finding[] = [];
  readonly #span: readonly [from: number, to: number] | null;
  readonly #pool: ArrayPool | null;
  #bytes = 0;

  /**
   * `span`: rows [from, to) of the file's arrays that belong to this episode; null for all rows of each array. `pool`:
   * memory to reuse across episodes; null to allocate fresh arrays.
   */
  constructor(
    path: string,
    clock: StepClock | null,
    span: readonly [number, number] | null,
    pool: ArrayPool | null = null,
  ) {
    this.path = path;
    this.clock = clock;
    this.#span = span;
    this.#pool = pool;
  }

  /**
   * Returns an array as a stream, without values if it is not numeric, too wide, too large or unreadable; `findings`
   * reports the last two.
   */
  async readStream(plan: StreamPlan): Promise<Stream> {
    const { dataset } = plan;
    const [from, to] = (this.#span ?? [0, dataset.rows]).map((row) => Math.min(row, dataset.rows));
    const rows = to - from;
    const dims = dataset.rowElements;
    const isHeld =
      dataset.isNumeric && dims > 0 && dims <= maxDimensions && this.#fits(plan.id, rows * dims * 8);
    if (!isHeld) return this.#streamWithoutValues(plan, rows);
    try {
      await assertStored(dataset, this.path);
      const pool = this.#pool;
      const allocate = pool === null ? undefined : (bytes: number) => pool.acquire(plan.id, bytes);
      const values = toFloats(await dataset.readNumbers(from, to, allocate));
      return {
        ...this.#streamBase(plan, rows),
        ...{ modality: 'numeric', names: plan.names ?? null, series: { values, dims } },
      };
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      this.addUnreadable(plan.id, thrown);
      return this.#streamWithoutValues(plan, rows);
    }
  }

  /** Adds an `array_unreadable` error to `findings`; the rest of the episode is read without the array. */
  addUnreadable(id: string, { message, advice }: AssayError): void {
    this.findings.push({
      ...{ code: 'array_unreadable', severity: 'error', path: this.path },
      message: `cannot read ${id}: ${message}`,
      advice: advice ?? 'copy the file again',
    });
  }

  #streamWithoutValues(plan: StreamPlan, rows: number): Stream {
    const isText = plan.dataset.type.kind === 'text';
    return { ...this.#streamBase(plan, rows), modality: isText ? 'text' : 'opaque', names: null };
  }

  #streamBase({ id, role, dataset, unit }: StreamPlan, rows: number): Omit<Stream, 'modality' | 'names'> {
    const shape = dataset.shape.slice(1);
    return {
      ...{ id, role, shape: shape.length === 0 ? [1] : shape, unit: unit ?? noUnit, sample_count: rows },
      ...streamClock(this.clock, rows),
    };
  }

  #fits(id: string, bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes <= maxEpisodeBytes) return true;
    this.#bytes -= bytes;
    this.findings.push({
      ...{ code: 'array_too_large', severity: 'warning', path: this.path },
      message: `${id} was skipped: with it, the episode would need more than ${maxEpisodeBytes / 2 ** 20} MiB of memory`,
      advice: 'split the recording into shorter episodes',
    });
    return false;
  }
}

/**
 * Deflate compresses at most about 1000:1; arrays that take less space were never written, or are made to cost time.
 */
const maxCompressionRatio = 1100;
const minCheckedBytes = 64 * 1024 * 1024;

/**
 * Throws `unreadable_input` if an array of 64 MiB or more takes less than 1/1100 of its declared size in the file.
 *
 * Such an array was never written; reading it would spend memory and time on its fill value. Arrays of variable-length
 * elements are not checked.
 */
export async function assertStored(dataset: RowArray, path: string): Promise<void> {
  const declaredBytes = dataset.rows * dataset.rowBytes;
  if (declaredBytes < minCheckedBytes || dataset.type.kind === 'sequence') return;
  const stored = await dataset.storedBytes();
  if (declaredBytes <= stored * maxCompressionRatio) return;
  throw new AssayError(
    'unreadable_input',
    `it declares ${declaredBytes} bytes, but only ${stored} bytes are stored`,
    {
      ...{ path, place: dataset.path },
      advice: 're-record the episode: the array was never written',
    },
  );
}

/** Declared rate and its source. */
export interface StepRate {
  readonly hz: number;
  readonly source: string;
}

/** Synthesised clock of an episode's steps. */
export interface StepClock {
  readonly rate: StepRate;
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/**
 * Returns a synthesised clock in which step `i` is at `i / rate.hz` seconds; `null` without a rate.
 *
 * These files store no times, so the clock is no evidence of capture times.
 */
export function createStepClock(steps: number, rate: StepRate): StepClock;
export function createStepClock(steps: number, rate: StepRate | null): StepClock | null;
export function createStepClock(steps: number, rate: StepRate | null): StepClock | null {
  if (rate === null) return null;
  const time_s = new Float64Array(steps);
  for (let step = 0; step < steps; step++) time_s[step] = step / rate.hz;
  const name = `step / ${significant(rate.hz)} Hz`;
  const reason = `the file has no timestamps; ${name} is used instead: ${rate.source}`;
  return { rate, clock: { name, provenance: 'synthesised', time_s }, choice: { index: 0, reason } };
}

/**
 * Returns the clock fields of a stream, its clock cut to `samples` steps; no clock if there is none or it has fewer
 * steps.
 */
export function streamClock(
  clock: StepClock | null,
  samples: number,
): Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'> {
  const declared_rate_hz = clock?.rate.hz ?? null;
  if (clock === null || samples > clock.clock.time_s.length) {
    return { clocks: [], clock: null, declared_rate_hz };
  }
  const { time_s } = clock.clock;
  const shortened =
    samples === time_s.length ? clock.clock : { ...clock.clock, time_s: time_s.subarray(0, samples) };
  return { clocks: [shortened], clock: clock.choice, declared_rate_hz };
}

/** Returns the duration from the first step to one period after the last, in seconds; 0 without a rate. */
export function computeDuration(steps: number, rate: StepRate | null): number {
  return rate === null ? 0 : steps / rate.hz;
}

/**
 * Reuses memory for the numbers of successive episodes, by stream: the numbers of an episode are no longer needed once
 * the next one is read. Allocating fresh memory for each would cost more than reading.
 */
export class ArrayPool {
  #previous: ReadonlyMap<string, ArrayBuffer> = new Map();
  #current = new Map<string, ArrayBuffer>();

  /**
   * Returns a buffer of at least this size with undefined content: the one of the same stream in the previous episode
   * if it is large enough. Call once per stream and episode.
   */
  acquire(stream: string, bytes: number): ArrayBuffer {
    const reusable = this.#previous.get(stream);
    // 25 % spare, so that a slightly longer episode fits as well.
    const buffer =
      reusable !== undefined && reusable.byteLength >= bytes
        ? reusable
        : new ArrayBuffer(bytes + (bytes >> 2));
    this.#current.set(stream, buffer);
    return buffer;
  }

  /** Ends an episode: its buffers are reused for the next one, those that it did not use are released. */
  nextEpisode(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }
}

/** Maximum number of arrays and group depth to visit in one episode. */
const walkLimits = { names: 10_000, depth: 12 };

/** Arrays below a group, and the errors of those that are unreadable or lie in another file. */
export interface FileArrays {
  /** By path relative to the group, such as `observations/qpos`. */
  readonly arrays: ReadonlyMap<string, Hdf5Dataset>;
  readonly unread: ReadonlyMap<string, AssayError>;
}

/**
 * Returns the arrays below a group, at most 10 000 and 12 levels deep, and an error for each one that is unreadable or
 * a link into another file, which is never followed.
 */
export async function listArrays(group: Hdf5Group, path: string): Promise<FileArrays> {
  const arrays = new Map<string, Hdf5Dataset>();
  const unread = new Map<string, AssayError>();
  const start = group.path === '/' ? 1 : group.path.length + 1;
  for await (const entry of walkDatasets(group, walkLimits)) {
    if (entry.kind === 'dataset') arrays.set(entry.dataset.path.slice(start), entry.dataset);
    else if (entry.kind === 'unread') unread.set(entry.path.slice(start), wrapReadError(entry.error, path));
    else unread.set(entry.path.slice(start), externalLinkError(entry.path, entry.file, path));
  }
  return { arrays, unread };
}

function externalLinkError(name: string, file: string, path: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `it is a link to another file (${file}); links are not followed`,
    {
      ...{ path, place: name, advice: 'copy the data into the file with h5repack or h5copy' },
    },
  );
}

/** Returns id and row count of the arrays whose row count differs from `steps`. */
export function findUnevenArrays(
  arrays: Iterable<readonly [string, Hdf5Dataset]>,
  steps: number,
): [string, number][] {
  return [...arrays].flatMap(([id, { rows }]) => (rows === steps ? [] : [[id, rows] as [string, number]]));
}
