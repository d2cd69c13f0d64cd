import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ProjectSummary } from '#client';
import { decisions, decisionWords } from '#quality/report/views';
import { Glyph } from '../../components/glyph.tsx';
import { codeTitle, count, score } from '../../components/words.ts';
import { type EpisodeFilter, toggled } from './filter.ts';

const route = getRouteApi('/projects/$projectId/episodes');

/** Controls for filters and sorting of the episode list. */
export function FilterBar({ summary }: { readonly summary: ProjectSummary | undefined }) {
  const filter = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/episodes' });
  const set = (change: FilterChange) =>
    void navigate({ search: (before) => defined({ ...before, ...change }), replace: true });
  return (
    <search className="toolbar" aria-label="Filter episodes">
      <span className="toggles">
        {decisions.map((each) => (
          <button
            key={each}
            type="button"
            className="toggle"
            aria-pressed={filter.decision?.includes(each) === true}
            onClick={() => set({ decision: toggled(filter.decision, each) })}
          >
            <span className={`badge is-${each}`}>
              <Glyph name={each} /> {decisionWords[each]}
            </span>
          </button>
        ))}
      </span>
      <select
        aria-label="Flag"
        className={filter.flag === undefined ? undefined : 'is-set'}
        value={filter.flag?.[0] ?? ''}
        onChange={({ target }) => set({ flag: target.value === '' ? undefined : [target.value] })}
      >
        <option value="">Any flag</option>
        {(summary?.flags ?? []).map(({ value, episodes }) => (
          <option key={value} value={value}>
            {codeTitle(value)} ({count(episodes)})
          </option>
        ))}
      </select>
      <select
        aria-label="Human review"
        className={filter.review_decision === undefined ? undefined : 'is-set'}
        value={filter.review_decision?.[0] ?? ''}
        onChange={({ target }) =>
          set({
            review_decision:
              target.value === '' ? undefined : [target.value as 'accept' | 'review' | 'reject' | 'none'],
          })
        }
      >
        <option value="">Any review status</option>
        <option value="none">Not reviewed</option>
        {decisions.map((each) => (
          <option key={each} value={each}>
            Reviewed: {decisionWords[each].toLowerCase()}
          </option>
        ))}
      </select>
      <ActiveFilters filter={filter} onChange={set} />
      <select
        aria-label="Sort by"
        value={filter.sort ?? 'name'}
        onChange={({ target }) => set({ sort: target.value as NonNullable<EpisodeFilter['sort']> })}
      >
        <option value="name">Sort by name</option>
        <option value="score">Lowest score first</option>
        <option value="-score">Highest score first</option>
        <option value="-duration_s">Longest first</option>
        <option value="duration_s">Shortest first</option>
        <option value="-created">Newest first</option>
      </select>
      <span className="toggles">
        {(['rows', 'pictures', 'map'] as const).map((each) => (
          <button
            key={each}
            type="button"
            className="toggle"
            aria-pressed={(filter.view ?? 'rows') === each}
            onClick={() => set({ view: each === 'rows' ? undefined : each })}
          >
            {viewTitles[each]}
          </button>
        ))}
      </span>
      {Object.keys(filter).some((name) => name !== 'sort' && name !== 'view') && (
        <button
          type="button"
          className="quiet"
          onClick={() => void navigate({ search: defined({ view: filter.view }), replace: true })}
        >
          Clear filters
        </button>
      )}
    </search>
  );
}

const viewTitles = { rows: 'List', pictures: 'Grid', map: 'Map' } as const;

type FilterChange = { readonly [Name in keyof EpisodeFilter]: EpisodeFilter[Name] | undefined };

interface ActiveFiltersProps {
  readonly filter: EpisodeFilter;
  readonly onChange: (change: FilterChange) => void;
}

/** Filters that other screens set, by tag and by score; a click removes one. */
function ActiveFilters({ filter: { tags, min_score, max_score }, onChange }: ActiveFiltersProps) {
  const chip = (text: string, change: FilterChange) => (
    <button
      key={text}
      type="button"
      className="toggle"
      aria-pressed="true"
      title="Remove this filter"
      onClick={() => onChange(change)}
    >
      {text} ×
    </button>
  );
  const hasScore = min_score !== undefined || max_score !== undefined;
  return (
    <>
      {tags?.map((tag) => chip(`Tag ${tag}`, { tags: toggled(tags, tag) }))}
      {hasScore &&
        chip(`Score ${score(min_score ?? 0)}–${score(max_score ?? 1)}`, {
          min_score: undefined,
          max_score: undefined,
        })}
    </>
  );
}

const defined = (filter: object): EpisodeFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
