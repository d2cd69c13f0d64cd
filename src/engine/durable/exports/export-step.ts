import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { AssayError, newId, sha256 } from '#core';
import type { BundleFacts } from '#core/api';
import type { DatasetFacts } from '#formats';
import { bundleNames, sealBundle } from '#quality/certification/bundle';
import {
  type BundleInputs,
  type ExportRow,
  evidenceRows,
  exportRows,
  ontologyRows,
  policyRows,
  projectRows,
  type SourceLocation,
  sourceRows,
} from '#store';
import { resolveRecordings } from '../../resolve-recordings.ts';
import { toEditRequest } from '../../steps/export/export-request.ts';
import type { HashedFile } from '../../steps/export/lineage.ts';
import { exportFileKey, exportIndexKey } from '../../steps/export/store-files.ts';
import { exportableLayers, exportedLayers, unsupportedLayers } from '../../steps/exported-layers.ts';
import { createThreadHooks, type WorkContext, withRunningWork } from '../do-work.ts';
import type { Engine, WorkKind } from '../engine.ts';
import { type ExportRef, endExport, exportPrefix } from './export-lifecycle.ts';
import { getSigner } from './tenant-signer.ts';

/**
 * Writes an export or a certified bundle into the blob store, under a new prefix per attempt, and ends its row as succeeded or
 * sealed once everything is stored.
 * @throws `not_ready` if a recording has changed since it was evaluated; `conflict` if the evidence of a bundle has
 */
export async function exportStep(
  engine: Engine,
  ref: ExportRef,
  context: WorkContext<ExportRow>,
): Promise<void> {
  const { store, threads } = engine;
  const { row } = context;
  if (row.certification !== null) return bundleStep(engine, ref, context, row.certification);
  const { source_id, format } = row;
  if (source_id === null || format === 'certified-bundle')
    throw new AssayError('internal', 'the export has neither a source nor certification evidence');
  const source = await sourceRows.getSource({ sql: store.database.sql, tenant_id: ref.tenant_id }, source_id);
  if (source === null) throw new AssayError('not_found', 'the source was deleted');
  context.uncommitted.episodes = 0;
  const prefix = `${exportPrefix(ref)}/${newId('blb')}`;
  const layers = row.chosen.annotations === true ? exportableLayers(format) : [];
  const annotated =
    layers.length === 0 ? [] : await exportRows.listAnnotatedLayers(store.database, row, exportedLayers);
  const scope = { sql: store.database.sql, tenant_id: ref.tenant_id };
  const { renames } = await ontologyRows.getOntology(scope, row.project_id);
  const answer = await threads.do(
    {
      type: 'export',
      key: ref.export_id,
      recordings: await resolveRecordings(store, source),
      source_name: exportSourceName(source.location, source.name),
      dataset_path: row.dataset_path,
      dataset_format: row.dataset_format,
      format,
      rate_hz: row.rate_hz,
      edits: toEditRequest(row.chosen.edits),
      layers,
      dropped_layers: unsupportedLayers(format, annotated)?.layers ?? [],
      class_renames: renames,
      episodes: await exportRows.chosenAsJson(store.database, row, layers),
      prefix,
    },
    createThreadHooks(engine, exportKind, ref, context),
  );
  await withRunningWork(
    engine,
    exportKind,
    ref,
    async (locked) => {
      const { files, bytes, seal, compute_s } = answer;
      const made = { blob_prefix: prefix, files, bytes, seal, compute_s, written: locked.kept };
      await endExport(store, locked, { ...made, status: 'succeeded', error: null });
    },
    context.stop,
  );
}

/** Returns the source name as in local exports: the last path component. */
const exportSourceName = (location: SourceLocation, name: string): string =>
  location.kind === 'folder' ? basename(location.path) : name;

/**
 * Writes a queued bundle: a thread stores report and receipts, this process signs them, and the row names the prefix
 * once everything is stored. Throws `conflict` if annotations or episodes have changed since it was queued,
 * `signing_failed`.
 */
