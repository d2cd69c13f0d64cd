import { AssayError } from '#core';
import type { ActionSpaceDiagnosis, Receipt } from '#core/api';
import type { Clock, Stream } from '#core/episode';
import { ActionSpaceStatistics, type SignalEpisode } from '#quality/readiness';
import {
  type Blobs,
  readShardEpisode,
  readShardStream,
  type SampledEpisode,
  type ShardStream,
  type Store,
} from '#store';

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

/** Streams that tell what actions mean. */
const roles = new Set(['action', 'state', 'odometry']);
/** Rows of a stream that are read at most; a longer one is read from its start. */
const mostRows = 100_000;

/** Gives what a diagnosis needs of an episode's streams; null where its numbers were not kept. */
interface SignalReader {
  read(episode: SampledEpisode, grippers: SignalEpisode['grippers']): Promise<SignalEpisode | null>;
  close(): Promise<void>;
}

/** Reads from the shards of a store. The last shard is held until another is asked for, so that it is fetched once. */
function shardSignals({ blobs }: Store): SignalReader {
  let held: { readonly key: string; readonly file: Awaited<ReturnType<Blobs['file']>> | null } | null = null;
  const close = async (): Promise<void> => {
    await held?.file?.done();
    held = null;
  };
  return {
    close,
    read: async ({ id, shard_blob, shard_place, duration_s }, grippers) => {
      if (shard_blob === null || shard_place === null) return null;
      if (held?.key !== shard_blob) {
        await close();
        held = { key: shard_blob, file: await blobs.file(shard_blob).catch(unlessAbsent) };
      }
      if (held.file === null) return null;
      const { path } = held.file;
      const episode = await readShardEpisode(path, shard_place);
      const streams: Stream[] = [];
      for (const stream of episode.streams)
        if (roles.has(stream.role) && stream.values !== null)
          streams.push(await readStream(path, shard_place, stream, duration_s));
      return { id, streams, grippers };
    },
  };
}

/** A shard that is gone was swept with the run that wrote it; any other trouble is told. */
function unlessAbsent(thrown: unknown): null {
  if (thrown instanceof AssayError && thrown.code === 'not_found') return null;
  throw thrown;
}

async function readStream(
  path: string,
  place: number,
  stream: ShardStream,
  duration_s: number,
): Promise<Stream> {
  const long = stream.sample_count > mostRows && stream.clock !== null && duration_s > 0;
  const to_s = (duration_s * mostRows) / stream.sample_count;
  const { values, dims, time_s } = await readShardStream(path, place, stream.id, long ? { to_s } : {});
  const { values: _, clocks, clock, ...facts } = stream;
  const chosen: Clock[] =
    clock === null || time_s === null
      ? []
      : [{ name: clocks[clock.index].name, provenance: clocks[clock.index].provenance, time_s }];
  return {
    ...facts,
    sample_count: dims === 0 ? 0 : values.length / dims,
    clocks: chosen,
    clock: chosen.length === 0 ? null : { index: 0, reason: clock!.reason },
    series: { values, dims },
  };
}
