import type { FailureRecord, Trajectory } from '#core/api';
import { type Episode, type Stream, unknownOutcome } from '#core/episode';
import type { CurationEpisode } from '#quality/curation';
import { descriptors } from '#quality/search';

/** A failure as it is compared. Plain data: it crosses threads. */
export interface DescribedFailure {
  readonly id: string;
  /** Null: there is nothing to compare, for `reason`. */
  readonly by: 'motion' | 'words' | null;
  readonly vector: Float32Array | null;
  /** What must be equal for two vectors to mean the same. */
  readonly layout: string;
  readonly reason: string | null;
  /** Plan name of the episode of the baseline's set that holds it. */
  readonly episode: string | null;
}

/** What is known of an episode that holds a failure. */
export type HeldFailure = Pick<CurationEpisode, 'id' | 'motion' | 'layouts'>;

/**
 * By the motion of the episode that holds it, else of its trajectory, else by the words of its task. `task`: of records
 * that name none; `held`: the episode, where the record names one that is known; `inSet`: whether it is of the
 * baseline's set.
 */
export function describeFailure(
  record: FailureRecord,
  task: string | null,
  held: HeldFailure | null,
  inSet: boolean,
): DescribedFailure {
  const own = { id: record.id, episode: held !== null && inSet ? held.id : null };
  if (held !== null) {
    if (held.motion !== undefined) return byMotion(own, held.motion, held.layouts?.motion ?? '');
    return nothing(own, 'the episode that holds it has no descriptor of its motion');
  }
  if (record.trajectory !== undefined) {
    const episode = trajectoryEpisode(record.id, record.trajectory);
    const made = descriptors.get('motion')!.describe({ episode, cameras: new Map() }, null);
    return 'reason' in made
      ? nothing(own, made.reason)
      : byMotion(own, Float32Array.from(made.vector), made.layout);
  }
  if (record.recording !== undefined)
    return nothing(own, 'its recording was not read: a service reads sources, register it as one');
  const words = record.task ?? task;
  if (words === null) return nothing(own, 'the record has no trajectory, no episode and no task');
  const vector = textVector(words);
  return vector === null
    ? nothing(own, 'there is no word in its task')
    : { ...own, by: 'words', vector, layout: '', reason: null };
}

type Own = Pick<DescribedFailure, 'id' | 'episode'>;

const byMotion = (own: Own, vector: Float32Array, layout: string): DescribedFailure => ({
  ...own,
  by: 'motion',
  vector,
  layout,
  reason: null,
});

const nothing = (own: Own, reason: string): DescribedFailure => ({
  ...own,
  by: null,
  vector: null,
  layout: '',
  reason,
});

/** Words share so many slots, with a sign of their own (feature hashing, Weinberger et al. 2009). */
const slots = 256;

/**
 * A text as a vector of length 1: how often each of its words stands in it. Words as search takes them, letters and
 * digits that stand together in lower case. Null where it has none, or where all cancel out.
 */
export function textVector(text: string): Float32Array | null {
  const vector = new Float32Array(slots);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const code = codeOf(word);
    vector[code % slots] += code & 0x80000000 ? -1 : 1;
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : null;
}

/** FNV-1a of 32 bits over the UTF-16 units. */
function codeOf(word: string): number {
  let code = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) code = Math.imul(code ^ word.charCodeAt(i), 0x01000193);
  return code >>> 0;
}

const given = { unit: 'unknown', evidence: 'unknown', reason: 'the record does not say' } as const;

/** A trajectory of a record as an episode, so that it is described as recordings are. */
function trajectoryEpisode(id: string, trajectory: Trajectory): Episode {
  const { state, action } = trajectory;
  const streams = [
    ...(state === undefined ? [] : [streamOf('state', state, trajectory)]),
    ...(action === undefined ? [] : [streamOf('action', action, trajectory)]),
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

function streamOf(
  role: 'state' | 'action',
  rows: readonly (readonly number[])[],
  { rate_hz, times_s }: Trajectory,
): Stream {
  const dims = rows[0].length;
  const values = new Float64Array(rows.length * dims);
  for (const [i, row] of rows.entries()) values.set(row, i * dims);
  const time_s = timesOf(rows.length, rate_hz, times_s);
  return {
    id: role,
    role,
    modality: 'numeric',
    shape: [dims],
    names: null,
    unit: given,
    declared_rate_hz: rate_hz ?? null,
    sample_count: rows.length,
    clocks: time_s === null ? [] : [{ name: 'record', provenance: 'synthesised', time_s }],
    clock: time_s === null ? null : { index: 0, reason: 'the only one' },
    series: { values, dims },
  };
}

/** Seconds since the first sample; null where the record has neither times nor a rate. */
function timesOf(
  count: number,
  rate_hz: number | undefined,
  times_s: readonly number[] | undefined,
): Float64Array | null {
  if (times_s !== undefined) return Float64Array.from(times_s, (at) => at - times_s[0]);
  return rate_hz === undefined ? null : Float64Array.from({ length: count }, (_, i) => i / rate_hz);
}
