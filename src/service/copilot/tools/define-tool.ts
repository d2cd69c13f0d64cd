import { AssayError, type JsonObject, type JsonValue } from '#core';
import {
  type InputParts,
  inputReader,
  inputSchema,
  type Operation,
  type Role,
  roleReaches,
  type ToolInput,
} from '#core/api';
import { type Call, requireRole, Written } from '#service/operations';
import type { Store } from '#store';
import { namesMediaFile } from '../boundary/media-path.ts';
import { plainText } from '../boundary/plain-text.ts';
import { auditTool } from './audit-tool.ts';
import type { Confirmation, Tool, ToolEffect } from './tool.ts';

type UseCase<Input, Answer> = (store: Store, call: Call, input: Input) => Promise<Answer>;

/** A tool as its file says it. */
export interface ToolDefinition<Parts extends InputParts> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** The operation that it does what of; its role is the tool's. */
  readonly operation: Operation;
  /** The operation itself, or some of its members. */
  readonly input: Parts;
  /** The use case that the operation's handler calls. */
  readonly run: UseCase<ToolInput<Parts>, unknown>;
  /** Given by tools that a person must confirm. */
  readonly confirmation?: UseCase<ToolInput<Parts>, Confirmation>;
}

/** Makes a tool of an operation and its use case. */
export function defineTool<Parts extends InputParts>(definition: ToolDefinition<Parts>): Tool {
  const { id, title, description, effect, input, confirmation, run } = definition;
  const read = inputReader(input);
  const role = roleOf(definition);
  return {
    ...{ id, title, description, effect, role },
    confirmed: confirmation !== undefined,
    input_schema: inputSchema(input),
    read: (given) => plainInput(read(given)),
    confirmation:
      confirmation === undefined
        ? null
        : async (store, call, given) => {
            requireRole(call, role);
            return asked(await confirmation(store, call, read(given)).catch(refuse));
          },
    run: async (store, call, given) => {
      requireRole(call, role);
      const read_input = read(given);
      const act = { id, effect, input: plainInput(read_input) };
      try {
        const answer = withoutMediaPaths(plainJson(await run(store, call, read_input)));
        await auditTool(store, call, { ...act, outcome: 'done' });
        return answer;
      } catch (thrown) {
        if (thrown instanceof AssayError)
          await auditTool(store, call, { ...act, outcome: thrown.code }).catch(() => {});
        return refuse(thrown);
      }
    },
  };
}

/** The operation's; but a viewer's product is read-only, so nothing that writes is a viewer's. */
function roleOf({
  effect,
  operation: { role },
}: Pick<ToolDefinition<InputParts>, 'effect' | 'operation'>): Role {
  const least = effect === 'read' ? 'viewer' : 'reviewer';
  return role !== 'public' && roleReaches(role, least) ? role : least;
}

const asked = ({ prompt, facts }: Confirmation): Confirmation => ({
  prompt: withoutPath(prompt),
  facts: plainInput(Object(withoutMediaPaths(facts))),
});

function refuse(thrown: unknown): never {
  throw thrown instanceof AssayError ? errorWithoutMediaPaths(thrown) : thrown;
}

const plainInput = (input: object): JsonObject => JSON.parse(JSON.stringify(input));

/** An answer as JSON would carry it. */
function plainJson(answer: unknown): JsonValue {
  if (answer instanceof Written) return JSON.parse(answer.text);
  return answer === undefined ? null : JSON.parse(JSON.stringify(answer));
}

const instead = '[media file]';
const names = (text: string): boolean => namesMediaFile(plainText(text));

/**
 * The same answer without paths of media files, which findings and sources name in their usual work. What else the
 * boundary refuses stays, to be refused there.
 */
export function withoutMediaPaths(value: JsonValue): JsonValue {
  if (typeof value === 'string') return withoutPath(value);
  if (Array.isArray(value)) return value.map(withoutMediaPaths);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [withoutPath(key), withoutMediaPaths(member)]),
  );
}

/** The same refusal, as a model may read it. */
export function errorWithoutMediaPaths(error: AssayError): AssayError {
  const { code, message, advice, details } = error;
  return new AssayError(code, withoutPath(message), {
    ...(advice === null ? {} : { advice: withoutPath(advice) }),
    details: Object.fromEntries(
      Object.entries(details).map(([key, member]) => [withoutPath(key), withoutMediaPaths(member)]),
    ),
    cause: error,
  });
}

/** The same text, with a word in place of each path. */
function withoutPath(text: string): string {
  if (text.length < 4 || !names(text)) return text;
  const kept = text
    .split(/(\s+)/)
    .map((word) => (names(word) ? instead : word))
    .join('');
  return names(kept) ? instead : kept;
}
