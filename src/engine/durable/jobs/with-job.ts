import type { JobRow, JobWork } from '#store';
import type { Engine } from '../engine.ts';
import { withWork } from '../held-work.ts';
import { jobKind } from './job-kind.ts';
import { type JobRef, workOf } from './job-ref.ts';

/** Does something to a job that is held, while its work is still taken: null where it is not. */
export const withJob = <T>(
  engine: Engine,
  ref: JobRef,
  act: (job: JobRow, rows: JobWork) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> => withWork(engine, jobKind, ref, (job) => act(job, workOf(engine.store, ref)), signal);
