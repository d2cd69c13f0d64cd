import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { SearchFilter } from '#client';
import { decisions, decisionWords } from '#quality/report/views';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Glyph } from '../../components/glyph.tsx';
import { codeTitle, kindTitle, layerTitle, spaced } from '../../components/words.ts';
import { toggled } from '../episodes/filter.ts';
import { ChoiceField, NumberField, TextField } from './filter-fields.tsx';
import { changed, isFiltered, type SearchAddress } from './search-address.ts';

const route = getRouteApi('/projects/$projectId/search');

/** All search filters with the project's values. Episodes must match all filters. */
export function Filters({ project_id }: { readonly project_id: string }) {
  const address = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/search' });
  const set = (change: SearchAddress) =>
    void navigate({ search: (before: SearchAddress) => changed(before, change), replace: true });
  return (
    <div className="filters">
      <TextField label="Task text" value={address.text} onSet={(text) => set({ text })} most={1000} />
      <DecisionToggles chosen={address.decision} onSet={(decision) => set({ decision })} />
      <Choices project_id={project_id} address={address} onSet={set} />
      {texts.map(([name, label, most]) => (
        <TextField
          key={name}
          {...{ label, most }}
          value={address[name]?.[0]}
          onSet={(value) => set({ [name]: value === undefined ? undefined : [value] })}
        />
      ))}
      {numbers.map(([name, label, most]) => (
        <NumberField
          key={name}
          {...{ label, most }}
          value={address[name]}
          onSet={(value) => set({ [name]: value })}
        />
      ))}
      {isFiltered(address) && (
        <button
          type="button"
          className="quiet"
          onClick={() =>
            void navigate({
              search: ({ about, like, by, from_s, to_s }) => changed({}, { about, like, by, from_s, to_s }),
            })
          }
        >
          Clear filters
        </button>
      )}
    </div>
  );
}

const texts = [
  ['tags', 'Tag', 60],
  ['object', 'Object label', 200],
] as const;

const numbers = [
  ['min_score', 'Min score', 1],
  ['max_score', 'Max score', 1],
  ['min_duration_s', 'Min duration (s)', undefined],
  ['max_duration_s', 'Max duration (s)', undefined],
] as const;

interface ChoicesProps {
  readonly project_id: string;
  readonly address: SearchAddress;
  readonly onSet: (change: SearchAddress) => void;
}

/** Filters with a few values per project. */
function Choices({ project_id, address, onSet }: ChoicesProps) {
  const summary = useAnswer('summarise_project', { project_id }).data;
  const layers = useAnswer('get_annotation_status', { project_id }).data?.layers ?? [];
  const sources = useList('list_sources', { project_id, limit: 100 }).items;
  const choices = [
    ['review_decision', 'Human review', [{ value: 'none', says: 'not reviewed' }, ...byPeople]],
    ['flag', 'Flag', valuesOf(summary?.flags, codeTitle)],
    ['outcome', 'Outcome', valuesOf(summary?.outcomes)],
    ['kind', 'Kind', valuesOf(summary?.kinds, kindTitle)],
    ['robot', 'Robot', valuesOf(summary?.robots)],
    [
      'layer',
      'Has layer',
      layers.map(({ layer, covered_episodes: episodes }) => ({
        value: layer,
        says: layerTitle(layer),
        episodes,
      })),
    ],
    ['source_id', 'Source', sources.map(({ id, name }) => ({ value: id, says: name }))],
  ] as const;
  return choices.map(([name, label, options]) => (
    <ChoiceField
      key={name}
      {...{ label, options }}
      value={address[name]?.[0]}
      onSet={(value) => onSet({ [name]: value === undefined ? undefined : [value] })}
    />
  ));
}

const byPeople = decisions.map((value) => ({ value, says: value }));

const valuesOf = (
  rows: readonly { readonly value: string | null; readonly episodes: number }[] = [],
  title: (value: string) => string = spaced,
) => rows.flatMap(({ value, episodes }) => (value === null ? [] : [{ value, says: title(value), episodes }]));

interface DecisionTogglesProps {
  readonly chosen: SearchFilter['decision'];
  readonly onSet: (decision: SearchFilter['decision']) => void;
}

function DecisionToggles({ chosen, onSet }: DecisionTogglesProps) {
  return (
    <fieldset className="filter">
      <legend>Automatic decision</legend>
      <span className="toggles">
        {decisions.map((each) => (
          <button
            key={each}
            type="button"
            className="toggle"
            aria-pressed={chosen?.includes(each) === true}
            onClick={() => onSet(toggled(chosen, each))}
          >
            <span className={`badge is-${each}`}>
              <Glyph name={each} /> {decisionWords[each]}
            </span>
          </button>
        ))}
      </span>
    </fieldset>
  );
}
