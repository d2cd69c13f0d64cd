import { getRouteApi } from '@tanstack/react-router';
import type { ProjectReadinessSettings } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { number, plural, spaced } from '../../components/words.ts';
import { CheckForm } from './check-form.tsx';
import { From } from './from.tsx';
import { LayerSettings } from './layer-settings.tsx';
import { LoaderForm } from './loader-form.tsx';

const route = getRouteApi('/projects/$projectId/settings');

type Check = ProjectReadinessSettings['checks'][number];

/** Settings screen of a project: checks and annotation layers, each value with its origin. */
export function SettingsScreen() {
  const { projectId: project_id } = route.useParams();
  const settings = useAnswer('get_readiness_settings', { project_id });
  return (
    <Loaded of={settings} what="settings">
      {(value) => (
        <Page
          title="Settings"
          note={
            <>
              Readiness settings hash <code>{value.settings_hash.slice(0, 12)}</code>
            </>
          }
          aside={<JudgeAgain settings={value} />}
        >
          <Panel title="Checks" tally={value.checks.length}>
            <DataTable
              caption="Checks and their settings"
              columns={columnsOf(value)}
              rows={value.checks}
              keyOf={({ id }) => id}
              none="This version has no checks."
            />
          </Panel>
          <LoaderForm key={JSON.stringify(value.loaders)} settings={value} />
          <Panel title="Decision thresholds">
            <Facts
              rows={[
                ['Accept at or above', <Fixed key="accept" value={value.decision.accept} />],
                ['Reject below', <Fixed key="reject" value={value.decision.reject} />],
                ['Minimum share evaluated', <Fixed key="graded" value={value.decision.graded_fraction} />],
              ]}
            />
          </Panel>
          {value.notes.map((note) => (
            <p key={note} className="advice">
              {note}
            </p>
          ))}
          <LayerSettings project_id={project_id} />
        </Page>
      )}
    </Loaded>
  );
}

/** Button that re-evaluates stored measurements with the current settings, without reading recordings. */
function JudgeAgain({ settings }: { readonly settings: ProjectReadinessSettings }) {
  const { project_id, episodes_judged_otherwise: otherwise, episodes } = settings;
  const rescore = useAct('rescore_project', ['get_readiness_settings', 'list_runs', 'summarise_project']);
  return (
    <>
      <Action
        needs="engineer"
        busy={rescore.isPending}
        not={otherwise === 0 ? `All ${plural(episodes, 'episode')} use these settings` : null}
        onAct={() => rescore.mutate({ project_id })}
      >
        {otherwise === 0 ? 'Re-evaluate' : `Re-evaluate ${plural(otherwise, 'episode')}`}
      </Action>
      {rescore.error !== null && <Complaint error={rescore.error} />}
      {rescore.data !== undefined && <p role="status">Started. See Runs and jobs.</p>}
    </>
  );
}

const columnsOf = ({ project_id, bounds }: ProjectReadinessSettings): readonly Column<Check>[] => [
  {
    title: 'Check',
    cell: ({ id, title, formula }) => (
      <details>
        <summary>{title}</summary>
        <p className="faint">
          <code>{id}</code>
        </p>
        <p className="advice">{formula}</p>
      </details>
    ),
  },
  { title: 'Applies', cell: ({ applies }) => <span title={applies.reason}>{spaced(applies.status)}</span> },
  {
    title: 'Enabled',
    cell: ({ enabled: { effective, stored } }) => (
      <>
        <b>{effective ? 'on' : 'off'}</b> <From origin={stored === null ? 'default' : 'project'} />
      </>
    ),
  },
  { title: 'Threshold', cell: ({ threshold }) => <Threshold threshold={threshold} /> },
  { title: 'Weight', cell: ({ weight }) => <Weight weight={weight} /> },
  {
    title: 'Project override',
    wide: true,
    cell: (check) => (
      <CheckForm key={JSON.stringify(check)} project_id={project_id} check={check} bounds={bounds} />
    ),
  },
];

/** Value that is fixed by the program and cannot be set by a project. */
function Fixed({ value }: { readonly value: number }) {
  return (
    <>
      {number(value)} <From origin="policy" note="Fixed; cannot be changed per project" />
    </>
  );
}

function Threshold({ threshold }: { readonly threshold: Check['threshold'] }) {
  const { effective, stored_offset, default: usual, source } = threshold;
  return (
    <>
      <b>{number(effective)}</b>{' '}
      <From origin={stored_offset === null ? 'default' : 'project'} note={source} />
      {stored_offset !== null && (
        <span className="row-note">{`default ${number(usual)}, offset ${number(stored_offset)}`}</span>
      )}
    </>
  );
}

function Weight({ weight }: { readonly weight: Check['weight'] }) {
  const { effective, default: usual, use_case_factor, use_case_reason, stored_factor } = weight;
  const factor =
    stored_factor !== null
      ? `${number(usual)} × project factor ${number(stored_factor)}`
      : use_case_factor !== null && `${number(usual)} × use case factor ${number(use_case_factor)}`;
  const origin = stored_factor !== null ? 'project' : use_case_factor !== null ? 'use case' : 'default';
  return (
    <>
      <b>{number(effective)}</b> <From origin={origin} note={use_case_reason} />
      {factor !== false && <span className="row-note">{factor}</span>}
    </>
  );
}
