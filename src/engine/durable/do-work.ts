import { AssayError, messageOf } from '#core';
import type { QueuedJob, RunError } from '#store';
import { retryQuietly, retryWhileUnavailable } from '../retry.ts';
import type { Part } from '../steps/messages.ts';
import { type StepHooks, ThreadLost } from '../threads/step-thread.ts';
import { type Failure, toFailure } from '../workers/messages.ts';
import { WorkerLost } from '../workers/worker-thread.ts';
import type { Engine, WorkKind, WorkRef, WorkRow } from './engine.ts';

/** Context of a step. */
export interface WorkContext<Row> {
  /** The row when the step was taken. */
  readonly row: Row;
  /** Aborted when the work is no longer wanted, and together with `stop`. */
  readonly signal: AbortSignal;
  /** Aborted when the process stops, or the step went to another process. */
  readonly stop: AbortSignal;
  /** Episodes and bytes that are done but not committed. */
  readonly uncommitted: { episodes: number; bytes: number };
}

/**
 * Starts queued work and runs `step`, again while services are unavailable and once after a lost thread; any other error fails
 * the work. Does nothing if the work has ended or is stopping.
 * @throws whatever the step threw if this process stops or the queue has passed the work to another one
 */
export async function doWork<Ref extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<Ref, Row>,
  ref: Ref,
  { signal: stop }: Pick<QueuedJob, 'signal'>,
  step: (context: WorkContext<Row>) => Promise<void>,
): Promise<void> {
  const row = await startWork(engine, kind, ref, stop);
  if (row === null) return;
  const lease = engine.watch.lease(kind, ref);
  const signal = AbortSignal.any([lease.signal, stop]);
  const context = { row, signal, stop, uncommitted: lease.uncommitted };
  const patient = () =>
    retryWhileUnavailable(() => step(context), {
      patience_ms: engine.patience_ms,
      signal,
      onWait: (fault) => void recordWaiting(engine, kind, ref, fault === null ? null : toFailure(fault)),
    });
  try {
    await patient().catch((thrown) => {
      if (!(thrown instanceof ThreadLost) || signal.aborted) throw thrown;
      return patient();
    });
  } catch (thrown) {
    // Returned to the queue, or already taken by another process.
    if (stop.aborted) throw thrown;
    if (!signal.aborted && !isCancelled(thrown)) await failWork(engine, kind, ref, toWorkError(kind, thrown));
  } finally {
    lease.release();
  }
}

const isCancelled = (thrown: unknown): boolean => thrown instanceof AssayError && thrown.code === 'cancelled';

type WorkWording = Pick<WorkKind<never, never>, 'noun' | 'tryAgain'>;

/** Converts an error to the form that is stored with work: what users need, without internals. */
export function toWorkError({ noun, tryAgain }: WorkWording, thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  if (thrown instanceof WorkerLost) {
    return {
      code: 'unfinished',
      message: `a thread of the ${noun} ${thrown.message}`,
      path: null,
      advice: `${tryAgain}; if it fails again, process the recordings in smaller parts to find the cause`,
    };
  }
  return {
    code: 'internal',
    message: `internal error: ${messageOf(thrown)}`,
    path: null,
    advice: `${tryAgain}; if it fails again, report a bug with the service log`,
  };
}

/** Returns the error for work whose processes all crashed. */
export const crashError = ({ tryAgain }: WorkWording, reason: string): RunError => ({
  code: 'internal',
  message: `every process that worked on it crashed: ${reason}`,
  path: null,
  advice: `check the service log for the cause, then ${tryAgain}`,
});

/**
 * Runs `act` in a transaction that locks the work's row, and returns its result; null if the work is not running or stopping.
 * Retries while the database is unavailable, so `act` may run more than once.
 */
export function withRunningWork<R extends WorkRef, Row extends WorkRow, T>(
  engine: Pick<Engine, 'store' | 'patience_ms'>,
  kind: WorkKind<R, Row>,
  ref: R,
  act: (row: Row) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const { database } = engine.store;
  const begin = async (): Promise<T | null> => {
    const row = await kind.lock({ sql: database.sql, tenant_id: ref.tenant_id }, ref);
    const state = row === null ? 'over' : kind.stateOf(row, ref);
    return row !== null && (state === 'running' || state === 'stopping') ? act(row) : null;
  };
  return retryQuietly(engine, () => database.transaction(begin), signal);
}

/**
 * Marks queued work as running and returns its row, unchanged if it runs already; null if it has ended, is stopping or is
 * missing.
 */
export async function startWork<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  signal: AbortSignal,
): Promise<Row | null> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const current = await retryQuietly(engine, () => kind.read(scope, ref), signal);
  const state = current === null ? 'over' : kind.stateOf(current, ref);
  if (state !== 'queued') return state === 'running' ? current : null;
  const start = async (): Promise<Row | null> => {
    const row = await kind.lock(scope, ref);
    if (row === null) return null;
    const now = kind.stateOf(row, ref);
    if (now === 'queued') return kind.start(engine.store, row, new Date());
    return now === 'running' ? row : null;
  };
  return retryQuietly(engine, () => database.transaction(start), signal);
}

/** Logs the reason and fails locked work with it, as its kind does. */
export function failLockedWork<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  row: Row,
  error: RunError,
): Promise<void> {
  engine.log.warn({ ...ref, ...error }, `the ${kind.noun} failed`);
  return kind.fail(engine, ref, row, error);
}

/** Fails work with a reason and logs it; does nothing if the work has ended or is missing. */
export async function failWork<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  error: RunError,
): Promise<void> {
  const { database } = engine.store;
  const fail = async (): Promise<void> => {
    const row = await kind.lock({ sql: database.sql, tenant_id: ref.tenant_id }, ref);
    if (row === null || kind.stateOf(row, ref) === 'over') return;
    await failLockedWork(engine, kind, ref, row, error);
  };
  await retryQuietly(engine, () => database.transaction(fail));
}

/**
 * Stores and logs what running work waits for (null once it continues), unless that is recorded already; a failure to write is
 * only logged.
 */
export async function recordWaiting<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  failure: Failure | null,
): Promise<void> {
  const waiting = failure === null ? null : toWaiting(failure);
  try {
    const { sql } = engine.store.database;
    const row = await kind.read({ sql, tenant_id: ref.tenant_id }, ref);
    if (row === null || row.waiting?.message === waiting?.message) return;
    engine.log.warn({ ...ref, ...waiting }, `the ${kind.noun} ${waiting === null ? 'continues' : 'waits'}`);
    await withRunningWork(engine, kind, ref, (row) => kind.setWaiting(engine.store, row, waiting));
  } catch {
    engine.log.warn(
      { ...ref, ...waiting },
      `the ${kind.noun} waits, and the database is unavailable as well`,
    );
  }
}

const toWaiting = ({ code, message, path, advice }: Failure): RunError => ({ code, message, path, advice });

/**
 * Returns the callbacks of a thread that works on `ref`: they add to the uncommitted progress, record what is waited for, and
 * pass parts to `onPart`.
 * `onPart` commits a part and returns false if it is no longer wanted.
 */
export function createThreadHooks<Ref extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<Ref, Row>,
  ref: Ref,
  { signal, uncommitted }: Pick<WorkContext<Row>, 'signal' | 'uncommitted'>,
  onPart: (part: Part) => Promise<boolean> = async () => true,
): StepHooks {
  return {
    signal,
    onPart,
    onProgress: (episodes, bytes) => {
      uncommitted.episodes += episodes;
      uncommitted.bytes += bytes;
    },
    onWaiting: (failure) => void recordWaiting(engine, kind, ref, failure),
  };
}
