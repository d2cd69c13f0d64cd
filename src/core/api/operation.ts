import type { z } from 'zod';
import type { ErrorCode } from '#core';
import type { Role } from './roles.ts';

type ObjectSchema = z.ZodObject<z.ZodRawShape>;

/** What leaves with a successful answer. */
export type Success =
  | {
      readonly status: 200 | 201 | 202;
      readonly schema: z.ZodType;
      /** Also answered with this, where what was asked for is there already. */
      readonly found?: 200;
    }
  | { readonly status: 204 }
  /** Bytes of another type: a picture, a receipt as it was sealed, an HTML page, a stream of events. */
  | { readonly status: 200; readonly content_type: string; readonly schema?: z.ZodType };

/**
 * One operation of the HTTP interface: the only place that says its address, role, shapes and errors. Routes, OpenAPI,
 * clients and tests derive from it.
 */
export interface Operation {
  /** `verb_noun`; OpenAPI's operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` for parameters, a last `{name*}` for all that follows, each described in `params`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Lowest role that may; `public` needs no token. */
  readonly role: Role | 'public';
  /** Only for the tenant that the first start made, whose admins run the installation. */
  readonly operator?: true;
  /** Of what belongs to whoever made it: nobody else of the tenant finds it. */
  readonly personal?: true;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** JSON body. */
  readonly body?: z.ZodType;
  readonly success: Success;
  /** Codes of its own; those that any operation of its kind can answer with are added by the emitter. */
  readonly errors?: readonly ErrorCode[];
  /** A POST that creates or spends honours `Idempotency-Key`. */
  readonly idempotent?: true;
  /** Answers carry an `ETag`, and `If-None-Match` may be answered with 304. */
  readonly conditional?: true;
  /** Parts of the bytes can be asked for with `Range`, so that a transfer that was cut goes on where it stopped. */
  readonly ranges?: true;
  /** Not counted against rate limits: what machines ask every few seconds. */
  readonly unmetered?: true;
  /** Waits for work that others do: a stop of the service ends the wait, a client that goes does not. */
  readonly waits?: true;
}

/** Keeps the literal types of a row. */
export const defineOperation = <const Row extends Operation>(row: Row): Row => row;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>;

/** What a handler is given: everything parsed. */
export interface OperationInput<Row extends Operation> {
  readonly params: Parsed<Row['params']>;
  readonly query: Parsed<Row['query']>;
  readonly body: Row extends { readonly body: infer Schema } ? Parsed<Schema> : undefined;
}

/** What a JSON operation answers with, before serialisation. */
export type OperationOutput<Row extends Operation> = Row['success'] extends { readonly content_type: string }
  ? never
  : Row['success'] extends { readonly schema: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : undefined;
