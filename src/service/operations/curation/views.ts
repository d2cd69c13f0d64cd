import { AssayError } from '#core';
import type { CurationPlan, CurationPlanSummary } from '#core/api';
import type { CurationPlanRow } from '#store';

export function planOf({ report, ...row }: CurationPlanRow): CurationPlan {
  const { id, project_id, name, created_by } = row;
  return { id, project_id, name, created_at: row.created_at.toISOString(), created_by, ...report };
}

export function planSummaryOf(row: Omit<CurationPlanRow, 'report'>): CurationPlanSummary {
  const { tenant_id: _, created_at, ...shown } = row;
  return { ...shown, created_at: created_at.toISOString() };
}

export const noPlan = (): AssayError =>
  new AssayError('not_found', 'the project has no curation plan of this id', {
    advice: 'GET /v1/projects/{project_id}/curation/plans lists them',
  });
