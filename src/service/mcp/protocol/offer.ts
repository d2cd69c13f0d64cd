import { randomUUID } from 'node:crypto';
import { AssayError, type JsonObject, type JsonValue } from '#core';

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

const good_ms = 600_000;
const most = 100;

/** What a person may still say yes to in one session: each is good once, for ten minutes, for the arguments it was made for. */
export class Approvals {
  readonly #open = new Map<string, { readonly hash: string; readonly until_ms: number }>();

  /** The word by which a client says that its person agreed to arguments of this hash. */
  open(hash: string, now_ms: number): { readonly confirmation: string; readonly expires_at: string } {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= most && oldest !== undefined) this.#open.delete(oldest);
    const confirmation = randomUUID();
    const until_ms = now_ms + good_ms;
    this.#open.set(confirmation, { hash, until_ms });
    return { confirmation, expires_at: new Date(until_ms).toISOString() };
  }

  /** Uses one up. Throws `conflict` where it is of other arguments, was used, or is too old. */
  use(confirmation: string, hash: string, now_ms: number): void {
    const found = this.#open.get(confirmation);
    this.#open.delete(confirmation);
    if (found !== undefined && found.hash === hash && now_ms <= found.until_ms) return;
    throw new AssayError('conflict', 'the confirmation is of other arguments, was used, or is too old', {
      advice: 'call the tool without it, show the new prompt to the person, and send what comes with it',
    });
  }
}
