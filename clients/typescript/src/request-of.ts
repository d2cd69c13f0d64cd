import { addressOf } from './address.ts';
import type { OperationId, Operations } from './generated/operations.ts';
import { rows } from './generated/rows.ts';

/** A request as people write it down: for advice, and for tools that send it themselves. */
export interface RequestText {
  readonly method: string;
  /** Path and query, below the service's address. */
  readonly path: string;
  /** JSON; null where nothing is sent. */
  readonly body: string | null;
}

/** How an operation is asked over HTTP. */
export function requestOf<Id extends OperationId>(id: Id, input: Operations[Id]['input']): RequestText {
  return { method: rows[id].method, ...addressOf(rows[id], { ...input }) };
}
