import { AssayError } from '#core';
import { type EpisodeDataset, exportRows, type Store, sourceRows, type TenantScope } from '#store';
import { noSource } from '../sources/views.ts';

interface Asked {
  readonly project_id: string;
  readonly source_id?: string | undefined;
  readonly dataset_path?: string | undefined;
  readonly episodes: {
    readonly episode_ids?: readonly string[] | undefined;
    readonly slice_id?: string | undefined;
    readonly curation_id?: string | undefined;
  };
}

const mostNamed = 20;

/**
 * The one dataset that an export is made of. Throws `not_found`, `not_ready` where the project has no episodes yet,
 * `invalid_request` where there are several and none is named.
 */
export async function datasetOf(store: Store, scope: TenantScope, asked: Asked): Promise<EpisodeDataset> {
  const { project_id, source_id, dataset_path, episodes } = asked;
  if (source_id !== undefined) await demandSource(scope, project_id, source_id);
  const chosen = {
    named: episodes.episode_ids ?? null,
    slice_id: episodes.slice_id ?? null,
    curation_id: episodes.curation_id ?? null,
  };
  const all = await exportRows.datasetsOfEpisodes(store.database, scope.tenant_id, { project_id, ...chosen });
  const fitting = all.filter(
    (one) =>
      (source_id === undefined || one.source_id === source_id) &&
      (dataset_path === undefined || one.dataset_path === dataset_path),
  );
  const [first, second] = fitting;
  if (first === undefined) throw nothingThere(asked, all);
  if (second !== undefined) throw several(fitting);
  return first;
}

async function demandSource(scope: TenantScope, project_id: string, source_id: string): Promise<void> {
  const source = await sourceRows.getSource(scope, source_id);
  if (source === null || source.project_id !== project_id) throw noSource();
}

function nothingThere({ project_id }: Asked, all: readonly EpisodeDataset[]): AssayError {
  if (all.length === 0)
    return new AssayError('not_ready', 'the project has no episodes yet', {
      advice: `run a source first: POST /v1/projects/${project_id}/runs`,
    });
  return new AssayError('not_found', 'the project has no such dataset', {
    advice: 'name source_id and dataset_path of one of `datasets`',
    details: { datasets: named(all) },
  });
}

const several = (all: readonly EpisodeDataset[]): AssayError =>
  new AssayError(
    'invalid_request',
    `the episodes come from ${all.length} datasets, and an export takes one`,
    {
      advice: 'name source_id and dataset_path of one of `datasets`',
      details: {
        datasets: named(all),
        errors: [{ pointer: '/body/source_id', message: 'several datasets fit' }],
      },
    },
  );

const named = (all: readonly EpisodeDataset[]) => all.slice(0, mostNamed).map((one) => ({ ...one }));
