import { addressOf } from './address.ts';
import type { OperationId, Operations } from './generated/operations.ts';
import { rows } from './generated/rows.ts';

/** A request as text, for advice and for tools that send it themselves. */
export interface RequestText {
  readonly method: string;
  /** Path and query below the address of the service. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: string | null;
}

/** Returns the HTTP request of an operation without sending it. */
export function requestOf<Id extends OperationId>(id: Id, input: Operations[Id]['input']): RequestText {
  return { method: rows[id].method, ...addressOf(rows[id], { ...input }) };
}
