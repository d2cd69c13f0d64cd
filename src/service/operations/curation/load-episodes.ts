import { AssayError } from '#core';
import { type CurationEpisode, planNames, sampleVersion } from '#quality/curation';
import { descriptors } from '#quality/search';
import { curationRows, projectRows, sampleRows, type TenantScope } from '#store';
import { noProject } from '../projects/views.ts';

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

type Sampled = Pick<CurationEpisode, 'content_hash' | 'idle' | 'sample'>;

/** Samples that are held in memory at once; a page of them is read in one go. */
const most_bytes = 1024 ** 3;
const page = 500;

/** What runs have sampled of a project's episodes, by episode. Throws `limit_exceeded`. */
async function loadSamples(scope: TenantScope, project_id: string): Promise<Map<string, Sampled>> {
  const sampled = new Map<string, Sampled>();
  let bytes = 0;
  for (let after = ''; ; ) {
    const rows = await sampleRows.listSamples(scope, {
      project_id,
      version: sampleVersion,
      after,
      limit: page,
    });
    for (const { episode_id, ...row } of rows) {
      sampled.set(episode_id, sampledOf(row));
      bytes += (row.states?.byteLength ?? 0) + (row.actions?.byteLength ?? 0);
    }
    if (bytes > most_bytes) throw tooMuch();
    if (rows.length < page) return sampled;
    after = rows[rows.length - 1].episode_id;
  }
}

type SampleRow = Omit<Awaited<ReturnType<typeof sampleRows.listSamples>>[number], 'episode_id'>;

function sampledOf({ content_hash, head_s, tail_s, layout, states, actions, ...row }: SampleRow): Sampled {
  const { state_dims, action_dims, rows } = row;
  const whole = layout !== null && state_dims !== null && action_dims !== null && rows !== null;
  return {
    ...(content_hash === null ? {} : { content_hash }),
    ...(head_s === null || tail_s === null ? {} : { idle: { head_s, tail_s } }),
    ...(whole && states !== null && actions !== null
      ? {
          sample: {
            ...{ layout, state_dims, action_dims, rows },
            states: floatsOf(states),
            actions: floatsOf(actions),
          },
        }
      : {}),
  };
}

/** In memory that threads share: a plan is computed in another one. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return new Float32Array(shared.buffer);
}

const tooMuch = (): AssayError =>
  new AssayError(
    'limit_exceeded',
    'the samples of states and actions of the project’s episodes are more than 1 GiB, which is as much as is curated at once',
    { advice: 'split the project by source population, and curate each' },
  );
