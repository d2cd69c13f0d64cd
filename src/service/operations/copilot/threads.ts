import { AssayError } from '#core';
import { type Thread, type ThreadSummary, turnFactsSchema } from '#core/api';
import type { copilotThreadRows } from '#store';

/** A thread as lists show it. */
export function threadSummaryOf(row: copilotThreadRows.ThreadRow): ThreadSummary {
  const { id, project_id, title, messages, created_at, updated_at } = row;
  return {
    ...{ id, project_id, title, messages },
    ...{ created_at: created_at.toISOString(), updated_at: updated_at.toISOString() },
  };
}

/** A thread with what was said. */
export function threadOf(
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

/** For an absent thread and somebody else's alike. */
export const noThread = (): AssayError =>
  new AssayError('not_found', 'you have no thread of this id', {
    advice: 'GET /v1/copilot/threads lists yours',
  });
