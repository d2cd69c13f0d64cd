import { AssayError } from '#core';
import type { Clock, Stream } from '#core/episode';
import type { SignalEpisode } from '#quality/readiness';
import {
  type Blobs,
  readShardEpisode,
  readShardStream,
  type SampledEpisode,
  type ShardStream,
  type Store,
} from '#store';

/** Streams that tell what actions mean. */
const roles = new Set(['action', 'state', 'odometry']);
/** Rows of a stream that are read at most; a longer one is read from its start. */
const mostRows = 100_000;

/** Gives what a diagnosis needs of an episode's streams; null where its numbers were not kept. */
export interface SignalReader {
  read(episode: SampledEpisode, grippers: SignalEpisode['grippers']): Promise<SignalEpisode | null>;
  close(): Promise<void>;
}

/** Reads from the shards of a store. The last shard is held until another is asked for, so that it is fetched once. */
export function shardSignals({ blobs }: Store): SignalReader {
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
