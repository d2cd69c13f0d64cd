import type { AssayClient, CopilotChatEvent, CopilotChatInput } from '@assay/client';

type Confirmation = Extract<CopilotChatEvent, { event: 'confirmation' }>['data'];

/** A turn of the copilot as it ended. */
export interface Turn {
  readonly text: string;
  readonly confirmations: readonly Confirmation[];
  /** Code of what went wrong; null: nothing. */
  readonly error: string | null;
  readonly stop_reason: string;
  /** Null: it was left before it ended. */
  readonly thread_id: string | null;
}

/** Asks once, shows events as they come. A stream that is cut is not asked for again: its turn may have done things. */
export async function takeTurn(
  client: AssayClient,
  asked: CopilotChatInput,
  signal: AbortSignal,
  show: (event: CopilotChatEvent) => Promise<void>,
): Promise<Turn> {
  let text = '';
  const confirmations: Confirmation[] = [];
  let ended: Omit<Turn, 'text' | 'confirmations'> = {
    error: null,
    stop_reason: 'cancelled',
    thread_id: null,
  };
  try {
    for await (const event of client.copilot.copilotChat(asked, { signal, tries: 1 })) {
      await show(event);
      if (event.event === 'token') text += event.data.text;
      if (event.event === 'confirmation') confirmations.push(event.data);
      if (event.event === 'error') ended = { ...ended, error: event.data.code };
      if (event.event === 'done') ended = { ...ended, ...event.data };
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
  return { ...ended, text, confirmations };
}
