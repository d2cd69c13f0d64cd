import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { Chat } from './chat.tsx';
import { Threads } from './threads.tsx';

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
          <Chat key={begun} project_id={project_id} opened={null} />
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
      {(value) => <Chat project_id={project_id} opened={value} />}
    </Loaded>
  );
}

interface Models {
  readonly active: { readonly model: string } | null;
  readonly reason: string | null;
}

const noteOf = ({ active, reason }: Models): string =>
  `${active === null ? 'No model configured' : active.model}${reason === null ? '' : `: ${reason}`}. Images and video are never sent to the model.`;
