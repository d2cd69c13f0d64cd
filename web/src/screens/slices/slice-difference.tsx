import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { Slice, SliceDiff } from '#client';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { EpisodeName } from '../../components/episode-name.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { count, plural } from '../../components/words.ts';

const route = getRouteApi('/projects/$projectId/slices/$sliceId');
const most = 100;

/**
 * Episodes in only one of two sets: the slice and another slice, or the slice and the current result of its query.
 */
export function SliceDifference({ slice: { id, project_id, name, query } }: { readonly slice: Slice }) {
  const { with: other } = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/slices/$sliceId' });
  const others = useList('list_slices', { project_id, limit: 100 }).items.filter((one) => one.id !== id);
  const isSearch = 'filter' in query;
  const chosen = other ?? (isSearch ? undefined : others[0]?.id);
  const when = isSearch || chosen !== undefined;
  const asked = { project_id, slice_id: id, limit: most, ...(chosen === undefined ? {} : { with: chosen }) };
  const diff = useAnswer('diff_slices', asked, { when });
  const against = others.find((one) => one.id === chosen)?.name;
  return (
    <Panel title="Differences">
      <div className="form-row">
        <label>
          Compare with
          <select
            value={chosen ?? ''}
            onChange={({ target }) =>
              void navigate({ search: target.value === '' ? {} : { with: target.value }, replace: true })
            }
          >
            {isSearch && <option value="">current results of its query</option>}
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name} ({count(one.episodes)})
              </option>
            ))}
          </select>
        </label>
        {chosen !== undefined && (
          <Link
            to="/projects/$projectId/compare"
            params={{ projectId: project_id }}
            search={{ one: id, other: chosen }}
            className="button"
          >
            Compare side by side
          </Link>
        )}
      </div>
      {when ? (
        <Loaded of={diff} what="the differences">
          {(value) => <Sides diff={value} here={name} there={against ?? 'the current results'} />}
        </Loaded>
      ) : (
        <p className="empty">No other slice to compare with.</p>
      )}
    </Panel>
  );
}

interface SidesProps {
  readonly diff: SliceDiff;
  readonly here: string;
  readonly there: string;
}

function Sides({ diff: { both, judged_again, only_here, only_there }, here, there }: SidesProps) {
  return (
    <>
      <p role="status">
        {plural(both, 'episode is', 'episodes are')} in both
        {judged_again > 0 && `, ${count(judged_again)} of them re-evaluated in between`}.
      </p>
      <div className="sides">
        <Side title={`Only in ${here}`} side={only_here} />
        <Side title={`Only in ${there}`} side={only_there} />
      </div>
    </>
  );
}

function Side({ title, side }: { readonly title: string; readonly side: SliceDiff['only_here'] }) {
  const { episodes, episode_ids } = side;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="tally">{count(episodes)}</span>
      </h3>
      <ul className="names-list">
        {episode_ids.map((id) => (
          <li key={id}>
            <EpisodeName id={id} />
          </li>
        ))}
      </ul>
      {episodes > episode_ids.length && (
        <p className="faint">and {count(episodes - episode_ids.length)} more</p>
      )}
    </section>
  );
}
