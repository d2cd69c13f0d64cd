import { getRouteApi, Link } from '@tanstack/react-router';
import type { Run } from '#client';
import { useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { count, spaced, time, usd } from '../../components/words.ts';
import { Jobs } from './jobs.tsx';
import { RunControls } from './run-controls.tsx';

const route = getRouteApi('/projects/$projectId/runs');

/** Screen of runs and annotation jobs, updated live. */
export function RunsScreen() {
  const { projectId: project_id } = route.useParams();
  const runs = useList('list_runs', { project_id, limit: 50 }, { every_ms: 5000 });
  return (
    <Page title="Runs and jobs">
      <Panel title="Runs">
        <Loaded of={runs} what="runs">
          {(items) => (
            <DataTable
              caption="Runs"
              columns={runColumns(project_id)}
              rows={items}
              keyOf={({ id }) => id}
              none="No runs yet. Start one on the Overview or Sources tab."
            />
          )}
        </Loaded>
        <More list={runs} what="runs" />
      </Panel>
      <Jobs project_id={project_id} />
    </Page>
  );
}

const runColumns = (projectId: string): readonly Column<Run>[] => [
  {
    title: 'Started',
    cell: ({ id, created_at }) => (
      <Link to="/projects/$projectId/runs/$runId" params={{ projectId, runId: id }} className="row-title">
        {time(created_at)}
      </Link>
    ),
  },
  { title: 'Status', cell: ({ status }) => spaced(status) },
  {
    title: 'Episodes',
    number: true,
    cell: ({ episodes }) => `${count(episodes.judged)} of ${count(episodes.expected)}`,
  },
  { title: 'Cost', number: true, cell: ({ cost_usd }) => usd(cost_usd) },
  { title: 'Started by', cell: ({ created_by }) => <code>{created_by}</code> },
  { title: 'Action', wide: true, cell: (run) => <RunControls run={run} /> },
];
