import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CopilotThreadSummary } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { plural, time } from '../../components/words.ts';

interface ThreadsProps {
  readonly project_id: string;
  /** Id of the open chat. */
  readonly open: string | undefined;
  readonly onGone: () => void;
}

/** List of the user's chats about the project, newest first, to open or delete. */
export function Threads({ project_id, open, onGone }: ThreadsProps) {
  const threads = useList('list_threads', { limit: 100 });
  return (
    <nav className="threads" aria-label="Chats">
      <h2>Chats</h2>
      <Loaded of={threads} what="chats">
        {(items) => (
          <List items={items.filter((one) => one.project_id === project_id)} open={open} onGone={onGone} />
        )}
      </Loaded>
      <More list={threads} what="chats" />
      <p className="faint">Private to you</p>
    </nav>
  );
}

interface ListProps extends Omit<ThreadsProps, 'project_id'> {
  readonly items: readonly CopilotThreadSummary[];
}

function List({ items, open, onGone }: ListProps) {
  if (items.length === 0) return <p className="faint">No chats about this project yet.</p>;
  return (
    <ul>
      {items.map((thread) => (
        <Thread
          key={thread.id}
          thread={thread}
          isOpen={thread.id === open}
          onGone={() => thread.id === open && onGone()}
        />
      ))}
    </ul>
  );
}

interface ThreadProps {
  readonly thread: CopilotThreadSummary;
  readonly isOpen: boolean;
  readonly onGone: () => void;
}

function Thread({ thread: { id, project_id, title, messages, updated_at }, isOpen, onGone }: ThreadProps) {
  const [asks, ask] = useState(false);
  const remove = useAct('delete_thread', ['list_threads']);
  return (
    <li className={isOpen ? 'thread is-open' : 'thread'}>
      <Link
        to="/projects/$projectId/copilot"
        params={{ projectId: project_id ?? '' }}
        search={{ thread: id }}
        aria-current={isOpen ? 'true' : undefined}
        activeProps={{}}
        className="thread-title"
      >
        {title}
      </Link>
      <span className="faint">
        {time(updated_at)}, {plural(messages, 'message')}
      </span>
      <span className="decide-row">
        <button type="button" className="quiet" aria-expanded={asks} onClick={() => ask(!asks)}>
          {asks ? 'Cancel' : 'Delete'}
          <span className="visually-hidden">: {title}</span>
        </button>
        {asks && (
          <Action
            needs="viewer"
            look="danger"
            busy={remove.isPending}
            onAct={() => remove.mutate({ thread_id: id }, { onSuccess: onGone })}
          >
            Delete chat
          </Action>
        )}
      </span>
      {remove.error !== null && <Complaint error={remove.error} />}
    </li>
  );
}
