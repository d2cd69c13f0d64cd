import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { AssayApiError, type ChatRequest, type CopilotChatEvent, type CopilotThread } from '#client';
import { client } from '../../api/client.ts';

type EventOf<Name extends CopilotChatEvent['event']> = Extract<CopilotChatEvent, { event: Name }>['data'];

/** Confirmation that the copilot asks for before an action. */
export type Question = EventOf<'confirmation'>;

/** Tool call and its result. */
export interface ToolCall {
  readonly call_id: string;
  readonly tool: string;
  /** Null if no longer known. */
  readonly arguments: unknown;
  /** Null while it runs. */
  readonly status: 'ok' | 'error' | 'needs_confirmation' | null;
  /** Message of the error; null without one. */
  readonly error: string | null;
}

/** Chat message; those of the copilot include its tool calls. */
export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly tools: readonly ToolCall[];
  readonly questions: readonly Question[];
  /** Reason why it ended without an answer. */
  readonly note: string | null;
}

/** Object on the screen that a question is about. */
export type ChatSubject = NonNullable<ChatRequest['context']>;

const nothing = { tools: [], questions: [], note: null } as const;
const blank: ChatMessage = { role: 'assistant', content: '', ...nothing };

/**
 * Returns the messages of a chat with the copilot, with functions to send, approve and stop. Continues `opened` if
 * not null.
 */
export function useChat(project_id: string, opened: CopilotThread | null) {
  const queries = useQueryClient();
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() => messagesIn(opened));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const thread = useRef<string | undefined>(opened?.id);
  const stop = useRef<AbortController | null>(null);
  /** Object that the last message is about. */
  const subject = useRef<ChatSubject | undefined>(undefined);
  // Without the chat on the screen, nobody could stop an answer that costs.
  useEffect(() => () => stop.current?.abort(), []);

  const turn = async (history: readonly ChatMessage[], approvals?: ChatRequest['approvals']) => {
    const end = new AbortController();
    stop.current = end;
    setBusy(true);
    setError(null);
    let own = blank;
    setMessages([...history, own]);
    const request = {
      messages: history
        .map(({ role, content }) => ({ role, content }))
        .filter(({ content }) => content !== ''),
      project_id,
      ...(subject.current === undefined ? {} : { context: subject.current }),
      ...(thread.current === undefined ? {} : { thread_id: thread.current }),
      ...(approvals === undefined ? {} : { autopilot: true, approvals }),
    };
    try {
      for await (const event of client.copilot.chat(request, { signal: end.signal, tries: 1 })) {
        own = after(own, event);
        if (event.event === 'done') thread.current = event.data.thread_id;
        setMessages([...history, own]);
      }
    } catch (thrown) {
      if (!end.signal.aborted) setError(thrown);
      setMessages([...history, { ...own, note: own.note ?? 'Stopped.' }]);
    } finally {
      setBusy(false);
      // A tool may have changed anything.
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    }
  };
  return {
    messages,
    busy,
    error,
    send: (content: string, about: ChatSubject | undefined) => {
      subject.current = about;
      return turn([...messages, { role: 'user', content, ...nothing }]);
    },
    /** Sends the last message again, about the same object, with approval of only this action. */
    approve: ({ tool, argument_hash }: Question) =>
      turn(messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1), [
        { tool, argument_hash },
      ]),
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
const messagesIn = (thread: CopilotThread | null): readonly ChatMessage[] =>
  (thread?.messages ?? []).map(({ role, content, turn }) => ({
    ...{ role, content, questions: [] },
    tools: (turn?.tools ?? []).map(({ tool, status }, at) => ({
      ...{ call_id: `${tool} ${at}`, tool, arguments: null, error: null },
      status: status === 'ok' || status === 'needs_confirmation' ? status : 'error',
    })),
    note: turn === null ? null : (notes[turn.stop_reason] ?? null),
  }));

/** Says that media was removed from the messages before they were sent to the model. */
const withheldNote = (kinds: EventOf<'start'>['withheld']): string | null =>
  kinds.length === 0 ? null : 'Media files and encoded media in your messages were not sent to the model.';

/** Returns the message updated by one event. */
function after(own: ChatMessage, { event, data }: CopilotChatEvent): ChatMessage {
  switch (event) {
    case 'start':
      return { ...own, note: data.degraded ? data.reason : withheldNote(data.withheld) };
    case 'token':
      return { ...own, content: own.content + data.text };
    case 'tool_call':
      return { ...own, tools: [...own.tools, { ...data, status: null, error: null }] };
    case 'tool_result': {
      const { call_id, result } = data;
      const error = result.status === 'error' ? result.error.message : null;
      const tools = own.tools.map((each) =>
        each.call_id === call_id ? { ...each, status: result.status, error } : each,
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
