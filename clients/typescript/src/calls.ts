import type { OperationId, Operations } from './generated/operations.ts';
import type { CallOptions, StreamOptions } from './options.ts';

/** Method, path and kinds of input and answer of an operation. */
export interface Row {
  readonly method: string;
  /** Path with `{name}` for members of the input. */
  readonly path: string;
  readonly kind: 'json' | 'events' | 'bytes' | 'nothing';
  /** True if members that are not in the path are sent as JSON; otherwise they are the query. */
  readonly body?: true;
  /** True if the operation takes an `Idempotency-Key`. */
  readonly keyed?: true;
  /** Members that are sent in both path and body. */
  readonly repeated?: readonly string[];
}

/** Functions that call any operation by its id. */
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
