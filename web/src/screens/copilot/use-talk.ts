import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { AssayApiError, type ChatRequest, type CopilotChatEvent, type CopilotThread } from '#client';
import { client } from '../../api/client.ts';

type EventOf<Name extends CopilotChatEvent['event']> = Extract<CopilotChatEvent, { event: Name }>['data'];

/** Confirmation that the copilot asks for before an action. */
export type Question = EventOf<'confirmation'>;

/** Tool call and its result. */
export interface Used {
  readonly call_id: string;
  readonly tool: string;
  /** Null if no longer known. */
  readonly arguments: unknown;
  /** Null while it runs. */
  readonly status: 'ok' | 'error' | 'needs_confirmation' | null;
  readonly said: string | null;
}

/** Chat message; those of the copilot include its tool calls. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly tools: readonly Used[];
  readonly questions: readonly Question[];
  /** Reason why it ended without an answer. */
  readonly note: string | null;
}

const nothing = { tools: [], questions: [], note: null } as const;
const blank: Said = { role: 'assistant', content: '', ...nothing };

/**
 * Returns the messages of a chat with the copilot, with functions to send, approve and stop. Continues `opened` if
 * not null.
 */
export function useTalk(project_id: string, opened: CopilotThread | null) {
  const queries = useQueryClient();
  const [said, setSaid] = useState<readonly Said[]>(() => saidIn(opened));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const thread = useRef<string | undefined>(opened?.id);
  const stop = useRef<AbortController | null>(null);

  const turn = async (history: readonly Said[], approvals?: ChatRequest['approvals']) => {
    const end = new AbortController();
    stop.current = end;
    setBusy(true);
    setError(null);
    let own = blank;
    setSaid([...history, own]);
    const asked = {
      messages: history
        .map(({ role, content }) => ({ role, content }))
        .filter(({ content }) => content !== ''),
      project_id,
      ...(thread.current === undefined ? {} : { thread_id: thread.current }),
      ...(approvals === undefined ? {} : { autopilot: true, approvals }),
    };
    try {
      for await (const event of client.copilot.chat(asked, { signal: end.signal, tries: 1 })) {
        own = after(own, event);
        if (event.event === 'done') thread.current = event.data.thread_id;
        setSaid([...history, own]);
      }
    } catch (thrown) {
      if (!end.signal.aborted) setError(thrown);
      setSaid([...history, { ...own, note: own.note ?? 'Stopped.' }]);
    } finally {
      setBusy(false);
      // A tool may have changed anything.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    }
  };
  return {
    said,
    busy,
    error,
    say: (content: string) => turn([...said, { role: 'user', content, ...nothing }]),
    /** Sends the last message again with approval of only this action. */
    approve: ({ tool, argument_hash }: Question) =>
      turn(said.slice(0, said.findLastIndex(({ role }) => role === 'user') + 1), [{ tool, argument_hash }]),
    stop: () => stop.current?.abort(),
  };
}

const notes: Readonly<Partial<Record<EventOf<'done'>['stop_reason'], string>>> = {
  step_limit: 'Stopped at the limit of 8 tool rounds.',
  budget_exceeded: 'Stopped: the weekly budget cap is reached.',
  provider_error: 'The model provider failed.',
  cancelled: 'Stopped.',
};

/** Returns the messages of a stored chat. Tool calls are stored with results but without arguments. */
const saidIn = (thread: CopilotThread | null): readonly Said[] =>
  (thread?.messages ?? []).map(({ role, content, turn }) => ({
    ...{ role, content, questions: [] },
    tools: (turn?.tools ?? []).map(({ tool, status }, at) => ({
      ...{ call_id: `${tool} ${at}`, tool, arguments: null, said: null },
      status: status === 'ok' || status === 'needs_confirmation' ? status : 'error',
    })),
    note: turn === null ? null : (notes[turn.stop_reason] ?? null),
  }));

/** Says that media was removed from the messages before they were sent to the model. */
const withheldNote = (kinds: EventOf<'start'>['withheld']): string | null =>
  kinds.length === 0 ? null : 'Media files and encoded media in your messages were not sent to the model.';

/** Returns the message updated by one event. */
function after(own: Said, { event, data }: CopilotChatEvent): Said {
  switch (event) {
    case 'start':
      return { ...own, note: data.degraded ? data.reason : withheldNote(data.withheld) };
    case 'token':
      return { ...own, content: own.content + data.text };
    case 'tool_call':
      return { ...own, tools: [...own.tools, { ...data, status: null, said: null }] };
    case 'tool_result': {
      const { call_id, result } = data;
      const told = result.status === 'error' ? result.error.message : null;
      const tools = own.tools.map((each) =>
        each.call_id === call_id ? { ...each, status: result.status, said: told } : each,
      );
      return { ...own, tools };
    }
    case 'confirmation':
      return { ...own, questions: [...own.questions, data] };
    case 'error':
      throw new AssayApiError('unexpected_answer', data.message);
    case 'done':
      return { ...own, note: notes[data.stop_reason] ?? own.note };
    default:
      return own;
  }
}
