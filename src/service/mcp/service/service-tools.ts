import { AssayError, type JsonObject, type JsonValue } from '#core';
import { argumentHash, assertNoMedia, type Tool, toolsFor } from '#service/copilot';
import type { Call } from '#service/operations';
import type { Store } from '#store';
import type { Caller, OfferedTool } from '../protocol/offer.ts';

/** A tool of the copilot's registry, behind its boundary; one that a person confirms takes the confirmation beside its arguments. */
export function offeredTool(store: Store, tool: Tool): OfferedTool<Call> {
  const { id, title, description, effect, confirmed, input_schema } = tool;
  return {
    ...{ id, title, description, confirmed },
    reads: effect === 'read',
    input_schema: confirmed ? withConfirmation(input_schema) : input_schema,
    call: async (input, caller) => {
      const answer = confirmed
        ? await callConfirmed(store, tool, input, caller)
        : await tool.run(store, caller.who, input);
      assertNoMedia(answer);
      return answer;
    },
  };
}

export const offeredTools = (store: Store, { actor }: Call): readonly OfferedTool<Call>[] =>
  toolsFor(actor.role).map((tool) => offeredTool(store, tool));

async function callConfirmed(
  store: Store,
  tool: Tool,
  { confirmation: given, ...input }: JsonObject,
  { who, askPerson, approvals }: Caller<Call>,
): Promise<JsonValue> {
  // Who may not do it is told so, before anybody is asked.
  const asked = await tool.confirmation?.(store, who, input);
  if (asked === undefined) throw new AssayError('internal', `${tool.id} has nothing to ask a person`);
  const hash = argumentHash(tool.id, tool.read(input));
  if (typeof given === 'string') {
    approvals.use(given, hash, Date.now());
    return tool.run(store, who, input);
  }
  if (askPerson === null) return envelope(tool, input, asked, approvals.open(hash, Date.now()));
  if (await askPerson(asked.prompt)) return tool.run(store, who, input);
  return { status: 'declined', tool: tool.id, prompt: asked.prompt };
}

function envelope(
  { id }: Tool,
  input: JsonObject,
  { prompt, facts }: { readonly prompt: string; readonly facts: JsonObject },
  { confirmation, expires_at }: { readonly confirmation: string; readonly expires_at: string },
): JsonObject {
  return {
    status: 'confirmation_required',
    ...{ tool: id, arguments: input, prompt, facts, confirmation, expires_at },
    how: `Nothing has been done. Show the prompt to the person. Only if they agree, call ${id} again with the same arguments and this confirmation.`,
  };
}

function withConfirmation(schema: JsonObject): JsonObject {
  const properties = typeof schema.properties === 'object' ? schema.properties : {};
  return {
    ...schema,
    properties: {
      ...properties,
      confirmation: {
        type: 'string',
        description:
          'leave out at first; where the answer asks for a confirmation and the person agrees, what it gave',
      },
    },
  };
}
