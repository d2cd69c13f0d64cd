import { AssayError, messageOf } from '#core';
import type { QueuedJob, RunError } from '#store';
import { withPatience } from '../patience.ts';
import { failureOf } from '../workers/failure.ts';
import { WorkerLost } from '../workers/worker-thread.ts';
import type { Engine, WorkKind, WorkRef, WorkRow } from './engine.ts';
import { beginWork, failWork, tellWaiting } from './held-work.ts';
import { ThreadLost } from './threads/work-thread.ts';

/** What a step is done with. */
export interface WorkContext<Row> {
  /** As it was when the step was taken. */
  readonly row: Row;
  /** Aborted when the work is not wanted any more, and as `stop`. */
  readonly signal: AbortSignal;
  /** Aborted when the process stops, or the step went to another process. */
  readonly stop: AbortSignal;
  /** Episodes and bytes that are done and not committed yet. */
  readonly underWay: { episodes: number; bytes: number };
}

/**
 * Does a step of some work while that wants it. What is away, such as a bucket that is read from, is waited for; where a
 * thread died, another tries once more; what else goes wrong ends the work with its reason.
 */
export async function doWork<Ref extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<Ref, Row>,
  ref: Ref,
  { signal: stop }: Pick<QueuedJob, 'signal'>,
  step: (context: WorkContext<Row>) => Promise<void>,
): Promise<void> {
  const row = await beginWork(engine, kind, ref, stop);
  if (row === null) return;
  const lease = engine.watch.lease(kind, ref);
  const signal = AbortSignal.any([lease.signal, stop]);
  const context = { row, signal, stop, underWay: lease.underWay };
  const patient = () =>
    withPatience(() => step(context), {
      patience_ms: engine.patience_ms,
      signal,
      onWait: (fault) => void tellWaiting(engine, kind, ref, fault === null ? null : failureOf(fault)),
    });
  try {
    await patient().catch((thrown) => {
      if (!(thrown instanceof ThreadLost) || signal.aborted) throw thrown;
      return patient();
    });
  } catch (thrown) {
    // Given back, or gone to another process already.
    if (stop.aborted) throw thrown;
    if (!signal.aborted && !isCancelled(thrown)) await failWork(engine, kind, ref, workError(kind, thrown));
  } finally {
    lease.release();
  }
}

const isCancelled = (thrown: unknown): boolean => thrown instanceof AssayError && thrown.code === 'cancelled';

type Named = Pick<WorkKind<never, never>, 'noun' | 'tryAgain'>;

/** What was thrown, as work keeps it: what a person needs, nothing of the program's inside. */
export function workError({ noun, tryAgain }: Named, thrown: unknown): RunError {
  if (thrown instanceof AssayError) {
    const { code, message, path, advice } = thrown;
    return { code, message, path, advice };
  }
  if (thrown instanceof WorkerLost) {
    return {
      code: 'unfinished',
      message: `a thread of the ${noun} ${thrown.message}`,
      path: null,
      advice: `${tryAgain}; where the same comes again, do parts alone to find what ends it`,
    };
  }
  return {
    code: 'internal',
    message: `a fault in the program: ${messageOf(thrown)}`,
    path: null,
    advice: `${tryAgain}; if it fails again, report it with the log of the service`,
  };
}

/** Every process that took it ended. */
export const diedError = ({ tryAgain }: Named, reason: string): RunError => ({
  code: 'internal',
  message: `each process that worked on it ended: ${reason}`,
  path: null,
  advice: `look into the log of the service for what ended it, then ${tryAgain}`,
});
