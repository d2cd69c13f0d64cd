import type { RunError } from '#store';
import { patiently } from '../patience.ts';
import type { Failure } from '../workers/failure.ts';
import type { Engine, WorkKind, WorkRef, WorkRow } from './engine.ts';

/**
 * Does something to work in one transaction that holds its row, while the work is still taken: null where it is not.
 * Waits for a database that does not answer; `act` may therefore be called more than once.
 */
export function withWork<R extends WorkRef, Row extends WorkRow, T>(
  engine: Pick<Engine, 'store' | 'patience_ms'>,
  kind: WorkKind<R, Row>,
  ref: R,
  act: (row: Row) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | null> {
  const { database } = engine.store;
  const held = async (): Promise<T | null> => {
    const row = await kind.lock({ sql: database.sql, tenant_id: ref.tenant_id }, ref);
    const state = row === null ? 'over' : kind.stateOf(row, ref);
    return row !== null && (state === 'running' || state === 'stopping') ? act(row) : null;
  };
  return patiently(engine, () => database.transaction(held), signal);
}

/** The work as it is, running; null where it is over or stopping. */
export async function beginWork<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  signal: AbortSignal,
): Promise<Row | null> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const known = await patiently(engine, () => kind.read(scope, ref), signal);
  const state = known === null ? 'over' : kind.stateOf(known, ref);
  if (state !== 'queued') return state === 'running' ? known : null;
  const start = async (): Promise<Row | null> => {
    const row = await kind.lock(scope, ref);
    if (row === null) return null;
    const now = kind.stateOf(row, ref);
    if (now === 'queued') return kind.start(engine.store, row, new Date());
    return now === 'running' ? row : null;
  };
  return patiently(engine, () => database.transaction(start), signal);
}

/** Ends work that is held with the reason. */
export function failHeld<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  row: Row,
  error: RunError,
): Promise<void> {
  engine.log.warn({ ...ref, ...error }, `the ${kind.noun} failed`);
  return kind.fail(engine, ref, row, error);
}

/** Ends work with the reason, whether it is queued or running. Does nothing where it is over. */
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
    await failHeld(engine, kind, ref, row, error);
  };
  await patiently(engine, () => database.transaction(fail));
}

/** Writes down what work waits for, or that it waits no more. Where that cannot be written, the end of the wait tells. */
export async function tellWaiting<R extends WorkRef, Row extends WorkRow>(
  engine: Engine,
  kind: WorkKind<R, Row>,
  ref: R,
  failure: Failure | null,
): Promise<void> {
  const waiting = failure === null ? null : waitOf(failure);
  try {
    const { sql } = engine.store.database;
    const row = await kind.read({ sql, tenant_id: ref.tenant_id }, ref);
    if (row === null || row.waiting?.message === waiting?.message) return;
    engine.log.warn({ ...ref, ...waiting }, `the ${kind.noun} ${waiting === null ? 'goes on' : 'waits'}`);
    await withWork(engine, kind, ref, (held) => kind.setWaiting(engine.store, held, waiting));
  } catch {
    engine.log.warn({ ...ref, ...waiting }, `the ${kind.noun} waits, and the database is away as well`);
  }
}

const waitOf = ({ code, message, path, advice }: Failure): RunError => ({ code, message, path, advice });
