import type { JsonObject, JsonValue } from '#core';
import type { Approvals } from './approvals.ts';

/** Who asks, in one request. */
export interface Caller<Who> {
  readonly who: Who;
  /** Aborted when the client cancels the request or goes. */
  readonly signal: AbortSignal;
  /** Asks the person at the client; null where the client cannot. */
  readonly askPerson: ((prompt: string) => Promise<boolean>) | null;
  readonly approvals: Approvals;
}

/** A tool as the protocol lists and calls it. */
export interface OfferedTool<Who> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly reads: boolean;
  /** Whether it can end, remove, fix or spend something: clients ask their person before such tools. */
  readonly confirmed: boolean;
  /** Throws `AssayError`, which the model is told. */
  readonly call: (input: JsonObject, caller: Caller<Who>) => Promise<JsonValue>;
}

/** A document that a client may read. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly media_type: string;
}

/** A kind of resource, by a template of its address (RFC 6570). */
export interface ResourceKind<Who> {
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly media_type: string;
  /** The text; null for an address of another kind. */
  readonly read: (uri: string, caller: Caller<Who>) => Promise<string | null>;
}

/** A question to begin with, as a person picks it from a list. */
export interface OfferedPrompt<Who> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** All must be given. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  /** What is put to the assistant. Throws `AssayError`. */
  readonly text: (given: Readonly<Record<string, string>>, caller: Caller<Who>) => Promise<string>;
}

/** What a server has for whoever asks. */
export interface Offer<Who> {
  readonly instructions: string;
  /** Those that `who` may use. */
  readonly tools: (who: Who) => readonly OfferedTool<Who>[];
  /** Also those that `who` may not use: they say so themselves. */
  readonly find: (id: string) => OfferedTool<Who> | undefined;
  readonly kinds: readonly ResourceKind<Who>[];
  readonly prompts: readonly OfferedPrompt<Who>[];
  /** Values of an argument that begin as typed. */
  readonly complete: (name: string, typed: string, caller: Caller<Who>) => Promise<readonly string[]>;
  readonly listResources: (caller: Caller<Who>) => Promise<readonly ListedResource[]>;
}
