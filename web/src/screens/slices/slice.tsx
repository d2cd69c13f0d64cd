import { getRouteApi, Link } from '@tanstack/react-router';
import type { Slice } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { plural, time } from '../../components/words.ts';
import { ExportThese } from '../exports/export-these.tsx';
import { Coverage } from '../search/coverage.tsx';
import { Members } from './members.tsx';
import { queryWords } from './query-words.ts';
import { SliceControls } from './slice-controls.tsx';
import { SliceDifference } from './slice-difference.tsx';

const route = getRouteApi('/projects/$projectId/slices/$sliceId');

/** Screen of one slice: query, settings, differences from later results, export and episodes. */
export function SliceScreen() {
  const { projectId: project_id, sliceId: slice_id } = route.useParams();
  const slice = useAnswer('get_slice', { project_id, slice_id });
  return (
    <Loaded of={slice} what="the slice">
      {(value) => (
        <Page
          title={value.name}
          note={`${plural(value.episodes, 'episode')}, saved ${time(value.created_at)}`}
          aside={<SliceControls slice={value} />}
        >
          <About slice={value} />
          <SliceDifference slice={value} />
          <Panel title="Export">
            <ExportThese
              project_id={project_id}
              chosen={{ slice_id }}
              what={`all episodes of ${value.name}, regardless of their decision`}
            />
          </Panel>
          <Members slice={value} />
        </Page>
      )}
    </Loaded>
  );
}

function About({ slice }: { readonly slice: Slice }) {
  const { query, ranked_by, coverage, settings_hash, response_hash, locked_at, locked_by } = slice;
  return (
    <Panel title="Query">
      <ul className="asked">
        {queryWords(query).map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
      <Coverage coverage={coverage} ranked_by={ranked_by} />
      <Facts
        rows={[
          ['Size', plural(slice.episodes, 'episode')],
          ['Created by', <code key="by">{slice.created_by}</code>],
          [
            'Settings hash',
            <code key="settings" className="hash">
              {settings_hash}
            </code>,
          ],
          [
            'Result hash',
            <code key="hash" className="hash">
              {response_hash}
            </code>,
          ],
          ['Locked', locked_at === null ? 'no' : `${time(locked_at)} by ${locked_by}`],
        ]}
      />
      <details>
        <summary>Query as JSON</summary>
        <pre className="detail">{JSON.stringify(query, null, 2)}</pre>
      </details>
      {'filter' in query && (
        <p className="note">
          <Link
            to="/projects/$projectId/search"
            params={{ projectId: slice.project_id }}
            search={addressOf(query)}
            className="button"
          >
            Open in search
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** Returns the URL parameters of the same search. */
function addressOf({ filter, rank }: Exclude<Slice['query'], { readonly failures: unknown }>) {
  if (rank === null) return filter;
  if (rank.by === 'text') return { ...filter, about: rank.text };
  return { ...filter, like: rank.episode_id, by: rank.descriptor, ...(rank.moment ?? {}) };
}
