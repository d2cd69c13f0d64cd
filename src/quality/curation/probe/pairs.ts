import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';

/** Distinct accepted recordings that a meaningful interval needs. */
const minRecordings = 10;

/** State-action pairs of one layout, for training and testing policies. */
export interface ProbePairs {
  readonly episodes: readonly CurationEpisode[];
  /** Index of the recording of each episode, from 0; exact copies share a recording. */
  readonly recordingOf: Int32Array;
  readonly recordings: number;
  readonly state_dims: number;
  readonly action_dims: number;
  /** Row-major, `count` rows, all finite. */
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly count: number;
  /** Index of the previous row of the same episode; the first row refers to itself. */
  readonly previousRow: Int32Array;
  /** Index in `episodes` of each row. */
  readonly owner: Int32Array;
  /** Reasons why other episodes have no pairs, by id. */
  readonly left_out: ReadonlyMap<string, string>;
}

/**
 * Collects sampled states and actions of all episodes with the layout of the accepted ones (others are `left_out`,
 * with the reason), or returns the reason why the set cannot be probed. Consecutive rows of an episode are 1/64 of
 * its duration apart.
 */
export function collectProbePairs(all: readonly CurationEpisode[]): ProbePairs | string {
  const accepted = all.filter(
    ({ decision, sample }) => decision === 'accept' && findSampleProblem(sample) === null,
  );
  const layouts = [...new Set(accepted.map(({ sample }) => sample?.layout ?? ''))];
  if (layouts.length > 1)
    return `accepted episodes have ${layouts.length} different layouts of states and actions; run the probe on episodes with one layout`;
  const left_out = new Map<string, string>();
  const episodes: CurationEpisode[] = [];
  const samples: StateActionSample[] = [];
  for (const episode of all) {
    const { id, sample } = episode;
    const reason =
      findSampleProblem(sample) ??
      (sample?.layout === layouts[0] ? null : 'different layout than the accepted episodes');
    if (sample === undefined || reason !== null) left_out.set(id, reason ?? '');
    else {
      episodes.push(episode);
      samples.push(sample);
    }
  }
  const different = new Set(accepted.map(recordingKey)).size;
  if (different < minRecordings) {
    const judged = all.filter(({ decision }) => decision === 'accept').length;
    return `${judged} of ${all.length} episodes are accepted, and ${different} of those are distinct and have states and actions; at least ${minRecordings} are required`;
  }
  return { ...indexRecordings(episodes), ...collectRows(samples), episodes, left_out };
}

const recordingKey = ({ id, content_hash }: CurationEpisode): string => content_hash ?? `id ${id}`;

/** Returns the reason why a sample gives no pairs; null if it gives some. */
function findSampleProblem(sample: StateActionSample | undefined): string | null {
  if (sample === undefined || sample.rows === 0 || sample.state_dims === 0) return 'no stored state samples';
  if (sample.action_dims === 0) return 'no actions';
  for (let row = 0; row < sample.rows; row++) if (isFiniteRow(sample, row)) return null;
  return 'no finite rows in its samples';
}

function isFiniteRow(sample: StateActionSample, row: number): boolean {
  const [state, action] = rowOf(sample, row);
  return state.every(Number.isFinite) && action.every(Number.isFinite);
}

function rowOf({ states, actions, state_dims, action_dims }: StateActionSample, row: number) {
  return [
    states.subarray(row * state_dims, (row + 1) * state_dims),
    actions.subarray(row * action_dims, (row + 1) * action_dims),
  ] as const;
}

function indexRecordings(episodes: readonly CurationEpisode[]) {
  const indexByKey = new Map<string, number>();
  const recordingOf = Int32Array.from(episodes, (episode) => {
    const key = recordingKey(episode);
    const index = indexByKey.get(key) ?? indexByKey.size;
    indexByKey.set(key, index);
    return index;
  });
  return { recordingOf, recordings: indexByKey.size };
}

/** Concatenates the finite rows of all samples; skips others, which no trainer could use. */
function collectRows(samples: readonly StateActionSample[]) {
  const [{ state_dims, action_dims }] = samples;
  const maxRows = samples.reduce((sum, { rows }) => sum + rows, 0);
  const states = new Float32Array(maxRows * state_dims);
  const actions = new Float32Array(maxRows * action_dims);
  const owner = new Int32Array(maxRows);
  const previousRow = new Int32Array(maxRows);
  let count = 0;
  for (const [episodeIndex, sample] of samples.entries())
    for (let row = 0; row < sample.rows; row++) {
      if (!isFiniteRow(sample, row)) continue;
      const [state, action] = rowOf(sample, row);
      states.set(state, count * state_dims);
      actions.set(action, count * action_dims);
      previousRow[count] = count > 0 && owner[count - 1] === episodeIndex ? count - 1 : count;
      owner[count++] = episodeIndex;
    }
  const rows = { owner: owner.subarray(0, count), previousRow: previousRow.subarray(0, count) };
  return { state_dims, action_dims, states, actions, count, ...rows };
}
