import { AssayError, idPattern, type JsonObject } from '#core';
import { type Thread, type ThreadSummary, type TurnFacts, turnFactsSchema } from '#core/api';
import { copilotConfirmationRows, copilotThreadRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';

/** Converts a thread row to its API summary. */
function threadSummaryOf(row: copilotThreadRows.ThreadRow): ThreadSummary {
  const { id, project_id, title, messages, created_at, updated_at } = row;
  return {
    ...{ id, project_id, title, messages },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  };
}

/** Converts a thread and its messages to the API view. */
function threadOf(
  row: copilotThreadRows.ThreadRow,
  messages: readonly copilotThreadRows.MessageRow[],
): Thread {
  return {
    ...threadSummaryOf(row),
    messages: messages.map(({ role, content, created_at, turn }) => ({
      ...{ role, content, at: created_at.toISOString() },
      turn: turnFactsSchema.safeParse(turn).data ?? null,
    })),
  };
}

/** Returns the error `not_found`, the same whether the thread is missing or belongs to somebody else. */
const noThread = (): AssayError =>
  new AssayError('not_found', 'chat not found', {
    advice: 'list your chats with GET /v1/copilot/threads',
  });

/** Page of threads. */
interface ThreadListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the caller's threads, newest first. */
export async function listThreads(
  store: Store,
  call: Call,
  { limit, cursor }: ThreadListQuery,
): Promise<Page<ThreadSummary>> {
  requireRole(call, 'viewer');
  const rows = await copilotThreadRows.listThreads(scopeOf(store, call), {
    owner_id: actorId(call),
    before: readCursor(cursor, idPattern('thr')),
    limit: limit + 1,
  });
  return pageOfRows(rows, limit, ({ id }) => id, threadSummaryOf);
}

/** Returns a thread of the caller with its messages. Throws `not_found`. */
export async function getThread(
  store: Store,
  call: Call,
  { thread_id }: { readonly thread_id: string },
): Promise<Thread> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await copilotThreadRows.getThread(scope, { owner_id: actorId(call), thread_id });
  if (row === null) throw noThread();
  return threadOf(row, await copilotThreadRows.listMessages(scope, thread_id));
}

/** Deletes a thread of the caller; its turns stay in the audit log. Throws `not_found`. */
export async function deleteThread(
  store: Store,
  call: Call,
  { thread_id }: { readonly thread_id: string },
): Promise<void> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const key = { owner_id: actorId(call), thread_id };
  await store.database.transaction(async () => {
    const row = await copilotThreadRows.getThread(scope, key, 'update');
    if (row === null) throw noThread();
    await copilotThreadRows.deleteThread(scope, key);
    await appendAudit(store, call, {
      action: 'delete_thread',
      object_type: 'copilot_thread',
      object_id: thread_id,
      before: { id: row.id, messages: row.messages },
      after: null,
    });
  });
}

/** A finished copilot turn. */
export interface FinishedTurn {
  readonly thread_id: string;
  readonly project_id: string | null;
  /** The user's message and the answer. */
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
  /** Tool calls that wait for approval. */
  readonly confirmations: readonly { readonly tool: string; readonly argument_hash: string }[];
}

const maxTitle_chars = 80;

/**
 * Appends a question and its answer to their thread, which is created if it does not exist, and stores the confirmations that
 * the turn asked for; audits all as one entry.
 */
export async function saveTurn(store: Store, call: Call, turn: FinishedTurn): Promise<void> {
  const scope = scopeOf(store, call);
  const now = new Date();
  await store.database.transaction(async () => {
    await appendToThread(store, call, turn, now);
    const confirmationKey = { owner_id: actorId(call), message_hash: turn.message_hash, asked_at: now };
    for (const confirmation of turn.confirmations)
      await copilotConfirmationRows.requestConfirmation(scope, { ...confirmationKey, ...confirmation });
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

async function appendToThread(store: Store, call: Call, turn: FinishedTurn, now: Date): Promise<void> {
  const scope = scopeOf(store, call);
  const { thread_id, project_id, question, answer, facts } = turn;
  const key = { owner_id: actorId(call), thread_id };
  const row = await copilotThreadRows.getThread(scope, key, 'update');
  const before = row?.messages ?? 0;
  const messages = before + 2;
  if (row === null) {
    const title = [...question.replace(/\s+/g, ' ')].slice(0, maxTitle_chars).join('');
    const threadRow = { id: thread_id, owner_id: key.owner_id, project_id, title, messages };
    await copilotThreadRows.insertThread(scope, { ...threadRow, created_at: now, updated_at: now });
  } else await copilotThreadRows.updateThread(scope, key, { messages, updated_at: now });
  const messageBase = { thread_id, created_at: now };
  await copilotThreadRows.insertMessages(scope, [
    { ...messageBase, place: before, role: 'user', content: question, turn: null },
    { ...messageBase, place: before + 1, role: 'assistant', content: answer, turn: facts },
  ]);
}