async function bundleStep(
  engine: Engine,
  ref: ExportRef,
  context: WorkContext<ExportRow>,
  inputs: BundleInputs,
): Promise<void> {
  const { store, threads } = engine;
  const { row } = context;
  const policy = await loadPolicy(engine, row, inputs);
  await requireUnchanged(engine, ref, inputs);
  context.uncommitted.episodes = 0;
  const prefix = `${exportPrefix(ref)}/${newId('blb')}`;
  const answer = await threads.do(
    {
      type: 'certify',
      key: ref.export_id,
      title: await loadProjectName(engine, row),
      policy,
      project_id: row.project_id,
      wanted: inputs.wanted,
      ...(await evidenceRows.evidenceAsJson<DatasetFacts>(store.database, ref)),
      report_blob: inputs.report_blob,
      prefix,
    },
    createThreadHooks(engine, exportKind, ref, context),
  );
  const { files, seal } = await storeSeal(engine, ref, prefix, answer.files, {
    origin: inputs.origin,
    project_id: row.project_id,
    policy: { version: inputs.policy_version, hash: policy.policy_hash },
    report: answer.report,
  });
  await withRunningWork(
    engine,
    exportKind,
    ref,
    async (locked) => {
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      const made = { blob_prefix: prefix, files: files.length, bytes, seal, compute_s: answer.compute_s };
      const sealed = { status: 'sealed', sealed_at: new Date(), sealed_by: locked.created_by } as const;
      await endExport(store, locked, { ...made, ...sealed, written: locked.kept, error: null });
    },
    context.stop,
  );
}

async function loadPolicy({ store }: Engine, row: ExportRow, { policy_version }: BundleInputs) {
  const scope = { sql: store.database.sql, tenant_id: row.tenant_id };
  const saved = await policyRows.getPolicy(scope, row.project_id, policy_version);
  if (saved !== null) return saved.policy;
  throw new AssayError('not_found', `the policy version ${policy_version} was deleted`);
}

/** Returns the name of the project, or its id if it is missing. */
async function loadProjectName({ store }: Engine, { tenant_id, project_id }: ExportRow): Promise<string> {
  const project = await projectRows.getProject({ sql: store.database.sql, tenant_id }, project_id);
  return project?.name ?? project_id;
}

async function requireUnchanged(
  { store }: Engine,
  ref: ExportRef,
  { evidence_hash }: BundleInputs,
): Promise<void> {
  if (evidence_hash === null) return;
  const { hash } = await evidenceRows.evidenceState(store.database, ref);
  if (hash !== evidence_hash)
    throw new AssayError(
      'conflict',
      'episodes or their annotations have changed since the bundle was requested',
      {
        advice: 'export again when no run or job is in progress',
      },
    );
}

/**
 * Signs the stored files, stores the signature files and the list of all files, and returns that list and the SHA-256 of the
 * manifest (`seal`).
 */
async function storeSeal(
  { store }: Engine,
  ref: ExportRef,
  prefix: string,
  written: readonly HashedFile[],
  facts: BundleFacts,
): Promise<{ readonly files: readonly HashedFile[]; readonly seal: string }> {
  const seals = await sealBundle(written, facts, await getSigner(store, ref.tenant_id));
  const added: HashedFile[] = [];
  for (const { path, content } of seals) {
    await store.blobs.put(exportFileKey(prefix, path), content);
    added.push({ path, bytes: content.length, sha256: sha256(content), crc32: crc32(content) });
  }
  const files = [...written, ...added].sort((a, b) => (a.path < b.path ? -1 : 1));
  await store.blobs.put(exportIndexKey(prefix), Buffer.from(JSON.stringify(files)));
  return { files, seal: added.find(({ path }) => path === bundleNames.manifest)?.sha256 ?? '' };
}

/** Exports as a kind of work. */
export const exportKind: WorkKind<ExportRef, ExportRow> = {
  noun: 'export',
  tryAgain: 'export again',
  keyOf: ({ export_id }) => export_id,
  read: (scope, { export_id }) => exportRows.getExport(scope, export_id),
  lock: (scope, { export_id }) => exportRows.lockExport(scope, export_id),
  stateOf: ({ status }) => (status === 'queued' || status === 'running' ? status : 'over'),
  start: ({ database }, row, now) =>
    exportRows.updateExport({ sql: database.sql, tenant_id: row.tenant_id }, row.id, {
      status: 'running',
      started_at: now,
    }),
  setWaiting: ({ database }, row, waiting) =>
    exportRows.updateExport({ sql: database.sql, tenant_id: row.tenant_id }, row.id, { waiting }),
  fail: async ({ store }, _, row, error) => {
    await endExport(store, row, { status: 'failed', error });
  },
  findStopped: exportRows.findStoppedExports,
  publishProgress: async (engine, ref) => {
    const { sql } = engine.store.database;
    const { episodes } = engine.watch.uncommitted('export', ref.export_id);
    await withRunningWork(engine, exportKind, ref, (row) =>
      exportRows.updateExport({ sql, tenant_id: ref.tenant_id }, ref.export_id, {
        written: Math.min(row.kept, episodes),
        progress_at: new Date(),
      }),
    );
  },
};
