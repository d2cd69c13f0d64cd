import { Link, useNavigate } from '@tanstack/react-router';
import type { Project } from '#client';
import { others_ms, useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { DecisionBar } from '../../components/decision.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page } from '../../components/page.tsx';
import { caseTitle, count, kindTitle, targetTitle, time } from '../../components/words.ts';
import { Waiting } from './waiting.tsx';

/** Home screen: the tenant's projects with their open tasks. */
export function Home() {
  const projects = useList('list_projects', { limit: 100 }, { every_ms: others_ms });
  const navigate = useNavigate();
  return (
    <Page
      title="Projects"
      aside={
        <Action needs="engineer" look="main" onAct={() => void navigate({ to: '/new-project' })}>
          New project
        </Action>
      }
    >
      <Loaded of={projects} what="projects">
        {(items) => (
          <>
            <DataTable
              caption="Projects"
              columns={columnsOf(items.length)}
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

const columnsOf = (projects: number): readonly Column<Project>[] => [
  {
    title: 'Project',
    cell: ({ id, name, use_case }) => (
      <>
        <Link to="/projects/$projectId" params={{ projectId: id }} className="row-title">
          {name}
        </Link>
        <span className="row-note">{caseTitle(use_case)}</span>
      </>
    ),
  },
  {
    title: 'To do',
    cell: ({ id }) => <Waiting project_id={id} every_ms={Math.max(others_ms, 100 * projects)} />,
  },
  { title: 'Target', cell: ({ target_profile }) => targetTitle(target_profile) },
  {
    title: 'Kind',
    cell: ({ data_kind }) => (data_kind.effective === null ? '–' : kindTitle(data_kind.effective)),
  },
  { title: 'Episodes', number: true, cell: ({ episodes }) => count(episodes) },
  { title: 'Decisions', wide: true, cell: ({ decisions }) => <DecisionBar counts={decisions} /> },
  { title: 'Updated', cell: ({ updated_at }) => time(updated_at) },
];

function NoProjects() {
  return (
    <>
      No projects yet. Click “New project”, or run <code>assay ingest PATH</code> to create a project from a
      folder of recordings and evaluate them.
    </>
  );
}
