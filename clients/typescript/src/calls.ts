import type { OperationId, Operations } from './generated/operations.ts';
import type { CallOptions, StreamOptions } from './options.ts';

/** What is known of an operation at run time. */
export interface Row {
  readonly method: string;
  /** With `{name}` where a member of the input goes. */
  readonly path: string;
  readonly kind: 'json' | 'events' | 'bytes' | 'nothing';
  /** Members that are not in the address are sent as JSON; else they are the query. */
  readonly body?: true;
  /** Takes an `Idempotency-Key`. */
  readonly keyed?: true;
  /** Members of the path that the body has as well. */
  readonly repeated?: readonly string[];
}

/** How operations are asked, whatever they are about. */
export interface Calls {
  call<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Operations[Id]['answer']>;
  follow<Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options?: StreamOptions,
  ): AsyncGenerator<Operations[Id]['answer']>;
}
