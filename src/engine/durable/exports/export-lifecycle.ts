import { AssayError, type JsonObject } from '#core';
import type { Export } from '#core/api';
import { type BundleInputs, type ExportRow, exportRows, type Store } from '#store';
import { ceilUsd, charge, type LedgerContext, release, reserve, roundUsd } from '../../budget/ledger.ts';
import { findPrice } from '../../budget/prices.ts';
import type { NotificationStore } from '../../notifications/raise-event.ts';
import { orphanDelay_s } from '../engine.ts';
import { toApiWords } from './api-words.ts';

/**
 * Reserves the expected cost of a new export, queues it and returns its updated row; called in the transaction that added it.
 * @throws `budget_exceeded`
 */
export async function launchExport(store: Store, row: ExportRow): Promise<ExportRow> {
  const { bytes, episodes } = await exportRows.judgedBytes(store.database, row);
  const own = episodes === 0 ? 0 : (bytes / episodes) * row.kept;
  const reserved = await reserveForExport(store, row, plannedExportSeconds(row.kept, own));
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  const launched = await exportRows.updateExport(scope, row.id, reserved);
  await store.queue.send('export_steps', [{ ...exportRef(row), step: 'export' }]);
  return launched;
}

/** Reference to an export. */
export interface ExportRef {
  readonly tenant_id: string;
  readonly export_id: string;
}

/** Returns the reference of an export row. */
export const exportRef = ({ tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>): ExportRef => ({
  tenant_id,
  export_id: id,
});

/** Returns the export reference of a queued item, without validating it. */
export const parseExportRef = ({ tenant_id, export_id }: JsonObject): ExportRef => ({
  tenant_id: String(tenant_id),
  export_id: String(export_id),
});

/** Returns the prefix of all blob keys of an export. */
export const exportPrefix = ({ tenant_id, export_id }: ExportRef): string => `${tenant_id}/${export_id}`;

/** Returns the error for a missing export; the same for another tenant's, so that ids do not leak. */
export const exportNotFound = (): AssayError =>
  new AssayError('not_found', 'no export with this id', {
    advice: 'GET /v1/projects/{project_id}/exports lists them',
  });

type Payer = Pick<ExportRow, 'tenant_id' | 'id' | 'project_id'>;

const ledgerContext = (store: NotificationStore, { tenant_id }: Payer): LedgerContext => ({
  store,
  scope: { sql: store.database.sql, tenant_id },
  now: new Date(),
});

const toPurpose = ({ id, project_id }: Payer) => ({ purpose_id: id, project_id });

/** Name of exports in prices and costs, next to `readiness` and the annotation layers. */
const costName = 'export';

/** Returns the price of exports in US dollars per CPU second; 0 without a price list. */
export const exportPrice = ({ prices }: Pick<Store, 'prices'>): number => findPrice(prices, costName, 'cpu');

/** Planning figures: seconds per episode, and throughput of copying, hashing and storing. */
const perEpisode_s = 0.02;
const bytes_per_s = 100e6;

/** Returns the expected thread seconds for exporting episodes of a total size in bytes. */
const plannedExportSeconds = (episodes: number, bytes: number): number =>
  1 + episodes * perEpisode_s + bytes / bytes_per_s;

/**
 * Reserves the expected cost of an export and returns the changed columns of its row; no reservation if it is free. Throws
 * `budget_exceeded`.
 */
async function reserveForExport(
  store: NotificationStore,
  row: Payer & Pick<ExportRow, 'price_usd_per_s'>,
  seconds: number,
): Promise<Pick<ExportRow, 'estimate_usd' | 'reserved_usd' | 'reservation_id'>> {
  const estimate_usd = ceilUsd(seconds * row.price_usd_per_s);
  const reservation_id =
    estimate_usd === 0 ? null : await reserve(ledgerContext(store, row), toPurpose(row), estimate_usd);
  return { estimate_usd, reserved_usd: estimate_usd, reservation_id };
}

/** Charges the cost of an export and releases the rest of its reservation, in the transaction that ends it. */
async function settleExport(store: NotificationStore, row: ExportRow): Promise<void> {
  const { compute_s, price_usd_per_s, reservation_id } = row;
  const till = ledgerContext(store, row);
  if (compute_s > 0) {
    const measured = { layer: costName, model: null, compute_s, amount_usd: compute_s * price_usd_per_s };
    await charge(till, toPurpose(row), reservation_id, measured);
  }
  if (reservation_id !== null) await release(till, reservation_id);
}

/**
 * Ends a locked export with `end` and returns its row: charges its compute time, releases the reservation and schedules the
 * deletion of orphaned blobs.
 */
export async function endExport(
  store: NotificationStore,
  row: ExportRow,
  end: Partial<ExportRow> & Pick<ExportRow, 'status' | 'error'>,
): Promise<ExportRow> {
  const { sql } = store.database;
  await settleExport(store, { ...row, ...end });
  await store.queue.send('export_steps', [{ ...exportRef(row), step: 'sweep' }], {
    after_s: orphanDelay_s,
  });
  return exportRows.updateExport({ sql, tenant_id: row.tenant_id }, row.id, {
    ...end,
    reservation_id: null,
    waiting: null,
    finished_at: new Date(),
  });
}

const toCertification = ({ origin, policy_version, input_hash }: BundleInputs): Export['certification'] => ({
  origin,
  policy_version,
  input_hash,
});

/** Converts the error of an export to the words of the API. */
const toWorkError = (error: ExportRow['error']): Export['error'] =>
  error === null
    ? null
    : {
        ...error,
        message: toApiWords(error.message),
        advice: error.advice === null ? null : toApiWords(error.advice),
      };

/** Converts an export row to the API form, with options of `assay export` in its errors replaced by members of the API. */
export function toExport(row: ExportRow): Export {
  const { kept, dropped, written } = row;
  return {
    id: row.id,
    project_id: row.project_id,
    source_id: row.source_id,
    dataset_path: row.dataset_path,
    format: row.format,
    rate_hz: row.rate_hz,
    status: row.status,
    // Older rows lack these members.
    chosen: {
      ...row.chosen,
      edits: row.chosen.edits ?? {},
      annotations: row.chosen.annotations ?? null,
    },
    purpose: row.purpose,
    certification: row.certification === null ? null : toCertification(row.certification),
    episodes: { kept, dropped, dropped_by: [...(row.dropped_by ?? [])], written },
    files: row.files,
    bytes: row.bytes,
    seal: row.seal,
    estimate_usd: row.estimate_usd,
    reserved_usd: row.reservation_id === null ? 0 : row.reserved_usd,
    measured_usd: roundUsd(row.compute_s * row.price_usd_per_s),
    compute_s: row.compute_s,
    error: toWorkError(row.error),
    waiting: toWorkError(row.waiting),
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    sealed_by: row.sealed_by,
    sealed_at: row.sealed_at?.toISOString() ?? null,
  };
}
