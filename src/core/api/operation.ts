import type { z } from 'zod';
import type { ErrorCode, JsonObject } from '#core';
import type { Role } from './roles.ts';

type ObjectSchema = z.ZodObject<z.ZodRawShape>;

/** Status and content of a successful answer. */
export type Success =
  | {
      readonly status: 200 | 201 | 202;
      readonly schema: z.ZodType;
      /** Status if the object exists already. */
      readonly found?: 200;
      /**
       * Path of the answered object, sent as `Location`. Its last parameter is `located_by` of the answer, the others are
       * those of the request.
       */
      readonly location?: `/${string}`;
      /** Member of the answer that fills the last parameter of `location`, and members that lead to it; `id` if absent. */
      readonly located_by?: readonly string[];
    }
  | { readonly status: 204 }
  /** Bytes of another type: a picture, a receipt as it was sealed, an HTML page, a stream of events. */
  | { readonly status: 200; readonly content_type: string; readonly schema?: z.ZodType };

/**
 * Definition of one operation of the HTTP API: address, role, schemas and errors. Routes, OpenAPI, clients and tests are
 * derived from it.
 */
export interface Operation {
  /** `verb_noun`; OpenAPI's operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` for parameters; a last `{name*}` matches the rest. Each is described in `params`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Lowest role that may call it; `public` needs no token. */
  readonly role: Role | 'public';
  /** True if only the tenant created at the first start may call it, whose admins run the installation. */
  readonly operator?: true;
  /** True if objects are visible only to the user who created them. */
  readonly personal?: true;
  readonly params?: ObjectSchema;
  readonly query?: ObjectSchema;
  /** JSON body. */
  readonly body?: z.ZodType;
  /** Example of a whole body. */
  readonly example?: JsonObject;
  readonly success: Success;
  /** Error codes specific to it; codes common to all operations of its kind are added when OpenAPI is generated. */
  readonly errors?: readonly ErrorCode[];
  /** True if it honours `Idempotency-Key`: a POST that creates something or spends money. Event streams are replayed. */
  readonly idempotent?: true;
  /** True if answers carry an `ETag` and `If-None-Match` may be answered with 304. */
  readonly conditional?: true;
  /** True if `Range` is supported, so that an interrupted download can be resumed. */
  readonly ranges?: true;
  /** True if it is exempt from rate limits, because machines poll it every few seconds. */
  readonly unmetered?: true;
  /**
   * True if it waits for work done elsewhere. The wait ends when the service stops, but not when the client
   * disconnects.
   */
  readonly waits?: true;
}

/** Returns the row unchanged and keeps its literal types. */
export const defineOperation = <const Row extends Operation>(row: Row): Row => row;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>;

/** Parsed input of an operation's handler. */
export interface OperationInput<Row extends Operation> {
  readonly params: Parsed<Row['params']>;
  readonly query: Parsed<Row['query']>;
  readonly body: Row extends { readonly body: infer Schema } ? Parsed<Schema> : undefined;
}

/** Result of an operation, before it is serialised to JSON. */
export type OperationOutput<Row extends Operation> = Row['success'] extends { readonly content_type: string }
  ? never
  : Row['success'] extends { readonly schema: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : undefined;
