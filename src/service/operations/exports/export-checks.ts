import { AssayError } from '#core';
import { requireExportable, type StorableSettings, toApiPointer, toApiWords } from '#engine';
import {
  type EpisodeDataset,
  type ExportRow,
  exportRows,
  type Store,
  sourceRows,
  type TenantScope,
} from '#store';
import { noSource } from '../sources/views.ts';

interface DatasetSelection {
  readonly project_id: string;
  readonly source_id?: string | undefined;
  readonly dataset_path?: string | undefined;
  readonly episodes: {
    readonly episode_ids?: readonly string[] | undefined;
    readonly slice_id?: string | undefined;
    readonly curation_id?: string | undefined;
  };
}

const maxListedDatasets = 20;

/**
 * Returns the single dataset that an export is made from. Throws `not_found`, `not_ready` if the project has no
 * episodes, `invalid_request` if several datasets fit.
 */
export async function chooseDataset(
  store: Store,
  scope: TenantScope,
  selection: DatasetSelection,
): Promise<EpisodeDataset> {
  const { project_id, source_id, dataset_path, episodes } = selection;
  if (source_id !== undefined) await requireSourceOfProject(scope, project_id, source_id);
  const chosen = {
    named: episodes.episode_ids ?? null,
    slice_id: episodes.slice_id ?? null,
    curation_id: episodes.curation_id ?? null,
  };
  const all = await exportRows.listEpisodeDatasets(store.database, scope.tenant_id, {
    project_id,
    ...chosen,
  });
  const fitting = all.filter(
    (one) =>
      (source_id === undefined || one.source_id === source_id) &&
      (dataset_path === undefined || one.dataset_path === dataset_path),
  );
  const [first, second] = fitting;
  if (first === undefined) throw datasetNotFound(selection, all);
  if (second !== undefined) throw ambiguousDataset(fitting);
  return first;
}

async function requireSourceOfProject(
  scope: TenantScope,
  project_id: string,
  source_id: string,
): Promise<void> {
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null || source.project_id !== project_id) throw noSource();
}

function datasetNotFound({ project_id }: DatasetSelection, all: readonly EpisodeDataset[]): AssayError {
  if (all.length === 0)
    return new AssayError('not_ready', 'the project has no episodes yet', {
      advice: `run a source first: POST /v1/projects/${project_id}/runs`,
    });
  return new AssayError('not_found', 'dataset not found in the project', {
    advice: 'set source_id and dataset_path to those of one of `datasets`',
    details: { datasets: listDatasets(all) },
  });
}

const ambiguousDataset = (all: readonly EpisodeDataset[]): AssayError =>
  new AssayError(
    'invalid_request',
    `the episodes belong to ${all.length} datasets; an export writes one dataset at a time`,
    {
      advice: 'set source_id and dataset_path to those of one of `datasets`',
      details: {
        datasets: listDatasets(all),
        errors: [{ pointer: '/body/source_id', message: 'several datasets match' }],
      },
    },
  );

const listDatasets = (all: readonly EpisodeDataset[]) =>
  all.slice(0, maxListedDatasets).map((one) => ({ ...one }));

/** Throws `invalid_request` if a dataset of this format does not support the edits, rate or trims in the target format. */
export function requireSupportedEdits(
  { trims, ...settings }: StorableSettings,
  dataset_format: string,
): void {
  inApiWords(() => requireExportable({ ...settings, sources: [{ trims }] }, [dataset_format]));
}

/** Runs a check that is shared with `assay export`. Throws its refusals as `toApiRefusal` converts them. */
export function inApiWords(check: () => void): void {
  try {
    check();
  } catch (thrown) {
    throw toApiRefusal(thrown);
  }
}

/**
 * Converts a refusal of `assay export` to `invalid_request`, with the members of the API in place of options; returns every
 * other value as it is.
 */
export function toApiRefusal(thrown: unknown): unknown {
  const isRefusal =
    thrown instanceof AssayError && (thrown.code === 'usage' || thrown.code === 'unreadable_input');
  if (!isRefusal) return thrown;
  const message = toApiWords(thrown.message);
  return new AssayError('invalid_request', message, {
    ...(thrown.advice === null ? {} : { advice: toApiWords(thrown.advice) }),
    details: { errors: [{ pointer: toApiPointer(thrown), message }] },
  });
}

/** Episodes that an error names. */
const maxListedEpisodes = 20;

/**
 * Throws `conflict` naming episodes of an export that a locked slice holds out for evaluation: those that it keeps, or
 * those that were dropped for this reason.
 */
export async function requireNotHeldOut(
  { database }: Pick<Store, 'database'>,
  row: Pick<ExportRow, 'tenant_id' | 'id'>,
  which: 'kept' | 'dropped',
): Promise<void> {
  const { count, episodes } = await exportRows.findHeldOutEpisodes(database, row, which, maxListedEpisodes);
  const [first] = episodes;
  if (first === undefined) return;
  const names = episodes.map(({ name }) => name).join(', ');
  throw new AssayError(
    'conflict',
    `${count} of the episodes are reserved for evaluation by locked slices: ${names}${count > episodes.length ? ', …' : ''}`,
    {
      advice: 'exclude them with "without", or export with "purpose": "evaluation"',
      details: { held_out: count, episodes: episodes.map((one) => ({ ...one })) },
    },
  );
}
