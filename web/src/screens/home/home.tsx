import type { Project } from '@assay/client';
import { Link } from '@tanstack/react-router';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DecisionBar } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page } from '../../components/page.tsx';
import { count, plural, spaced, time } from '../../components/words.ts';

/** The projects of the tenant, and in each what waits for a person. */
export function Home() {
  const projects = useList('list_projects', { limit: 100 }, { every_ms: 10_000 });
  return (
    <Page title="Projects">
      <Loaded of={projects} what="projects">
        {(items) => (
          <>
            <DataTable
              caption="Projects"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              none={<NoProjects />}
            />
            <More list={projects} what="projects" />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columns: readonly Column<Project>[] = [
  {
    title: 'Project',
    cell: ({ id, name, use_case }) => (
      <>
        <Link to="/projects/$projectId" params={{ projectId: id }} className="row-title">
          {name}
        </Link>
        <span className="row-note">{spaced(use_case)}</span>
      </>
    ),
  },
  { title: 'Target', cell: ({ target_profile }) => spaced(target_profile) },
  { title: 'Kind', cell: ({ data_kind }) => data_kind.effective ?? '–' },
  { title: 'Episodes', number: true, cell: ({ episodes }) => count(episodes) },
  { title: 'Decisions', wide: true, cell: ({ decisions }) => <DecisionBar counts={decisions} /> },
  { title: 'Waits for you', cell: ({ id }) => <Waiting project_id={id} /> },
  { title: 'Last change', cell: ({ updated_at }) => time(updated_at) },
];

/** Episodes that were sent to review and that nobody has decided on. */
function Waiting({ project_id }: { readonly project_id: string }) {
  const waiting = useAnswer('summarise_project', {
    project_id,
    decision: ['review'],
    review_decision: ['none', 'review'],
  });
  if (waiting.data === undefined) return '…';
  const { episodes } = waiting.data;
  if (episodes === 0) return <span className="faint">nothing</span>;
  return (
    <Link to="/projects/$projectId/review" params={{ projectId: project_id }}>
      {plural(episodes, 'episode')} to review
    </Link>
  );
}

function NoProjects() {
  return (
    <>
      There is no project yet. <code>assay ingest PATH</code> brings a folder of recordings in, judges it, and
      makes a project of it.
    </>
  );
}
