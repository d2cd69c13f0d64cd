import type { FailureRecord, Trajectory } from '#core/api';
import { type Episode, type Stream, unknownOutcome } from '#core/episode';
import type { CurationEpisode } from '#quality/curation';
import { descriptors } from '#quality/search';

/** Failure with the vector that it is compared by. Plain data, because it is sent between threads. */
export interface DescribedFailure {
  readonly id: string;
  /** Source of the vector; null if there is nothing to compare, for `reason`. */
  readonly by: 'motion' | 'words' | null;
  readonly vector: Float32Array | null;
  /** Only vectors with equal layouts can be compared. */
  readonly layout: string;
  readonly reason: string | null;
  /** Plan name of the episode that contains the failure; null if none in the set of the baseline does. */
  readonly episode: string | null;
}

/** Facts about an episode that contains a failure. */
export type StoredEpisode = Pick<CurationEpisode, 'id' | 'motion' | 'layouts'>;

/**
 * Describes a failure as a vector from the motion of its episode, else from its trajectory, else from the words of
 * its task; without these, returns the reason why it cannot be compared. `task`: default task of the file.
 * `storedEpisode`: the episode that the record names, `null` if none is known; if it has no motion, nothing else is
 * tried. `inSet`: whether that episode belongs to the set of the baseline.
 */
export function describeFailure(
  record: FailureRecord,
  task: string | null,
  storedEpisode: StoredEpisode | null,
  inSet: boolean,
): DescribedFailure {
  const identity = { id: record.id, episode: storedEpisode !== null && inSet ? storedEpisode.id : null };
  if (storedEpisode !== null) {
    if (storedEpisode.motion !== undefined)
      return byMotion(identity, storedEpisode.motion, storedEpisode.layouts?.motion ?? '');
    return notComparable(identity, 'its episode has no motion descriptor');
  }
  if (record.trajectory !== undefined) {
    const episode = createEpisode(record.id, record.trajectory);
    const description = descriptors.get('motion')!.describe({ episode, cameras: new Map() }, null);
    return 'reason' in description
      ? notComparable(identity, description.reason)
      : byMotion(identity, Float32Array.from(description.vector), description.layout);
  }
  if (record.recording !== undefined)
    return notComparable(identity, 'its recording was not read: register it as a source of the service');
  const words = record.task ?? task;
  if (words === null) return notComparable(identity, 'the record has neither trajectory, episode nor task');
  const vector = textVector(words);
  return vector === null
    ? notComparable(identity, 'its task contains no words')
    : { ...identity, by: 'words', vector, layout: '', reason: null };
}

type FailureIdentity = Pick<DescribedFailure, 'id' | 'episode'>;

const byMotion = (identity: FailureIdentity, vector: Float32Array, layout: string): DescribedFailure => ({
  ...identity,
  by: 'motion',
  vector,
  layout,
  reason: null,
});

const notComparable = (identity: FailureIdentity, reason: string): DescribedFailure => ({
  ...identity,
  by: null,
  vector: null,
  layout: '',
  reason,
});

/** Number of slots for feature hashing with signs (Weinberger et al. 2009). */
const slots = 256;

/**
 * Returns the hashed word counts of a text as a unit vector, or `null` if it has no word or all counts cancel out.
 * Words are lower-case runs of letters and digits, as in search.
 */
export function textVector(text: string): Float32Array | null {
  const vector = new Float32Array(slots);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const code = hashWord(word);
    vector[code % slots] += code & 0x80000000 ? -1 : 1;
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : null;
}

/** Returns the 32-bit FNV-1a hash over the UTF-16 units. */
function hashWord(word: string): number {
  let code = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) code = Math.imul(code ^ word.charCodeAt(i), 0x01000193);
  return code >>> 0;
}

const unknownUnit = { unit: 'unknown', evidence: 'unknown', reason: 'not recorded' } as const;

/** Wraps the trajectory of a record in an episode, so that the descriptors of recordings apply. */
function createEpisode(id: string, trajectory: Trajectory): Episode {
  const { state, action } = trajectory;
  const streams = [
    ...(state === undefined ? [] : [createStream('state', state, trajectory)]),
    ...(action === undefined ? [] : [createStream('action', action, trajectory)]),
  ];
  const ends = streams.map(({ clocks }) => clocks[0]?.time_s.at(-1) ?? 0);
  return {
    id,
    index: 0,
    locator: { format: 'failure-record', path: id },
    sources: [],
    start_ns: null,
    duration_s: Math.max(0, ...ends),
    streams,
    events: [],
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}

function createStream(
  role: 'state' | 'action',
  rows: readonly (readonly number[])[],
  { rate_hz, times_s }: Trajectory,
): Stream {
  const dims = rows[0].length;
  const values = new Float64Array(rows.length * dims);
  for (const [i, row] of rows.entries()) values.set(row, i * dims);
  const time_s = computeTimes(rows.length, rate_hz, times_s);
  return {
    id: role,
    role,
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: unknownUnit,
    declared_rate_hz: rate_hz ?? null,
    sample_count: rows.length,
    clocks: time_s === null ? [] : [{ name: 'record', provenance: 'synthesised', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

/** Returns seconds since the first sample; null if the record has neither times nor a rate. */
function computeTimes(
  count: number,
  rate_hz: number | undefined,
  times_s: readonly number[] | undefined,
): Float64Array | null {
  if (times_s !== undefined) return Float64Array.from(times_s, (at) => at - times_s[0]);
  return rate_hz === undefined ? null : Float64Array.from({ length: count }, (_, i) => i / rate_hz);
}
