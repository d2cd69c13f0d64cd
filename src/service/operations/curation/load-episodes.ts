import { AssayError } from '#core';
import { type CurationEpisode, planNames, sampleVersion } from '#quality/curation';
import { descriptors } from '#quality/search';
import { curationRows, projectRows, sampleRows, type TenantScope } from '#store';
import { currentClasses, loadClasses } from '../classes.ts';
import { noProject } from '../projects/views.ts';

/** Episodes that one request may curate; they are all in memory at once. */
const maxEpisodes = 100_000;

/** A project with its episodes as curation needs them. */
export interface LoadedEpisodes {
  readonly project: projectRows.ProjectRow;
  /** The episodes; `id` is the plan name. */
  readonly episodes: readonly CurationEpisode[];
  /** Episode ids by plan name. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Loads a project's episodes with judgement, descriptors and, by default, samples of states and actions. Throws
 * `not_found`, `limit_exceeded`.
 */
export async function loadEpisodes(
  scope: TenantScope,
  project_id: string,
  { samples }: { readonly samples: boolean } = { samples: true },
): Promise<LoadedEpisodes> {
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const rows = await curationRows.listFacts(scope, project_id, maxEpisodes + 1);
  if (rows.length > maxEpisodes)
    throw new AssayError(
      'limit_exceeded',
      `the project has more than ${maxEpisodes.toLocaleString('en')} episodes, the maximum for curation`,
      { advice: 'split the project, for example by source, and curate each part' },
    );
  const classes = await loadClasses(scope, project_id);
  const heldOut = await curationRows.listHeldOut(scope, project_id);
  const described = await loadDescriptors(scope, project_id);
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
        objects: currentClasses(classes, id, row.objects),
        ...sampled.get(id),
        layouts: {},
        ...described.get(id),
        ...(heldOut.has(id) ? { held_out: heldOut.get(id) } : {}),
      };
    }),
  };
}

type EpisodeDescriptors = Pick<CurationEpisode, 'motion' | 'picture' | 'layouts'>;

/** Loads the motion and picture descriptors by episode id. */
async function loadDescriptors(
  scope: TenantScope,
  project_id: string,
): Promise<Map<string, EpisodeDescriptors>> {
  const described = new Map<string, EpisodeDescriptors>();
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

type EpisodeSample = Pick<CurationEpisode, 'content_hash' | 'idle' | 'sample'>;

/** Bytes of samples in memory at once; one query reads `samplesPerPage` rows. */
const maxSamples_bytes = 1024 ** 3;
const samplesPerPage = 500;

/** Loads the content hash, idle time and sampled states and actions by episode id. Throws `limit_exceeded`. */
async function loadSamples(scope: TenantScope, project_id: string): Promise<Map<string, EpisodeSample>> {
  const sampled = new Map<string, EpisodeSample>();
  let bytes = 0;
  for (let after = ''; ; ) {
    const rows = await sampleRows.listSamples(scope, {
      project_id,
      version: sampleVersion,
      after,
      limit: samplesPerPage,
    });
    for (const { episode_id, ...row } of rows) {
      sampled.set(episode_id, toEpisodeSample(row));
      bytes += (row.states?.byteLength ?? 0) + (row.actions?.byteLength ?? 0);
    }
    if (bytes > maxSamples_bytes) throw tooManySamples();
    if (rows.length < samplesPerPage) return sampled;
    after = rows[rows.length - 1].episode_id;
  }
}

type SampleRow = Omit<Awaited<ReturnType<typeof sampleRows.listSamples>>[number], 'episode_id'>;

function toEpisodeSample({
  content_hash,
  head_s,
  tail_s,
  layout,
  states,
  actions,
  ...row
}: SampleRow): EpisodeSample {
  const { state_dims, action_dims, rows } = row;
  const whole = layout !== null && state_dims !== null && action_dims !== null && rows !== null;
  return {
    ...(content_hash === null ? {} : { content_hash }),
    ...(head_s === null || tail_s === null ? {} : { idle: { head_s, tail_s } }),
    ...(whole && states !== null && actions !== null
      ? {
          sample: {
            ...{ layout, state_dims, action_dims, rows },
            states: toSharedFloats(states),
            actions: toSharedFloats(actions),
          },
        }
      : {}),
  };
}

/** Copies floats into memory shared between threads, because a worker thread computes the plan. */
function toSharedFloats(bytes: Uint8Array): Float32Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  return new Float32Array(shared.buffer);
}

const tooManySamples = (): AssayError =>
  new AssayError(
    'limit_exceeded',
    'the state and action samples of the project’s episodes exceed 1 GiB, the maximum for curation',
    { advice: 'split the project, for example by source, and curate each part' },
  );
