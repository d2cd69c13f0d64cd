import type { CurationEpisode, StateActionSample } from '../curation-episode.ts';

/** Accepted recordings that differ, at least: fewer give no interval worth reading. */
const fewestRecordings = 10;

/** What policies learn from and are tested on: the states and actions of one layout. */
export interface ProbePairs {
  readonly episodes: readonly CurationEpisode[];
  /** The recording that each episode is of, from 0: exact copies are one recording. */
  readonly recordingOf: Int32Array;
  readonly recordings: number;
  readonly state_dims: number;
  readonly action_dims: number;
  /** Row-major, `count` rows, all finite. */
  readonly states: Float32Array;
  readonly actions: Float32Array;
  readonly count: number;
  /** The row of the same episode before each; its first row: itself. */
  readonly before: Int32Array;
  /** Place in `episodes` of each row. */
  readonly owner: Int32Array;
  /** Why other episodes give none, by id. */
  readonly left_out: ReadonlyMap<string, string>;
}

/**
 * The state at a moment, and the action recorded with it. Neighbouring rows of a sample lie a sixty-fourth of an episode
 * apart. A text says why there is nothing to probe.
 */
export function pairsOf(all: readonly CurationEpisode[]): ProbePairs | string {
  const accepted = all.filter(({ decision, sample }) => decision === 'accept' && unusable(sample) === null);
  const layouts = [...new Set(accepted.map(({ sample }) => sample?.layout ?? ''))];
  if (layouts.length > 1)
    return `accepted episodes have ${layouts.length} layouts of states and actions; probe episodes of one layout`;
  const left_out = new Map<string, string>();
  const episodes: CurationEpisode[] = [];
  const samples: StateActionSample[] = [];
  for (const episode of all) {
    const { id, sample } = episode;
    const reason =
      unusable(sample) ?? (sample?.layout === layouts[0] ? null : 'another layout than accepted episodes');
    if (sample === undefined || reason !== null) left_out.set(id, reason ?? '');
    else {
      episodes.push(episode);
      samples.push(sample);
    }
  }
  const different = new Set(accepted.map(recordingKey)).size;
  if (different < fewestRecordings) {
    const judged = all.filter(({ decision }) => decision === 'accept').length;
    return `${judged} of ${all.length} episodes are accepted, and ${different} of those have states and actions and differ; a probe needs ${fewestRecordings}`;
  }
  return { ...recordingsOf(episodes), ...rowsOf(samples), episodes, left_out };
}

const recordingKey = ({ id, content_hash }: CurationEpisode): string => content_hash ?? `id ${id}`;

function unusable(sample: StateActionSample | undefined): string | null {
  if (sample === undefined || sample.rows === 0 || sample.state_dims === 0) return 'no sample of states';
  if (sample.action_dims === 0) return 'no actions';
  for (let row = 0; row < sample.rows; row++) if (finiteAt(sample, row)) return null;
  return 'no row of its sample is finite';
}

function finiteAt(sample: StateActionSample, row: number): boolean {
  const [state, action] = rowOf(sample, row);
  return state.every(Number.isFinite) && action.every(Number.isFinite);
}

function rowOf({ states, actions, state_dims, action_dims }: StateActionSample, row: number) {
  return [
    states.subarray(row * state_dims, (row + 1) * state_dims),
    actions.subarray(row * action_dims, (row + 1) * action_dims),
  ] as const;
}

function recordingsOf(episodes: readonly CurationEpisode[]) {
  const places = new Map<string, number>();
  const recordingOf = Int32Array.from(episodes, (episode) => {
    const key = recordingKey(episode);
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
  return { recordingOf, recordings: places.size };
}

/** Rows that are not finite are passed over: no trainer can take them either. */
function rowsOf(samples: readonly StateActionSample[]) {
  const [{ state_dims, action_dims }] = samples;
  const most = samples.reduce((sum, { rows }) => sum + rows, 0);
  const states = new Float32Array(most * state_dims);
  const actions = new Float32Array(most * action_dims);
  const owner = new Int32Array(most);
  const before = new Int32Array(most);
  let count = 0;
  for (const [place, sample] of samples.entries())
    for (let row = 0; row < sample.rows; row++) {
      if (!finiteAt(sample, row)) continue;
      const [state, action] = rowOf(sample, row);
      states.set(state, count * state_dims);
      actions.set(action, count * action_dims);
      before[count] = count > 0 && owner[count - 1] === place ? count - 1 : count;
      owner[count++] = place;
    }
  const rows = { owner: owner.subarray(0, count), before: before.subarray(0, count) };
  return { state_dims, action_dims, states, actions, count, ...rows };
}
