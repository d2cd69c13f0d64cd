import { Link } from '@tanstack/react-router';
import type { CurationPlanSummary } from '#client';
import { useList } from '../../api/use-answer.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/page.tsx';
import { count, strategyTitle, time } from '../../components/words.ts';

/** List of applied plans, newest first. */
export function Plans({ project_id }: { readonly project_id: string }) {
  const plans = useList('list_curation_plans', { project_id, limit: 50 });
  return (
    <Panel title="Applied plans">
      <Loaded of={plans} what="the plans">
        {(items) => (
          <DataTable
            caption="Applied plans"
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            none="No plans applied yet."
          />
        )}
      </Loaded>
      <More list={plans} what="plans" />
    </Panel>
  );
}

const columns: readonly Column<CurationPlanSummary>[] = [
  {
    title: 'Plan',
    cell: ({ id, project_id, name }) => (
      <Link
        to="/projects/$projectId/curation/$planId"
        params={{ projectId: project_id, planId: id }}
        className="row-title"
      >
        {name}
      </Link>
    ),
  },
  { title: 'Kept', number: true, cell: ({ episodes_kept }) => count(episodes_kept) },
  { title: 'Dropped', number: true, cell: ({ episodes_dropped }) => count(episodes_dropped) },
  {
    title: 'Stages',
    wide: true,
    cell: ({ plan }) => plan.stages.map(({ strategy }) => strategyTitle(strategy)).join(' → '),
  },
  { title: 'Applied', cell: ({ created_at }) => time(created_at) },
  { title: 'By', cell: ({ created_by }) => <code>{created_by}</code> },
  { title: 'Hash', cell: ({ plan_hash }) => <code>{plan_hash.slice(0, 12)}</code> },
];
