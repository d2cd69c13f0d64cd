import { AssayError } from '#core';
import { type CurationEpisode, sampleVersion } from '#quality/curation';
import { sampleRows, type TenantScope } from '#store';

type Sampled = Pick<CurationEpisode, 'content_hash' | 'idle' | 'sample'>;

/** Samples that are held in memory at once; a page of them is read in one go. */
const most_bytes = 1024 ** 3;
const page = 500;

/** What runs have sampled of a project's episodes, by episode. Throws `limit_exceeded`. */
export async function loadSamples(scope: TenantScope, project_id: string): Promise<Map<string, Sampled>> {
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
