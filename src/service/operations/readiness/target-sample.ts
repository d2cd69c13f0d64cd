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
import { readReceipt } from '../episodes/load-episode.ts';

/** Numbers of sampled episodes that carry actions, states, cameras and other data. */
export interface SampleFacts {
  readonly episodes: number;
  readonly with_actions: number;
  readonly with_states: number;
  readonly with_cameras: number;
  /**
   * With a clock or declared rate on an action, state or camera stream; and with a recorded, not synthesised clock on
   * one.
   */
  readonly with_time: number;
  readonly with_recorded_time: number;
  readonly with_labels: number;
  /** Median number of cameras per episode, and median rate of the action streams in Hz; null without actions. */
  readonly cameras: number;
  readonly action_rate_hz: number | null;
  readonly action_space: ActionSpaceDiagnosis;
}

/**
 * Reads the receipts and stream data of the sampled episodes, one after the other, and returns how many carry what; closes the
 * reader. Episodes whose stream data were not stored are left out of the action-space diagnosis only.
 */
export async function readSampleFacts(
  store: Store,
  sample: readonly SampledEpisode[],
  reader: SignalReader = shardSignals(store),
): Promise<SampleFacts> {
  const statistics = new ActionSpaceStatistics();
  const episodeFacts: EpisodeFacts[] = [];
  try {
    for (const episode of sample) {
      const receipt = await readReceipt(store, episode);
      episodeFacts.push(readEpisodeFacts(receipt));
      const signals = await reader.read(episode, receipt.grippers);
      if (signals !== null) statistics.add(signals);
    }
  } finally {
    await reader.close();
  }
  const count = (has: (one: EpisodeFacts) => boolean): number => episodeFacts.filter(has).length;
  return {
    episodes: episodeFacts.length,
    with_actions: count(({ actions }) => actions > 0),
    with_states: count(({ states }) => states > 0),
    with_cameras: count(({ cameras }) => cameras > 0),
    with_time: count(({ timed }) => timed),
    with_recorded_time: count(({ recorded }) => recorded),
    with_labels: count(({ labelled }) => labelled),
    cameras: median(episodeFacts.map(({ cameras }) => cameras)) ?? 0,
    action_rate_hz: median(episodeFacts.flatMap(({ rate_hz }) => (rate_hz === null ? [] : [rate_hz]))),
    action_space: statistics.conclude(),
  };
}

interface EpisodeFacts {
  readonly actions: number;
  readonly states: number;
  readonly cameras: number;
  readonly timed: boolean;
  readonly recorded: boolean;
  readonly labelled: boolean;
  readonly rate_hz: number | null;
}

function readEpisodeFacts({ streams, checks }: Receipt): EpisodeFacts {
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
    rate_hz: median(rates),
  };
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Roles of the streams that the action-space diagnosis reads. */
const actionRoles = new Set(['action', 'state', 'odometry']);
/** Rows read per stream; of a longer stream only the start is read. */
const maxRows = 100_000;

/** Reads the streams of an episode for the action-space diagnosis; null if its stream data were not stored. */
interface SignalReader {
  read(episode: SampledEpisode, grippers: SignalEpisode['grippers']): Promise<SignalEpisode | null>;
  close(): Promise<void>;
}

/**
 * Reads streams from the shards of a store. The last shard file stays open until another is needed, so that it is
 * fetched once.
 */
function shardSignals({ blobs }: Store): SignalReader {
  let openShard: { readonly key: string; readonly file: Awaited<ReturnType<Blobs['file']>> | null } | null =
    null;
  const close = async (): Promise<void> => {
    await openShard?.file?.done();
    openShard = null;
  };
  return {
    close,
    read: async ({ id, shard_blob, shard_place, duration_s }, grippers) => {
      if (shard_blob === null || shard_place === null) return null;
      if (openShard?.key !== shard_blob) {
        await close();
        openShard = { key: shard_blob, file: await blobs.file(shard_blob).catch(nullIfMissing) };
      }
      if (openShard.file === null) return null;
      const { path } = openShard.file;
      const episode = await readShardEpisode(path, shard_place);
      const streams: Stream[] = [];
      for (const stream of episode.streams)
        if (actionRoles.has(stream.role) && stream.values !== null)
          streams.push(await readStream(path, shard_place, stream, duration_s));
      return { id, streams, grippers };
    },
  };
}

/** Returns null for a missing shard, which was deleted with its run; rethrows other errors. */
function nullIfMissing(thrown: unknown): null {
  if (thrown instanceof AssayError && thrown.code === 'not_found') return null;
  throw thrown;
}

async function readStream(
  path: string,
  place: number,
  stream: ShardStream,
  duration_s: number,
): Promise<Stream> {
  const long = stream.sample_count > maxRows && stream.clock !== null && duration_s > 0;
  const to_s = (duration_s * maxRows) / stream.sample_count;
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
