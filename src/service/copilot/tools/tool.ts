import type { JsonObject, JsonValue } from '#core';
import type { Role } from '#core/api';
import type { Call } from '#service/operations';
import type { Store } from '#store';

/**
 * Effect of a tool: `read` changes nothing; `write` is reversible; `destructive` ends, removes or seals something
 * permanently; `spend` costs money.
 */
export type ToolEffect = 'read' | 'write' | 'destructive' | 'spend';

/** What a person is asked before a tool runs. */
export interface Confirmation {
  /** Whole sentences on what would be done, to what, how much of it, and its cost. */
  readonly prompt: string;
  /** The same facts as values. */
  readonly facts: JsonObject;
}

/** A tool for models and agents: an operation with a description and a schema. */
export interface Tool {
  readonly id: string;
  /** Short title for people. */
  readonly title: string;
  /** Description for the model: what it does, what it answers, and when to use another tool. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** Minimum role. */
  readonly role: Role;
  /**
   * Whether a person must confirm each use, because the tool can end or remove something, spend, or admit somebody.
   */
  readonly confirmed: boolean;
  /** JSON Schema of the input object, without references. */
  readonly input_schema: JsonObject;
  /** Parses the input by the API schemas with defaults filled in. Throws `invalid_request` with pointers. */
  readonly read: (input: unknown) => JsonObject;
  /**
   * Returns the confirmation for an input; null for tools without one. Throws as the operation would, as far as that
   * is foreseeable.
   */
  readonly confirmation: ((store: Store, call: Call, input: unknown) => Promise<Confirmation>) | null;
  /** Runs the tool with the caller's role, tenant and audit. Throws `AssayError`. */
  readonly run: (store: Store, call: Call, input: unknown) => Promise<JsonValue>;
}
