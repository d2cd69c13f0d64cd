import type { JsonObject } from '#core';
import type { TurnFacts } from '#core/api';
import { copilotConfirmationRows, copilotThreadRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, scopeOf } from '../call.ts';

/** A turn as it ended. */
export interface EndedTurn {
  readonly thread_id: string;
  readonly project_id: string | null;
  /** The message that it answers, and the answer. */
  readonly question: string;
  readonly answer: string;
  readonly message_hash: string;
  readonly autopilot: boolean;
  readonly facts: TurnFacts;
  readonly usage: {
    readonly model_calls: number;
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly cost_usd: number;
  };
  /** What waits for a person's yes. */
  readonly confirmations: readonly { readonly tool: string; readonly argument_hash: string }[];
}

const longestTitle = 80;

/** Keeps a turn in its thread, with what it asked to confirm, and notes it in the audit log: one row a turn. */
export async function saveTurn(store: Store, call: Call, turn: EndedTurn): Promise<void> {
  const scope = scopeOf(store, call);
  const now = new Date();
  await store.database.transaction(async () => {
    await appendToThread(store, call, turn, now);
    const asked = { owner_id: actorId(call), message_hash: turn.message_hash, asked_at: now };
    for (const confirmation of turn.confirmations)
      await copilotConfirmationRows.askConfirmation(scope, { ...asked, ...confirmation });
    const { project_id, autopilot, facts, usage } = turn;
    const detail: JsonObject = {
      project_id,
      autopilot,
      ...facts,
      usage,
      tools: facts.tools.map((tool) => ({ ...tool })),
    };
    await appendAudit(store, call, {
      action: 'copilot_chat',
      object_type: 'copilot_thread',
      object_id: turn.thread_id,
      before: null,
      after: { question: turn.question, answer: turn.answer },
      detail,
    });
  });
}

async function appendToThread(store: Store, call: Call, turn: EndedTurn, now: Date): Promise<void> {
  const scope = scopeOf(store, call);
  const { thread_id, project_id, question, answer, facts } = turn;
  const key = { owner_id: actorId(call), thread_id };
  const row = await copilotThreadRows.getThread(scope, key, 'update');
  const before = row?.messages ?? 0;
  const messages = before + 2;
  if (row === null) {
    const title = [...question.replace(/\s+/g, ' ')].slice(0, longestTitle).join('');
    const made = { id: thread_id, owner_id: key.owner_id, project_id, title, messages };
    await copilotThreadRows.insertThread(scope, { ...made, created_at: now, updated_at: now });
  } else await copilotThreadRows.updateThread(scope, key, { messages, updated_at: now });
  const said = { thread_id, created_at: now };
  await copilotThreadRows.insertMessages(scope, [
    { ...said, place: before, role: 'user', content: question, turn: null },
    { ...said, place: before + 1, role: 'assistant', content: answer, turn: facts },
  ]);
}
