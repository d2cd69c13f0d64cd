import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useAct } from '../../api/use-act.ts';
import { useList } from '../../api/use-answer.ts';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { isElsewhere } from '../../components/wrong-places.ts';
import { Apply } from './apply.tsx';
import { Outcome } from './outcome.tsx';
import { type PlanAddress, planOf } from './plan-address.ts';
import { Plans } from './plans.tsx';
import { Recommended } from './recommended.tsx';
import { Stages } from './stages.tsx';

const route = getRouteApi('/projects/$projectId/curation');

/** Screen that builds a curation plan, previews which episodes it keeps and drops with reasons, and applies it. */
export function CurationScreen() {
  const { projectId: project_id } = route.useParams();
  const address = route.useSearch();
  const navigate = useNavigate({ from: '/projects/$projectId/curation' });
  const strategies = useList('list_curation_strategies', { project_id, limit: 100 });
  const preview = useAct('preview_curation', []);
  const plan = planOf(address);
  const set = (next: PlanAddress) => void navigate({ search: next, replace: true, resetScroll: false });
  // A preview of an earlier plan is not shown for this one.
  const isAsked = JSON.stringify(preview.variables) === JSON.stringify({ project_id, ...plan });
  const error = isAsked ? preview.error : null;
  return (
    <Page
      title="Curation"
      note="A plan selects the episodes to train on. It deletes nothing and changes no recordings."
    >
      <Panel title="Plan">
        <Recommended project_id={project_id} onTake={(recommended) => set(recommended)} />
        <Loaded of={strategies} what="the strategies">
          {(items) => (
            <Stages
              {...{ project_id, error }}
              strategies={items}
              stages={address.stages ?? []}
              onChange={(stages) => set({ ...address, stages })}
            />
          )}
        </Loaded>
        <div className="form-row">
          <label>
            Random seed
            <input
              type="number"
              min={0}
              max={0xffffffff}
              placeholder="0"
              value={address.seed ?? ''}
              onChange={({ target }) =>
                set({
                  ...(address.stages === undefined ? {} : { stages: address.stages }),
                  ...(target.value === '' ? {} : { seed: Number(target.value) }),
                })
              }
            />
          </label>
          <button
            type="button"
            className="button is-main"
            disabled={plan.stages.length === 0 || preview.isPending}
            onClick={() => preview.mutate({ project_id, ...plan })}
          >
            {preview.isPending ? 'Computing…' : 'Preview'}
          </button>
        </div>
        {error !== null && isElsewhere(error, (pointer) => /^\/stages\/\d+\/parameters\//.test(pointer)) && (
          <Complaint error={error} />
        )}
      </Panel>
      {preview.data !== undefined && !isAsked && (
        <p className="note faint" role="status">
          The plan has changed since the last preview.
        </p>
      )}
      {preview.data !== undefined && isAsked && (
        <>
          <Apply project_id={project_id} plan={plan} preview={preview.data} />
          <Outcome result={preview.data} strategies={strategies.items} />
        </>
      )}
      <Plans project_id={project_id} />
    </Page>
  );
}
