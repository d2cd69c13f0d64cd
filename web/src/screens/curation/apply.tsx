import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CurationPlanInput, CurationResult } from '#client';
import { useAct } from '../../api/use-act.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Panel } from '../../components/page.tsx';
import { ExportThese } from '../exports/export-these.tsx';

interface ApplyProps {
  readonly project_id: string;
  readonly plan: CurationPlanInput;
  readonly preview: CurationResult;
}

/**
 * Applies a previewed plan, which fails if the episodes have changed since the preview; then offers to export the
 * kept episodes.
 */
export function Apply({ project_id, plan, preview: { plan_hash } }: ApplyProps) {
  const [name, setName] = useState('');
  const apply = useAct('apply_curation', ['list_curation_plans']);
  const made = apply.data?.plan_hash === plan_hash ? apply.data : undefined;
  const named = name.trim() === '' ? {} : { name: name.trim() };
  return (
    <Panel title="Apply">
      {made === undefined ? (
        <div className="form-row">
          <label>
            Plan name
            <input maxLength={200} value={name} onChange={({ target }) => setName(target.value)} />
          </label>
          <Action
            needs="engineer"
            look="main"
            busy={apply.isPending}
            onAct={() => apply.mutate({ project_id, ...plan, ...named, expected_plan_hash: plan_hash })}
          >
            Apply this plan
          </Action>
        </div>
      ) : (
        <>
          <p role="status">
            Applied as{' '}
            <Link
              to="/projects/$projectId/curation/$planId"
              params={{ projectId: project_id, planId: made.id }}
            >
              {made.name}
            </Link>
            .
          </p>
          <ExportThese
            project_id={project_id}
            chosen={{ curation_id: made.id }}
            what="all episodes that the plan keeps, regardless of their decision"
          />
        </>
      )}
      {apply.error !== null && <Complaint error={apply.error} />}
    </Panel>
  );
}
