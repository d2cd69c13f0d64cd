import type { JsonObject, JsonValue } from '#core';
import type { Role } from '#core/api';
import type { Call } from '#service/operations';
import type { Store } from '#store';

/**
 * What a tool does to the world. `read` changes nothing; `write` changes what can be changed back; `destructive` ends,
 * removes or fixes something for good; `spend` costs money.
 */
export type ToolEffect = 'read' | 'write' | 'destructive' | 'spend';

/** What a person is asked before a flagged tool runs. */
export interface Confirmation {
  /** What would be done, to what, how much of it, and what it would cost: whole sentences. */
  readonly prompt: string;
  /** The same as values. */
  readonly facts: JsonObject;
}

/** Something that a model or an agent can ask the service to do: a use case with words and a schema. */
export interface Tool {
  readonly id: string;
  /** A few words, for people. */
  readonly title: string;
  /** For a model: what it does, what it answers, when to use another. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** Lowest role that may. */
  readonly role: Role;
  /** Whether a person must confirm each use: the tool can end or remove something, spend, or let somebody in. */
  readonly confirmed: boolean;
  /** JSON Schema of an object, without references. */
  readonly input_schema: JsonObject;
  /** The input as the contract's schemas read it, defaults filled in. Throws `invalid_request` with pointers. */
  readonly read: (input: unknown) => JsonObject;
  /** What a person is asked before this input is run. Throws as the use case would, where that can be foreseen. */
  readonly confirmation: ((store: Store, call: Call, input: unknown) => Promise<Confirmation>) | null;
  /** Does it, with the caller's role, tenant and audit. Throws `AssayError`. */
  readonly run: (store: Store, call: Call, input: unknown) => Promise<JsonValue>;
}
