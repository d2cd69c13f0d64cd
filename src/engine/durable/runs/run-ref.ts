import type { JsonObject } from '#core';
import type { RunRow, RunWork, Store } from '#store';

/** Which run, and which attempt at it. */
export interface RunRef {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly attempt: number;
}

export const runKey = ({ run_id, attempt }: RunRef): string => `${run_id}:${attempt}`;

export const refOfRun = ({ tenant_id, id, attempt }: Pick<RunRow, 'tenant_id' | 'id' | 'attempt'>) => ({
  ...{ tenant_id, run_id: id, attempt },
});

/** The run that queued work is of; null for the attempt: whichever is the newest. */
export const queuedRun = ({ tenant_id, run_id, attempt }: JsonObject) => ({
  tenant_id: String(tenant_id),
  run_id: String(run_id),
  attempt: attempt === undefined ? null : Number(attempt),
});

/** The run's rows, for repositories. */
export const workOf = (
  { database }: Pick<Store, 'database'>,
  { tenant_id, run_id }: Pick<RunRef, 'tenant_id' | 'run_id'>,
): RunWork => ({ database, tenant_id, run_id });
