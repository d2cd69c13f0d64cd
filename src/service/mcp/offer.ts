import { randomUUID } from 'node:crypto';
import { AssayError, type JsonObject, type JsonValue } from '#core';

/** The caller of one request. */
export interface Caller<Who> {
  readonly who: Who;
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  /** Asks the person at the client for agreement; null if the client cannot ask. */
  readonly askPerson: ((prompt: string) => Promise<boolean>) | null;
  readonly approvals: Approvals;
}

/** A tool as MCP lists and calls it. */
export interface OfferedTool<Who> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: JsonObject;
  readonly reads: boolean;
  /** Whether a person must confirm each call, because it can end, remove, seal or spend something. */
  readonly confirmed: boolean;
  /** Runs the tool. Throws `AssayError`, which is reported to the model. */
  readonly call: (input: JsonObject, caller: Caller<Who>) => Promise<JsonValue>;
}

/** A resource in the client's list. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly media_type: string;
}

/** A kind of resource with its URI template (RFC 6570). */
export interface ResourceKind<Who> {
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly media_type: string;
  /** Reads the resource; null if the URI is of another kind. */
  readonly read: (uri: string, caller: Caller<Who>) => Promise<string | null>;
}

/** A prompt that a person picks from a list. */
export interface OfferedPrompt<Who> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Parameters; all are required. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  /** Returns the prompt text. Throws `AssayError`. */
  readonly text: (given: Readonly<Record<string, string>>, caller: Caller<Who>) => Promise<string>;
}

/** Instructions and tools that an MCP server offers its callers. */
export interface Offer<Who> {
  readonly instructions: string;
  /** Tools that `who` may use. */
  readonly tools: (who: Who) => readonly OfferedTool<Who>[];
  /** Finds a tool by id, including tools that `who` may not use; those refuse when they are called. */
  readonly find: (id: string) => OfferedTool<Who> | undefined;
  readonly kinds: readonly ResourceKind<Who>[];
  readonly prompts: readonly OfferedPrompt<Who>[];
  /** Completes the value of an argument. */
  readonly complete: (name: string, typed: string, caller: Caller<Who>) => Promise<readonly string[]>;
  readonly listResources: (caller: Caller<Who>) => Promise<readonly ListedResource[]>;
}

const approvalLifetime_ms = 600_000;
const maxOpenApprovals = 100;

/**
 * Open confirmations of a session. Each is valid once, for ten minutes, for the arguments that it was created for.
 */
export class Approvals {
  readonly #open = new Map<string, { readonly hash: string; readonly until_ms: number }>();

  /** Creates a confirmation for the arguments with this hash; the oldest is dropped if there are too many. */
  open(hash: string, now_ms: number): { readonly confirmation: string; readonly expires_at: string } {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= maxOpenApprovals && oldest !== undefined) this.#open.delete(oldest);
    const confirmation = randomUUID();
    const until_ms = now_ms + approvalLifetime_ms;
    this.#open.set(confirmation, { hash, until_ms });
    return { confirmation, expires_at: new Date(until_ms).toISOString() };
  }

  /** Uses a confirmation up. Throws `conflict` if it is of other arguments, used or expired. */
  use(confirmation: string, hash: string, now_ms: number): void {
    const found = this.#open.get(confirmation);
    this.#open.delete(confirmation);
    if (found !== undefined && found.hash === hash && now_ms <= found.until_ms) return;
    throw new AssayError(
      'conflict',
      'the confirmation is for different arguments, was already used, or has expired',
      {
        advice:
          'call the tool without `confirmation`, show the new prompt to the person, and send the new confirmation if they agree',
      },
    );
  }
}
