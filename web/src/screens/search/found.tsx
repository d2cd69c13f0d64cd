import { getRouteApi, Link } from '@tanstack/react-router';
import type { SearchAnswer } from '#client';
import { Badge } from '../../components/decision.tsx';
import { codeTitle, duration, number } from '../../components/words.ts';
import { Picture } from '../episodes/picture.tsx';
import { changed } from './search-address.ts';

type Item = SearchAnswer['items'][number];

/** Search results, each with thumbnail, ranking score and a link to similar episodes. */
export function Found({ items }: { readonly items: readonly Item[] }) {
  if (items.length === 0) return <p className="empty">No episodes match. Change or clear the filters.</p>;
  return (
    <ol className="found">
      {items.map((item) => (
        <FoundEpisode key={item.episode.id} item={item} />
      ))}
    </ol>
  );
}

const route = getRouteApi('/projects/$projectId/search');

function FoundEpisode({ item: { episode, score, why, moment } }: { readonly item: Item }) {
  const { id, project_id: projectId, name, task, decision, flags, duration_s } = episode;
  const address = route.useSearch();
  return (
    <li className="found-item">
      <Picture episode={episode} moment_s={moment?.from_s} />
      <div className="names">
        <Link
          to="/projects/$projectId/episodes/$episodeId"
          params={{ projectId, episodeId: id }}
          className="episode-link"
        >
          {name}
        </Link>
        {task !== null && <span className="task faint">{task}</span>}
        <p className="faint">
          {score !== null && <b className="found-score">{score.toFixed(3)}</b>} {why}
          {moment !== null && `, ${number(moment.from_s)} to ${number(moment.to_s)} s`}
        </p>
      </div>
      <div className="found-facts">
        <Badge decision={decision} /> <span className="faint">{duration(duration_s)}</span>
        {flags.map((flag) => (
          <span key={flag} className="tag">
            {codeTitle(flag)}
          </span>
        ))}
      </div>
      {address.like !== undefined && address.like !== id && (
        <Link
          to="/projects/$projectId/side-by-side"
          params={{ projectId }}
          search={{ one: address.like, other: id }}
          className="button"
        >
          Side by side<span className="visually-hidden">: {name}</span>
        </Link>
      )}
      <Link
        to="/projects/$projectId/search"
        params={{ projectId }}
        search={changed(address, {
          like: id,
          about: undefined,
          match: undefined,
          from_s: undefined,
          to_s: undefined,
        })}
        className="button"
      >
        More like this<span className="visually-hidden">: {name}</span>
      </Link>
    </li>
  );
}
