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
import { auditTool } from './audit-tool.ts';
import type { Confirmation, Tool, ToolEffect } from './tool.ts';
import { errorWithoutMediaPaths, withoutMediaPaths, withoutPath } from './without-media-paths.ts';

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
