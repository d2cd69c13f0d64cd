import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { CopilotThread } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Complaint } from '../../components/failure.tsx';
import { Message } from './message.tsx';
import { type ChatSubject, useChat } from './use-chat.ts';

interface ChatProps {
  readonly project_id: string;
  /** Chat to continue; null for a new one. */
  readonly opened: CopilotThread | null;
  /** Object on the screen that questions are about; absent if there is none. */
  readonly about?: ChatSubject | undefined;
}

/** A chat with the copilot: its messages, suggestions for a new one, and the input field. */
export function Chat({ project_id, opened, about }: ChatProps) {
  const { messages, busy, error, send, approve, stop } = useChat(project_id, opened);
  const last = messages.length - 1;
  return (
    <div className="talk">
      {messages.length === 0 && (
        <Suggestions project_id={project_id} onSend={(text) => void send(text, undefined)} />
      )}
      <div role="log" aria-label="Conversation" aria-busy={busy}>
        {messages.map((message, at) => (
          <Message
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added
            key={at}
            message={message}
            asks={at === last && !busy}
            onApprove={(question) => void approve(question)}
          />
        ))}
      </div>
      {error !== null && <Complaint error={error} />}
      <Ask busy={busy} about={about} onSend={(text, subject) => void send(text, subject)} onStop={stop} />
    </div>
  );
}

interface SuggestionsProps {
  readonly project_id: string;
  readonly onSend: (text: string) => void;
}

function Suggestions({ project_id, onSend }: SuggestionsProps) {
  const suggestions = useAnswer('get_copilot_suggestions', { project_id });
  return (
    <ul className="suggestions">
      {(suggestions.data?.suggestions ?? []).map(({ id, prompt, because }) => (
        <li key={id}>
          <button type="button" className="link" onClick={() => onSend(prompt)}>
            {prompt}
          </button>
          <p className="faint">{because}</p>
        </li>
      ))}
    </ul>
  );
}

interface AskProps {
  readonly busy: boolean;
  readonly about: ChatSubject | undefined;
  readonly onSend: (text: string, about: ChatSubject | undefined) => void;
  readonly onStop: () => void;
}

/** Input field: Enter sends the message, Shift+Enter starts a new line. */
function Ask({ busy, about, onSend, onStop }: AskProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [withSubject, setWithSubject] = useState(true);
  const send = () => {
    if (busy || text.trim() === '') return;
    onSend(text.trim(), withSubject ? about : undefined);
    setText('');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="ask"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id}>Ask a question or describe a task</label>
      <textarea
        id={id}
        rows={3}
        maxLength={8000}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKey}
      />
      {about !== undefined && (
        <label className="ask-about">
          <input
            type="checkbox"
            checked={withSubject}
            onChange={({ target }) => setWithSubject(target.checked)}
          />{' '}
          About this {about.kind}
        </label>
      )}
      {busy ? (
        <button type="button" className="button" onClick={onStop}>
          Stop
        </button>
      ) : (
        <button type="submit" className="button is-main" disabled={text.trim() === ''}>
          Send
        </button>
      )}
    </form>
  );
}
