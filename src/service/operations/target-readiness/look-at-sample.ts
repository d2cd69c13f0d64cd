import type { ActionSpaceDiagnosis, Receipt } from '#core/api';
import { ActionSpaceStatistics } from '#quality/readiness';
import type { SampledEpisode, Store } from '#store';
import { type SignalReader, shardSignals } from './read-signals.ts';

/** What a sample of episodes carries; counts of episodes. */
export interface SampleFacts {
  readonly looked_at: number;
  readonly with_actions: number;
  readonly with_states: number;
  readonly with_cameras: number;
  /** With a clock or a declared rate on action, state or camera; and with one that was recorded, not computed. */
  readonly with_time: number;
  readonly with_recorded_time: number;
  readonly with_labels: number;
  /** Cameras of most of these episodes, and the middle one of the rates of their actions. */
  readonly cameras: number;
  readonly action_rate_hz: number | null;
  readonly action_space: ActionSpaceDiagnosis;
}

/** Reads receipts and numbers of the sampled episodes, one after the other, and sums up what they carry. */
export async function lookAtSample(
  store: Store,
  sample: readonly SampledEpisode[],
  reader: SignalReader = shardSignals(store),
): Promise<SampleFacts> {
  const statistics = new ActionSpaceStatistics();
  const seen: Carried[] = [];
  try {
    for (const episode of sample) {
      const receipt = await readReceipt(store, episode);
      seen.push(carriedBy(receipt));
      const signals = await reader.read(episode, receipt.grippers);
      if (signals !== null) statistics.add(signals);
    }
  } finally {
    await reader.close();
  }
  const count = (has: (one: Carried) => boolean): number => seen.filter(has).length;
  return {
    looked_at: seen.length,
    with_actions: count(({ actions }) => actions > 0),
    with_states: count(({ states }) => states > 0),
    with_cameras: count(({ cameras }) => cameras > 0),
    with_time: count(({ timed }) => timed),
    with_recorded_time: count(({ recorded }) => recorded),
    with_labels: count(({ labelled }) => labelled),
    cameras: middle(seen.map(({ cameras }) => cameras)) ?? 0,
    action_rate_hz: middle(seen.flatMap(({ rate_hz }) => (rate_hz === null ? [] : [rate_hz]))),
    action_space: statistics.conclude(),
  };
}

async function readReceipt(store: Store, { pack_blob, offset, length }: SampledEpisode): Promise<Receipt> {
  const bytes = await store.blobs.range(pack_blob, offset, length);
  return JSON.parse(new TextDecoder().decode(bytes)) as Receipt;
}

interface Carried {
  readonly actions: number;
  readonly states: number;
  readonly cameras: number;
  readonly timed: boolean;
  readonly recorded: boolean;
  readonly labelled: boolean;
  readonly rate_hz: number | null;
}

function carriedBy({ streams, checks }: Receipt): Carried {
  const filled = streams.filter(({ sample_count }) => sample_count > 0);
  const withRole = (role: string) => filled.filter((stream) => stream.role === role);
  const [actions, states, cameras] = [withRole('action'), withRole('state'), withRole('camera')];
  const learnt = [...actions, ...states, ...cameras];
  const rates = actions.flatMap((stream) => stream.measured_rate_hz ?? stream.declared_rate_hz ?? []);
  return {
    actions: actions.length,
    states: states.length,
    cameras: cameras.length,
    timed: learnt.some(({ clock, declared_rate_hz }) => clock !== null || declared_rate_hz !== null),
    recorded: learnt.some(({ clock }) => clock !== null && clock.provenance !== 'synthesised'),
    labelled: checks.some(({ id, status }) => id === 'annotation_coverage' && status === 'scored'),
    rate_hz: middle(rates),
  };
}

function middle(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
