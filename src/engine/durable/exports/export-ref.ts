import { AssayError, type JsonObject } from '#core';
import type { ExportRow } from '#store';

/** Which export. */
export interface ExportRef {
  readonly tenant_id: string;
  readonly export_id: string;
}

export const refOfExport = ({ tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>): ExportRef => ({
  tenant_id,
  export_id: id,
});

/** The export that queued work is of. */
export const queuedExport = ({ tenant_id, export_id }: JsonObject): ExportRef => ({
  tenant_id: String(tenant_id),
  export_id: String(export_id),
});

/** Keys of everything of an export start so. */
export const exportPrefix = ({ tenant_id, export_id }: ExportRef): string => `${tenant_id}/${export_id}`;

/** For an absent export and another tenant's alike. */
export const noExport = (): AssayError =>
  new AssayError('not_found', 'there is no export of this id', {
    advice: 'GET /v1/projects/{project_id}/exports lists them',
  });
