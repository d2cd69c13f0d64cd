import { AssayError, newId } from '#core';
import type { Decision, Export, ExportFormatId } from '#core/api';
import type { Kind } from '#core/episode';
import {
  exportedLayers,
  exportPrice,
  formatsWithAnnotations,
  launchExport,
  resolveRecordings,
  toEditRequest,
  toExport,
  unsupportedLayers,
} from '#engine';
import { targetProfile } from '#quality/use-cases';
import {
  curationRows,
  type ExportRow,
  exportRows,
  projectRows,
  type Store,
  sliceRows,
  sourceRows,
  type TenantScope,
} from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noPlan } from '../curation/plans.ts';
import { dryRun } from '../dry-run.ts';
import { requireEpisodes } from '../episodes/load-episode.ts';
import { requireFittingFormat } from '../projects/export-fit.ts';
import { noProject } from '../projects/views.ts';
import { noSlice } from '../slices/views.ts';
import { noSource } from '../sources/views.ts';
import { storedUseCase } from '../use-cases.ts';
import { chooseDataset, requireNotHeldOut, requireSupportedEdits } from './export-checks.ts';
import { requireStorableDataset } from './storable-dataset.ts';

/** An export to create. */
export interface ExportInput {
  readonly project_id: string;
  /** Absent: the format of the project’s target profile. */
  readonly format?: ExportFormatId | undefined;
  readonly rate_hz?: number | undefined;
  readonly source_id?: string | undefined;
  readonly dataset_path?: string | undefined;
  readonly episodes: {
    readonly decisions: readonly Decision[];
    readonly slice_id?: string | undefined;
    readonly curation_id?: string | undefined;
    readonly episode_ids?: readonly string[] | undefined;
    readonly without?: readonly string[] | undefined;
  };
  readonly edits?: Readonly<Record<string, readonly string[] | undefined>> | undefined;
  readonly annotations?: boolean | undefined;
  readonly purpose: ExportRow['purpose'];
}

/**
 * Chooses the episodes of an export, reserves its estimated cost, queues and audits it, and returns it. A training set leaves
 * out episodes that locked slices hold out for evaluation. Throws `not_found`, `conflict` if such an episode is named or none
 * else remains, `not_ready` if no episode remains, `invalid_request` for several datasets, for a format that does not fit and
 * for edits that cannot be made, `source_not_allowed`, `budget_exceeded`.
 */
export async function createExport(store: Store, call: Call, input: ExportInput): Promise<Export> {
  return queueExport(store, call, await prepareExport(store, call, input));
}

/** Returns the export as it would be queued, with its cost estimate, without storing it. Throws as `createExport`. */
export async function previewExport(store: Store, call: Call, input: ExportInput): Promise<Export> {
  const prepared = await prepareExport(store, call, input);
  return dryRun(store, () => queueExport(store, call, prepared));
}

/** An export that can be made, before its episodes are chosen. */
interface PreparedExport {
  readonly row: ExportRow;
  readonly source_id: string;
  readonly choice: exportRows.EpisodeChoice;
}

/**
 * Checks an export and returns its row, for which the episodes are not yet chosen. It may read files, so call it outside of
 * transactions. Throws `not_found`, `invalid_request`, `source_not_allowed`.
 */
async function prepareExport(store: Store, call: Call, input: ExportInput): Promise<PreparedExport> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project_id, edits, rate_hz } = input;
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const format = input.format ?? targetProfile(project.target_profile).export_format;
  const pinned = project.data_kind_override;
  const requireFit = (kinds: readonly Kind[]) =>
    requireFittingFormat(storedUseCase(project.use_case), format, pinned === null ? kinds : [pinned]);
  requireFit([]);
  const choice = toEpisodeChoice(input);
  const { named, slice_id, curation_id, without } = choice;
  const trims = curation_id === null ? {} : await readTrims(scope, project_id, curation_id);
  if (slice_id !== null && (await sliceRows.getSlice(scope, { project_id, slice_id })) === null)
    throw noSlice();
  await requireEpisodes(store, scope, project_id, [...(named ?? []), ...without]);
  const dataset = await chooseDataset(store, scope, input);
  const row = newExportRow(store, call, { ...input, format }, dataset);
  requireFit(await exportRows.listChosenKinds(store.database, row, choice));
  const rate = rate_hz === undefined ? {} : { rate_hz };
  const settings = { format, edits: toEditRequest(edits), trims, ...rate };
  requireSupportedEdits(settings, dataset.format);
  requireAnnotationSupport(row);
  const { source_id } = dataset;
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null) throw noSource();
  await requireStorableDataset(store, { source, dataset: row, choice, settings });
  return { row, source_id, choice };
}

