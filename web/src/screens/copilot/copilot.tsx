import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import type { CopilotThread } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Message } from './message.tsx';
import { Threads } from './threads.tsx';
import { useTalk } from './use-talk.ts';

const route = getRouteApi('/projects/$projectId/copilot');

/** Screen for chats with the copilot, which calls tools and asks before it spends or deletes anything. */
export function CopilotScreen() {
  const { projectId: project_id } = route.useParams();
  const { thread: thread_id } = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/copilot' });
  const [begun, begin] = useState(0);
  const models = useAnswer('get_copilot_models', {});
  const anew = () => {
    begin(begun + 1);
    void navigate({ search: {} });
  };
  return (
    <Page
      title="Copilot"
      note={models.data === undefined ? '' : noteOf(models.data)}
      aside={
        <button type="button" className="button" onClick={anew}>
          New chat
        </button>
      }
    >
      <div className="copilot">
        {thread_id === undefined ? (
          <Talk key={begun} project_id={project_id} opened={null} />
        ) : (
          <OpenedTalk key={thread_id} project_id={project_id} thread_id={thread_id} />
        )}
        <Threads project_id={project_id} open={thread_id} onGone={anew} />
      </div>
    </Page>
  );
}

interface OpenedTalkProps {
  readonly project_id: string;
  readonly thread_id: string;
}

function OpenedTalk({ project_id, thread_id }: OpenedTalkProps) {
  const thread = useAnswer('get_thread', { thread_id });
  return (
    <Loaded of={thread} what="the chat">
      {(value) => <Talk project_id={project_id} opened={value} />}
    </Loaded>
  );
}

interface TalkProps {
  readonly project_id: string;
  /** Chat to continue; null for a new one. */
  readonly opened: CopilotThread | null;
}

function Talk({ project_id, opened }: TalkProps) {
  const { said, busy, error, say, approve, stop } = useTalk(project_id, opened);
  const last = said.length - 1;
  return (
    <div className="talk">
      {said.length === 0 && <Suggestions project_id={project_id} onSay={(text) => void say(text)} />}
      <div role="log" aria-label="Conversation" aria-busy={busy}>
        {said.map((message, at) => (
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
      <Ask busy={busy} onSay={(text) => void say(text)} onStop={stop} />
    </div>
  );
}

interface Models {
  readonly active: { readonly model: string } | null;
  readonly reason: string | null;
}

const noteOf = ({ active, reason }: Models): string =>
  `${active === null ? 'No model configured' : active.model}${reason === null ? '' : `: ${reason}`}. Images and video are never sent to the model.`;

interface SuggestionsProps {
  readonly project_id: string;
  readonly onSay: (text: string) => void;
}

function Suggestions({ project_id, onSay }: SuggestionsProps) {
  const suggestions = useAnswer('get_copilot_suggestions', { project_id });
  return (
    <ul className="suggestions">
      {(suggestions.data?.suggestions ?? []).map(({ id, prompt, because }) => (
        <li key={id}>
          <button type="button" className="link" onClick={() => onSay(prompt)}>
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
  readonly onSay: (text: string) => void;
  readonly onStop: () => void;
}

/** Input field: Enter sends the message, Shift+Enter starts a new line. */
function Ask({ busy, onSay, onStop }: AskProps) {
  const id = useId();
  const [text, setText] = useState('');
  const send = () => {
    if (busy || text.trim() === '') return;
    onSay(text.trim());
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
