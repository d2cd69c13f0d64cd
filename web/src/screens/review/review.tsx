import { getRouteApi } from '@tanstack/react-router';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { useKeys } from '../../components/use-keys.ts';
import { plural } from '../../components/words.ts';
import { EpisodeBody } from '../episode/episode.tsx';
import { useQueue } from './use-queue.ts';

const route = getRouteApi('/projects/$projectId/review');

/**
 * Review screen: one episode after the other, worst first, with keyboard shortcuts. Others may work on the same
 * queue.
 */
export function ReviewScreen() {
  const { projectId: project_id } = route.useParams();
  const { queue, current, waiting, decide, next, undo, made, error, notice } = useQueue(project_id);
  const accept = () => void decide('accept');
  const reject = () => void decide('reject');
  const takeBack = () => void undo();
  useKeys({ a: accept, r: reject, n: next, u: takeBack });
  const nobody = current === undefined ? 'The queue is empty' : null;
  const last = made.at(-1);
  return (
    <Page
      title="Review"
      note={waiting === undefined ? '' : `${plural(waiting, 'episode')} to review`}
      aside={
        <div className="decide-row">
          <Action needs="reviewer" look="main" shortcut="a" not={nobody} onAct={accept}>
            Accept
          </Action>
          <Action needs="reviewer" look="danger" shortcut="r" not={nobody} onAct={reject}>
            Reject
          </Action>
          <Action needs="viewer" shortcut="n" not={nobody} onAct={next}>
            Next
          </Action>
          <Action
            needs="reviewer"
            shortcut="u"
            not={last === undefined ? 'Nothing to undo' : null}
            onAct={takeBack}
          >
            Undo
          </Action>
        </div>
      }
    >
      <p className="queue-note" role="status">
        {notice ?? (last === undefined ? '' : `${last.episode.name}: ${last.decision}. Press u to undo.`)}
      </p>
      {error !== null && <Complaint error={error} />}
      <Loaded of={queue} what="the review queue">
        {() =>
          current === undefined ? (
            <p className="empty">No episodes to review. New runs may add more.</p>
          ) : (
            <Current key={current.id} episode_id={current.id} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Current({ episode_id }: { readonly episode_id: string }) {
  const episode = useAnswer('get_episode', { episode_id });
  return (
    <Loaded of={episode} what="the episode">
      {(value) => (
        <article aria-label={value.name}>
          <h2 className="queue-title">
            {value.name} <span className="tally">{value.task}</span>
          </h2>
          <EpisodeBody episode={value} />
        </article>
      )}
    </Loaded>
  );
}