/** Freezes the choice of an export, reserves its cost, queues and audits it, all in one transaction, and returns it. */
async function queueExport(
  store: Store,
  call: Call,
  { row, source_id, choice }: PreparedExport,
): Promise<Export> {
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const source = await sourceRows.getSource(scope, source_id, 'share');
    if (source === null) throw noSource();
    await resolveRecordings(store, source);
    const chosen = await chooseEpisodes(store, row, choice);
    const { kept, dropped } = chosen;
    await requireStorableLayers(store, row);
    await exportRows.insertExport(scope, { ...row, ...chosen });
    const launched = await launchExport(store, { ...row, ...chosen });
    await appendAudit(store, call, {
      action: 'create_export',
      object_type: 'export',
      object_id: row.id,
      before: null,
      after: { id: row.id, format: row.format, kept, dropped, estimate_usd: launched.estimate_usd },
      detail: { project_id: row.project_id, source_id, format: row.format },
    });
    return toExport(launched);
  });
}

const toEpisodeChoice = ({ episodes }: ExportInput): exportRows.EpisodeChoice => ({
  decisions: episodes.decisions,
  named: episodes.episode_ids ?? null,
  slice_id: episodes.slice_id ?? null,
  curation_id: episodes.curation_id ?? null,
  without: episodes.without ?? [],
});

/** An export to create, with its format. */
type ResolvedInput = ExportInput & { readonly format: ExportFormatId };

async function readTrims(scope: TenantScope, project_id: string, curation_id: string) {
  const plan = await curationRows.getPlan(scope, project_id, curation_id);
  if (plan === null) throw noPlan();
  return plan.report.trims;
}

/**
 * Freezes the choice of an export and returns how many episodes it keeps and leaves out. Throws `conflict` if held-out
 * episodes were named or nothing else is left, `not_ready` if no episode is left.
 */
async function chooseEpisodes(store: Store, row: ExportRow, choice: exportRows.EpisodeChoice) {
  const chosen = await exportRows.chooseEpisodes(store.database, row, choice);
  // Leaving out episodes that the request names would surprise; of others, the export counts how many it leaves out.
  if (choice.named !== null || chosen.kept === 0) await requireNotHeldOut(store, row, 'dropped');
  if (chosen.kept === 0) throw noEpisodesLeft(chosen.dropped);
  return chosen;
}

const noEpisodesLeft = (dropped: number): AssayError =>
  new AssayError('not_ready', `no episodes to export: all ${dropped} are excluded`, {
    advice: 'include more decisions, such as "decisions": ["accept", "review"], or select episodes by id',
    details: { dropped },
  });

function newExportRow(
  store: Store,
  call: Call,
  { project_id, format, rate_hz, purpose, episodes, edits, annotations }: ResolvedInput,
  { source_id, dataset_path, format: dataset_format }: exportRows.EpisodeDataset,
): ExportRow {
  return {
    tenant_id: call.actor.tenant_id,
    id: newId('exp'),
    ...{ project_id, source_id, dataset_path, dataset_format, format, purpose },
    rate_hz: rate_hz ?? null,
    status: 'queued',
    chosen: {
      decisions: [...episodes.decisions],
      named: episodes.episode_ids?.length ?? null,
      slice_id: episodes.slice_id ?? null,
      curation_id: episodes.curation_id ?? null,
      without: episodes.without?.length ?? 0,
      edits: toEditRequest(edits),
      annotations: annotations ?? null,
    },
    certification: null,
    kept: 0,
    dropped: 0,
    dropped_by: null,
    written: 0,
    blob_prefix: null,
    files: 0,
    bytes: 0,
    seal: null,
    estimate_usd: 0,
    reservation_id: null,
    reserved_usd: 0,
    compute_s: 0,
    price_usd_per_s: exportPrice(store),
    error: null,
    waiting: null,
    created_at: call.now,
    created_by: actorId(call),
    started_at: null,
    progress_at: null,
    finished_at: null,
    sealed_at: null,
    sealed_by: null,
  };
}

/** Throws `invalid_request` if annotations are requested for a format that cannot hold them. */
function requireAnnotationSupport({ format, chosen: { annotations } }: ExportRow): void {
  const formats: readonly string[] = formatsWithAnnotations();
  if (annotations !== true || formats.includes(format)) return;
  const message = `${format} cannot store annotations`;
  throw new AssayError('invalid_request', message, {
    advice: `omit annotations, or export to a format that can store them: ${formats.join(', ')}`,
    details: { errors: [{ pointer: '/body/annotations', message }] },
  });
}

/**
 * Throws `invalid_request` if annotations are requested and the format can store no layer that the kept episodes have
 * annotations of.
 */
async function requireStorableLayers({ database }: Pick<Store, 'database'>, row: ExportRow): Promise<void> {
  const { format, chosen } = row;
  if (chosen.annotations !== true || format === 'certified-bundle') return;
  const annotated = await exportRows.listAnnotatedLayers(database, row, exportedLayers);
  const unsupported = unsupportedLayers(format, annotated);
  if (unsupported === null || unsupported.layers.length < annotated.length) return;
  throw new AssayError('invalid_request', unsupported.reason, {
    advice:
      'omit annotations, or export to another format; GET …/annotation/settings lists the formats of each layer',
    details: { errors: [{ pointer: '/body/annotations', message: unsupported.reason }] },
  });
}
