import { AssayError, canonicalJson, type ErrorCode, type JsonObject, type JsonValue, sha256 } from '#core';
import {
  type InputParts,
  inputReader,
  inputSchema,
  type Operation,
  type Role,
  roleReaches,
  type ToolInput,
} from '#core/api';
import { type operationRows, operations } from '#core/api/operations';
import { appendAudit, type Call, requireRole, SerializedAnswer } from '#service/operations';
import type { Store } from '#store';
import { refusalOf } from '../boundary/assert-no-media.ts';
import { containsMediaPath, normalizeText } from '../boundary/media-path.ts';
import { maskWords } from '../boundary/withhold-media.ts';

type UseCase<Input, Answer> = (store: Store, call: Call, input: Input) => Promise<Answer>;

/** Definition of a tool. */
interface ToolDefinition<Parts extends InputParts> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** Operation that the tool performs; it determines the tool's role. */
  readonly operation: Operation;
  /** Input schemas: of the operation, or of some of its members. */
  readonly input: Parts;
  /** Function that performs the operation. */
  readonly run: UseCase<ToolInput<Parts>, unknown>;
  /** Describes the call for confirmation; present if a person must confirm the tool. */
  readonly confirmation?: UseCase<ToolInput<Parts>, Confirmation>;
}

/**
 * Creates a tool that checks role and input, runs the operation, removes media paths from its answer and audits its
 * use.
 */
export function defineTool<Parts extends InputParts>(definition: ToolDefinition<Parts>): Tool {
  const { id, title, description, effect, input, confirmation, run } = definition;
  const read = inputReader(input);
  const role = requiredRole(definition);
  return {
    ...{ id, title, description, effect, role },
    confirmed: confirmation !== undefined,
    input_schema: inputSchema(input),
    read: (given) => toJsonObject(read(given)),
    confirmation:
      confirmation === undefined
        ? null
        : async (store, call, given) => {
            requireRole(call, role);
            return withoutMediaPathsIn(
              await confirmation(store, call, read(given)).catch(rethrowWithoutMediaPaths),
            );
          },
    run: async (store, call, given) => {
      requireRole(call, role);
      const read_input = read(given);
      const act = { id, effect, input: toJsonObject(read_input) };
      try {
        const answer = withoutRefusedItems(withoutMediaPaths(plainJson(await run(store, call, read_input))));
        await auditTool(store, call, { ...act, outcome: 'done' });
        return answer;
      } catch (thrown) {
        if (thrown instanceof AssayError)
          await auditTool(store, call, { ...act, outcome: thrown.code }).catch(() => {});
        return rethrowWithoutMediaPaths(thrown);
      }
    },
  };
}

/** Returns the role of the operation, but at least reviewer for tools that write. */
function requiredRole({
  effect,
  operation: { role },
}: Pick<ToolDefinition<InputParts>, 'effect' | 'operation'>): Role {
  const minRole = effect === 'read' ? 'viewer' : 'reviewer';
  return role !== 'public' && roleReaches(role, minRole) ? role : minRole;
}

const withoutMediaPathsIn = ({ prompt, facts }: Confirmation): Confirmation => ({
  prompt: replaceMediaPaths(prompt),
  facts: toJsonObject(Object(withoutMediaPaths(facts))),
});

function rethrowWithoutMediaPaths(thrown: unknown): never {
  throw thrown instanceof AssayError ? errorWithoutMediaPaths(thrown) : thrown;
}

const toJsonObject = (input: object): JsonObject => JSON.parse(JSON.stringify(input));

/** Converts an answer to plain JSON; undefined gives null. */
function plainJson(answer: unknown): JsonValue {
  if (answer instanceof SerializedAnswer) return JSON.parse(answer.text);
  return answer === undefined ? null : JSON.parse(JSON.stringify(answer));
}

const mediaPlaceholder = '[media file]';
const hasMediaPath = (text: string): boolean => containsMediaPath(normalizeText(text));

/**
 * Returns an answer with paths of media files, which findings and sources regularly contain, replaced by a placeholder. Other
 * media is left for the boundary to refuse.
 */
export function withoutMediaPaths(value: JsonValue): JsonValue {
  if (typeof value === 'string') return replaceMediaPaths(value);
  if (Array.isArray(value)) return value.map(withoutMediaPaths);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [replaceMediaPaths(key), withoutMediaPaths(member)]),
  );
}

/** Returns an error whose texts contain no media paths. */
export function errorWithoutMediaPaths(error: AssayError): AssayError {
  const { code, message, advice, details } = error;
  return new AssayError(code, replaceMediaPaths(message), {
    ...(advice === null ? {} : { advice: replaceMediaPaths(advice) }),
    details: Object.fromEntries(
      Object.entries(details).map(([key, member]) => [replaceMediaPaths(key), withoutMediaPaths(member)]),
    ),
    cause: error,
  });
}

/** Replaces each media path in a text by a placeholder. */
const replaceMediaPaths = (text: string): string => maskWords(text, hasMediaPath, mediaPlaceholder);

/**
 * Returns a list without the items that the boundary refuses, such as a project whose name is a `data:` URI, and with their
 * ids and the reasons in `withheld_items`.
 */
function withoutRefusedItems(answer: JsonValue): JsonValue {
  if (!isList(answer)) return answer;
  const refusals = answer.items.map(refusalOf);
  if (refusals.every((refusal) => refusal === null)) return answer;
  const items = answer.items.filter((_, at) => refusals[at] === null);
  const withheld_items = answer.items.flatMap((item, at) => {
    const reason = refusals[at];
    return reason === null ? [] : [{ id: idOf(item), reason }];
  });
  return { ...answer, items, withheld_items };
}

const isList = (answer: JsonValue): answer is { readonly items: readonly JsonValue[] } =>
  typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items);

/** Returns the id of an object; null if it has none of the usual form. */
function idOf(item: JsonValue): string | null {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : null;
  return typeof id === 'string' && /^[a-z]{2,4}_[0-9a-z]{26}$/.test(id) ? id : null;
}

interface ToolUse {
  readonly id: string;
  readonly effect: ToolEffect;
  readonly input: JsonValue;
  readonly outcome: 'done' | ErrorCode;
}

/** Audits the use of a tool. The operation that it calls audits its changes under the same request id. */
function auditTool(store: Store, call: Call, { id, effect, input, outcome }: ToolUse): Promise<void> {
  return appendAudit(store, call, {
    action: 'use_tool',
    object_type: 'tool',
    object_id: id,
    before: null,
    after: null,
    detail: { effect, outcome, arguments_hash: argumentHash(id, input) },
  });
}

/** Returns the hash of a tool's arguments with defaults filled in, to which an approval is bound. */
export function argumentHash(tool_id: string, input: JsonValue): string {
  return sha256(canonicalJson({ tool: tool_id, input }));
}

type Row = (typeof operationRows)[number];

/** Returns an operation of the API with its exact types. Throws `internal` for an unknown id. */
export function operationOf<Id extends Row['id']>(id: Id): Extract<Row, { readonly id: Id }> {
  for (const row of operations) if (isRow(row, id)) return row;
  throw new AssayError('internal', `unknown operation ${id}`);
}

const isRow = <Id extends string>(
  row: { readonly id: string },
  id: Id,
): row is Extract<Row, { readonly id: Id }> => row.id === id;

/**
 * Effect of a tool: `read` changes nothing; `write` is reversible; `destructive` ends, removes or seals something
 * permanently; `spend` costs money.
 */
export type ToolEffect = 'read' | 'write' | 'destructive' | 'spend';

/** Question that a person must answer before a tool runs. */
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
