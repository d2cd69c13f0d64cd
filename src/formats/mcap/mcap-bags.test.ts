import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { bagMetadata, float64Message, levelTime } from '#test/support/db3-files';
import { mcapBytes, removeFolders } from '#test/support/mcap-files';
import { codes, onlyEpisode, readFolder, said, upTo, values } from '#test/support/read-bags';

afterAll(removeFolders);

/** Numbers on `/level` as rosbag2 writes them to MCAP, without a definition where `definition` is empty. */
function levels(count: number, from: number, definition = 'float64 data'): Promise<Uint8Array> {
  const data = new TextEncoder().encode(definition);
  return mcapBytes({
    channels: [
      {
        topic: '/level',
        encoding: 'cdr',
        schema: { name: 'std_msgs/msg/Float64', encoding: 'ros2msg', data },
      },
    ],
    messages: upTo(count).map((i) => ({
      channel: 0,
      log_ns: levelTime(from + i),
      data: float64Message(from + i),
    })),
  });
}

describe('a ROS 2 bag folder of MCAP files', () => {
  it('is one episode with its parts in the order of their numbers', async () => {
    const files = ['bag_0.mcap', 'bag_10.mcap', 'bag_9.mcap'];
    const episode = await onlyEpisode({
      'bag/bag_0.mcap': await levels(10, 0),
      'bag/bag_9.mcap': await levels(10, 10),
      'bag/bag_10.mcap': await levels(10, 20),
      'bag/metadata.yaml': bagMetadata({ version: 9, files, messages: 30, storage: 'mcap' }),
    });
    expect(values(episode)).toEqual(upTo(30));
    expect(codes(episode)).not.toContain('chunks_out_of_time_order');
    expect(codes(episode)).not.toContain('metadata_count_mismatch');
  });

  it('that was compressed after its list was written is found', async () => {
    const episode = await onlyEpisode({
      'bag/bag_0.mcap.zstd': zstdCompressSync(await levels(10, 0)),
      'bag/metadata.yaml': bagMetadata({ version: 5, files: ['bag_0.mcap'], messages: 10, storage: 'mcap' }),
    });
    expect(values(episode)).toEqual(upTo(10));
    expect(codes(episode)).not.toContain('bag_file_missing');
  });

  it('whose list names another storage is read by its bytes', async () => {
    const { items, findings } = await readFolder({
      'bag/bag_0.mcap': await levels(3, 0),
      'bag/metadata.yaml': bagMetadata({ version: 5, files: ['bag_0.mcap'], messages: 3 }),
    });
    expect(items).toHaveLength(1);
    expect(said({ findings }, 'storage_misnamed')).toContain(
      'declares storage sqlite3, but the files are mcap',
    );
  });

  it('without message definitions is read by those that come with ROS 2', async () => {
    const episode = await onlyEpisode({ 'level.mcap': await levels(5, 0, '') });
    expect(values(episode)).toEqual(upTo(5));
    expect(said(episode, 'definition_builtin')).toContain('/level (std_msgs/msg/Float64)');
  });
});
