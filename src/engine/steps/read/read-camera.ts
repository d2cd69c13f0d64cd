import { shardReader } from '#store/blobs';
import type { Camera, CameraTask } from './reader-tasks.ts';

/** Reads where a camera's pictures lie and when they were taken. Throws `not_found`. */
export async function readCamera({ shard, stream_id }: CameraTask): Promise<Camera> {
  const { readShardStream } = await shardReader();
  const { stream, time_s } = await readShardStream(shard.path, shard.place, stream_id);
  const log = stream.clocks.findIndex(({ provenance }) => provenance === 'log');
  const chosen = stream.clock?.index ?? -1;
  const log_s =
    log < 0 || log === chosen
      ? null
      : (await readShardStream(shard.path, shard.place, stream_id, { clock: log })).time_s;
  return {
    frames: stream.frames ?? null,
    declared_rate_hz: stream.declared_rate_hz,
    sample_count: stream.sample_count,
    time_s,
    log_s: log === chosen ? time_s : log_s,
  };
}
