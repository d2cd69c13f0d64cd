import { useState } from 'react';
import { AssayApiError, type CreateExportInput, type ProjectFormats } from '#client';
import { type Decision, decisions, decisionWords } from '#quality/report/views';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Panel } from '../../components/page.tsx';
import { plural } from '../../components/words.ts';
import { toggled } from '../episodes/filter.ts';
import { OtherUseCase } from './other-use-case.tsx';

/** Form of a new export: format and decisions; unsuitable formats show the reason. */
export function NewExport({ project_id }: { readonly project_id: string }) {
  const formats = useAnswer('get_project_formats', { project_id });
  const [chosen, choose] = useState<string | null>(null);
  const [kept, keep] = useState<readonly Decision[]>(['accept']);
  const create = useAct('create_export', ['list_exports']);
  const rows = formats.data?.export_formats ?? [];
  const format =
    rows.find(({ id }) => id === chosen) ??
    rows.find(({ recommended, fits }) => recommended && fits) ??
    rows.find(({ fits }) => fits);
  const leaving = useLeaving(project_id, kept);
  const datasets = datasetsIn(create.error);
  const start = (dataset?: Dataset) =>
    create.mutate({
      project_id,
      ...(dataset === undefined ? {} : { source_id: dataset.source_id, dataset_path: dataset.dataset_path }),
      ...(format === undefined ? {} : { format: format.id as NonNullable<CreateExportInput['format']> }),
      episodes: { decisions: kept },
    });
  return (
    <Panel title="New export">
      <div className="form-row">
        <label>
          Format
          <select value={format?.id ?? ''} onChange={({ target }) => choose(target.value)}>
            {rows.map(({ id, title, fits, recommended }) => (
              <option key={id} value={id} disabled={!fits}>
                {title}
                {recommended ? ' (recommended)' : ''}
                {fits ? '' : ' (not available)'}
              </option>
            ))}
          </select>
        </label>
        <fieldset className="choices">
          <legend>Episodes to export</legend>
          {decisions.map((each) => (
            <label key={each}>
              <input
                type="checkbox"
                checked={kept.includes(each)}
                onChange={() => keep(toggled(kept, each) ?? [])}
              />
              {decisionWords[each]}
            </label>
          ))}
        </fieldset>
        <Action
          needs="engineer"
          look="main"
          busy={create.isPending}
          not={formats.data === undefined ? 'Loading formats' : whyNot(format, kept, leaving)}
          onAct={() => start()}
        >
          Export
        </Action>
      </div>
      <p className="advice">
        {format?.carries}
        {format !== undefined &&
          leaving !== undefined &&
          ` · ${plural(leaving, 'episode')}. Human reviews override automatic decisions.`}
      </p>
      {[...unfit(rows)].map(([reason, titles]) => (
        <p key={reason} className="faint">
          {titles.join(', ')}: {reason}
        </p>
      ))}
      {formats.data !== undefined && !rows.some(({ fits }) => fits) && (
        <OtherUseCase formats={formats.data} />
      )}
      {create.error !== null && (
        <Complaint error={create.error}>
          <div className="decide-row">
            {datasets.map((dataset) => (
              <Action
                key={`${dataset.source_id} ${dataset.dataset_path}`}
                needs="engineer"
                busy={create.isPending}
                onAct={() => start(dataset)}
              >
                {`Export ${dataset.dataset_path} (${plural(dataset.episodes, 'episode')})`}
              </Action>
            ))}
          </div>
        </Complaint>
      )}
    </Panel>
  );
}

type Format = ProjectFormats['export_formats'][number];

function whyNot(
  format: Format | undefined,
  kept: readonly Decision[],
  leaving: number | undefined,
): string | null {
  if (format === undefined) return 'No export format available';
  if (kept.length === 0) return 'Select at least one decision';
  return leaving === 0 ? 'No episodes have the selected decisions' : null;
}

/**
 * Returns the number of episodes with these decisions (the reviewer's, otherwise the automatic one); undefined while
 * loading.
 */
function useLeaving(project_id: string, kept: readonly Decision[]): number | undefined {
  const when = kept.length > 0;
  const byPeople = useAnswer('summarise_project', { project_id, review_decision: kept }, { when });
  const byChecks = useAnswer(
    'summarise_project',
    { project_id, decision: kept, review_decision: ['none'] },
    { when },
  );
  if (!when) return 0;
  if (byPeople.data === undefined || byChecks.data === undefined) return undefined;
  return byPeople.data.episodes + byChecks.data.episodes;
}

/** Groups the titles of unsuitable formats by reason. */
const unfit = (rows: readonly Format[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [
      ...Map.groupBy(
        rows.filter(({ fits }) => !fits),
        ({ reason }) => reason ?? 'not available for this data',
      ),
    ].map(([reason, formats]) => [reason, formats.map(({ title }) => title)]),
  );

export interface Dataset {
  readonly source_id: string;
  readonly dataset_path: string;
  readonly episodes: number;
}

/** Returns the datasets listed in the error if a project has several; an export takes one dataset. */
export const datasetsIn = (error: unknown): readonly Dataset[] =>
  error instanceof AssayApiError && Array.isArray(error.details.datasets)
    ? (error.details.datasets as unknown as readonly Dataset[])
    : [];
