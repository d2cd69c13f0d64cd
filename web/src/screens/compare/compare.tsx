import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { CompareEpisodes, Run } from '#client';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { count, spaced, time } from '../../components/words.ts';
import { Changes } from './changes.tsx';
import { Differences } from './differences.tsx';
import { Plots } from './plots.tsx';

const route = getRouteApi('/projects/$projectId/compare');

/** Screen that compares two runs or two slices: differences, compositions, and changed episodes. */
export function CompareScreen() {
  const { projectId: project_id } = route.useParams();
  const address = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/compare' });
  const runs = useList('list_runs', { project_id, limit: 100 });
  const slices = useList('list_slices', { project_id, limit: 100 });
  // Defaults to the latest run and the one before.
  const [newest, ...earlier] = runs.items;
  const before = earlier.find(({ source_id }) => source_id === newest?.source_id) ?? earlier[0];
  const one = address.one ?? before?.id ?? slices.items[0]?.id;
  const other = address.other ?? newest?.id;
  const isChosen = one !== undefined && other !== undefined;
  const asked = { project_id, one: chosenOf(one ?? ''), other: chosenOf(other ?? '') };
  const comparison = useAnswer('compare_episodes', asked, { when: isChosen });
  const sources = useList('list_sources', { project_id, limit: 100 }).items;
  const names = new Map([
    ...runs.items.map((run) => {
      const source = sources.find(({ id }) => id === run.source_id)?.name ?? 'unknown source';
      return [run.id, `${source}, ${runName(run)}`] as const;
    }),
    ...slices.items.map(({ id, name, episodes }) => [id, `${name} (${count(episodes)})`] as const),
  ]);
  const pickers = [
    ['Left', one, (id: string) => ({ ...address, one: id })],
    ['Right', other, (id: string) => ({ ...address, other: id })],
  ] as const;
  return (
    <Page
      title="Compare"
      note="Compares runs as they were evaluated and slices as they were saved. Decisions are automatic, not human reviews."
    >
      <div className="form-row">
        {pickers.map(([label, id, next]) => (
          <label key={label}>
            {label}
            <select
              value={id ?? ''}
              onChange={({ target }) => void navigate({ search: next(target.value), replace: true })}
            >
              {id === undefined && <option value="">Choose…</option>}
              <optgroup label="Runs">
                {runs.items.map((run) => (
                  <option key={run.id} value={run.id}>
                    {names.get(run.id)}
                  </option>
                ))}
              </optgroup>
              <optgroup label="Slices">
                {slices.items.map((slice) => (
                  <option key={slice.id} value={slice.id}>
                    {names.get(slice.id)}
                  </option>
                ))}
              </optgroup>
            </select>
          </label>
        ))}
      </div>
      {isChosen ? (
        <Loaded of={comparison} what="the comparison">
          {(value) => (
            <>
              <Differences comparison={value} runs={runs.items} />
              <Plots comparison={value} />
              <Changes comparison={value} />
            </>
          )}
        </Loaded>
      ) : (
        <p className="empty">Nothing to compare yet. Start a second run or save a slice.</p>
      )}
    </Page>
  );
}

const chosenOf = (id: string): CompareEpisodes['one'] =>
  id.startsWith('slc_') ? { slice_id: id } : { run_id: id };

/** Name of a run: time, type and status, and the end of its id to distinguish runs of the same minute. */
const runName = ({ id, created_at, type, status }: Run): string =>
  [
    time(created_at),
    type === 'rescore' ? 're-evaluated' : 'assessed',
    ...(status === 'succeeded' ? [] : [spaced(status)]),
    `…${id.slice(-4)}`,
  ].join(', ');
