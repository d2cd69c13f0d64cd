import { useNavigate } from '@tanstack/react-router';
import type { Source } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { PlanFacts } from './plan-facts.tsx';

/** Why a source in each state cannot be run; `null` if it can. */
const notReady = { open: 'Upload incomplete', ready: null, gone: 'Source removed' } as const;

/**
 * Plans a run over a source and starts exactly this plan. If the source has changed since, starting fails and it can
 * be planned again.
 */
export function StartRun({ source }: { readonly source: Source }) {
  const { id: source_id, project_id, state } = source;
  const navigate = useNavigate();
  const plan = useAct('plan_run', []);
  const start = useAct('start_run', ['list_runs', 'get_project']);
  const go = (plan_hash: string) =>
    start.mutate(
      { project_id, source_id, plan_hash },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: '/projects/$projectId/runs/$runId',
            params: { projectId: project_id, runId: id },
          }),
      },
    );
  const error = start.error ?? plan.error;
  return (
    <div className="start-run">
      {plan.data === undefined || start.error !== null ? (
        <Action
          needs="engineer"
          busy={plan.isPending}
          not={notReady[state]}
          onAct={() => {
            start.reset();
            plan.mutate({ project_id, source_id });
          }}
        >
          Plan a run
        </Action>
      ) : (
        <>
          <PlanFacts plan={plan.data} />
          <Action needs="engineer" look="main" busy={start.isPending} onAct={() => go(plan.data.plan_hash)}>
            Start run
          </Action>
        </>
      )}
      {error !== null && <Complaint error={error} />}
    </div>
  );
}
