import { AssayError } from '#core';
import type { Failure, FailureImport } from '#core/api';
import type { FailureImportRow, FailureRow } from '#store';

/** An import as it is answered. */
export function importOf({ tenant_id: _, created_at, ...row }: FailureImportRow): FailureImport {
  return { ...row, created_at: created_at.toISOString() };
}

/** A failure as it is answered; what describes it stays here. */
export function failureOf(row: FailureRow): Failure {
  const { tenant_id: _, project_id: __, layout: ___, vector: ____, occurred_at, nearest, ...shown } = row;
  return {
    ...shown,
    occurred_at: occurred_at?.toISOString() ?? null,
    nearest: nearest.map((near) => ({ ...near })),
  };
}

/** For an absent import, another project’s and another tenant’s alike. */
export const noImport = (): AssayError =>
  new AssayError('not_found', 'the project has no import of failures of this id', {
    advice: 'GET /v1/projects/{project_id}/failures names the import of each failure',
  });
