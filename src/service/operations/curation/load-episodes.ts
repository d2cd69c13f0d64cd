import { AssayError } from '#core';
import { type CurationEpisode, planNames } from '#quality/curation';
import { descriptors } from '#quality/search';
import { curationRows, projectRows, type TenantScope } from '#store';
import { noProject } from '../projects/views.ts';
import { loadSamples } from './load-samples.ts';

/** Episodes of a project that are curated at once; more are held in memory only where somebody has planned for it. */
const mostEpisodes = 100_000;

export interface LoadedEpisodes {
  readonly project: projectRows.ProjectRow;
  /** Under their plan names. */
  readonly episodes: readonly CurationEpisode[];
  /** Their ids, by plan name. */
  readonly ids: ReadonlyMap<string, string>;
}

/** A project with all that is known of its episodes, samples only if asked. Throws `not_found`, `limit_exceeded`. */
export async function loadEpisodes(
  scope: TenantScope,
  project_id: string,
  { samples }: { readonly samples: boolean } = { samples: true },
): Promise<LoadedEpisodes> {
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const rows = await curationRows.listFacts(scope, project_id, mostEpisodes + 1);
  if (rows.length > mostEpisodes)
    throw new AssayError(
      'limit_exceeded',
      `the project has more than ${mostEpisodes.toLocaleString('en')} episodes, which is as many as are curated at once`,
      { advice: 'split the project by source population, and curate each' },
    );
  const described = await describedBy(scope, project_id);
  const sampled = samples ? await loadSamples(scope, project_id) : new Map();
  const names = planNames(
    rows.map(({ source_id, dataset_path, format, name }) => {
      return { source: source_id, dataset: dataset_path, format, name };
    }),
  );
  return {
    project,
    ids: new Map(rows.map(({ id }, i) => [names[i], id])),
    episodes: rows.map(({ id, ...row }, i) => {
      const { decision, score, flags, task, robot, outcome, duration_s } = row;
      return {
        id: names[i],
        ...{ decision, score, flags, task, robot, outcome, duration_s },
        operator: null,
        ...sampled.get(id),
        layouts: {},
        ...described.get(id),
      };
    }),
  };
}

type Described = Pick<CurationEpisode, 'motion' | 'picture' | 'layouts'>;

/** Descriptors that runs have made, by episode. */
async function describedBy(scope: TenantScope, project_id: string): Promise<Map<string, Described>> {
  const described = new Map<string, Described>();
  for (const { episode_id, descriptor, layout, vector } of await curationRows.listVectors(
    scope,
    project_id,
    descriptors.rows,
  )) {
    if (descriptor !== 'motion' && descriptor !== 'picture') continue;
    const before = described.get(episode_id);
    described.set(episode_id, {
      ...before,
      [descriptor]: Float32Array.from(JSON.parse(vector)),
      layouts: { ...before?.layouts, [descriptor]: layout },
    });
  }
  return described;
}
