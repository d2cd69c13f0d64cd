import type { Export } from '#core/api';
import type { BundleInputs, ExportRow } from '#store';
import { usd } from '../../budget/money.ts';

const certificationOf = ({ origin, policy_version, input_hash }: BundleInputs): Export['certification'] => ({
  origin,
  policy_version,
  input_hash,
});

/** An export as it is answered, from its row. */
export function exportOf(row: ExportRow): Export {
  const { kept, dropped, written } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    source_id: row.source_id,
    dataset_path: row.dataset_path,
    format: row.format,
    rate_hz: row.rate_hz,
    status: row.status,
    // Rows of before these could be asked for have none.
    chosen: {
      ...row.chosen,
      edits: row.chosen.edits ?? {},
      annotations: row.chosen.annotations ?? null,
    },
    purpose: row.purpose,
    certification: row.certification === null ? null : certificationOf(row.certification),
    episodes: { kept, dropped, written },
    files: row.files,
    bytes: row.bytes,
    seal: row.seal,
    estimate_usd: row.estimate_usd,
    reserved_usd: row.reservation_id === null ? 0 : row.reserved_usd,
    measured_usd: usd(row.compute_s * row.price_usd_per_s),
    compute_s: row.compute_s,
    error: row.error,
    waiting: row.waiting,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    sealed_by: row.sealed_by,
    sealed_at: row.sealed_at?.toISOString() ?? null,
  };
}
