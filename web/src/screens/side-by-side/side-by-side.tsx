import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Episode } from '#client';
import { others_ms, useAnswer } from '../../api/use-answer.ts';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { PlayClock } from '../../player/play-clock.ts';
import { Decide } from '../episode/decide.tsx';
import { EpisodeBody } from '../episode/episode.tsx';
import { useSearch } from '../search/use-search.ts';

const route = getRouteApi('/projects/$projectId/side-by-side');

/** Screen of two episodes that play in step, to tell duplicates from similar episodes and decide on either. */
export function SideBySideScreen() {
  const { projectId: project_id } = route.useParams();
  const { one, other } = route.useSearch();
  if (one === undefined)
    return (
      <Page title="Side by side">
        <p className="empty">Open an episode and choose “Side by side with similar”.</p>
      </Page>
    );
  return <Pair key={one} {...{ project_id, one, other }} />;
}

interface PairProps {
  readonly project_id: string;
  readonly one: string;
  /** `undefined` or `one` for the episode that is most like the first. */
  readonly other: string | undefined;
}

function Pair({ project_id, one, other }: PairProps) {
  const navigate = useNavigate({ from: '/projects/$projectId/side-by-side' });
  const similar = useSearch(project_id, {
    filter: {},
    rank: { by: 'like', episode_id: one, descriptor: 'motion', moment: null },
  });
  const items = similar.items.filter(({ episode }) => episode.id !== one);
  const chosen = other === undefined || other === one ? items[0]?.episode.id : other;
  const isListed = items.some(({ episode }) => episode.id === chosen);
  return (
    <Page
      title="Side by side"
      note="Both episodes play in step. The second is one of those with the most similar motion."
    >
      <label className="form-row">
        Compare with
        <select
          value={chosen ?? ''}
          onChange={({ target }) => void navigate({ search: { one, other: target.value }, replace: true })}
        >
          {!isListed && (
            <option value={chosen ?? ''}>{chosen === undefined ? 'Choose…' : 'Chosen episode'}</option>
          )}
          {items.map(({ episode, score }) => (
            <option key={episode.id} value={episode.id}>
              {episode.name}
              {score !== null && ` (similarity ${score.toFixed(3)})`}
            </option>
          ))}
        </select>
      </label>
      {similar.isLoadingError && <Failure error={similar.error} onRetry={() => void similar.refetch()} />}
      {chosen === undefined && similar.first !== undefined && (
        <p className="empty">The project has no other episode with motion to compare.</p>
      )}
      {chosen !== undefined && <Both key={chosen} one={one} other={chosen} />}
    </Page>
  );
}

/** Two episodes with one clock, which is as long as the longer one. */
function Both({ one, other }: { readonly one: string; readonly other: string }) {
  const left = useAnswer('get_episode', { episode_id: one }, { every_ms: others_ms });
  const right = useAnswer('get_episode', { episode_id: other }, { every_ms: others_ms });
  const error = left.isLoadingError ? left.error : right.isLoadingError ? right.error : null;
  const pair = left.data?.id === one && right.data?.id === other ? [left.data, right.data] : [];
  const duration_s = Math.max(0, ...pair.map((episode) => episode.duration_s));
  const clock = useMemo(() => new PlayClock(duration_s), [duration_s]);
  if (error !== null)
    return (
      <Failure
        error={error}
        onRetry={() => {
          void left.refetch();
          void right.refetch();
        }}
      />
    );
  if (pair.length === 0) return <p className="waiting">Loading the episodes…</p>;
  return (
    <div className="side-by-side">
      {pair.map((episode) => (
        <Side key={episode.id} episode={episode} clock={clock} />
      ))}
    </div>
  );
}

function Side({ episode, clock }: { readonly episode: Episode; readonly clock: PlayClock }) {
  return (
    <article aria-label={episode.name}>
      <h2>
        <Link
          to="/projects/$projectId/episodes/$episodeId"
          params={{ projectId: episode.project_id, episodeId: episode.id }}
        >
          {episode.name}
        </Link>{' '}
        <span className="tally">{episode.task}</span>
      </h2>
      <Decide episode={episode} />
      <EpisodeBody episode={episode} clock={clock} />
    </article>
  );
}
