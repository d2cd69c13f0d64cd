import { existsSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readEverything } from '#test/support/read-dataset';
import { discover } from '../discovery/discover.ts';

const folder = '../shared/data/rlds/bridge';

describe.skipIf(!existsSync(folder))('the Bridge set (skipped without ../shared/data)', () => {
  it('has 25 episodes of 10 steps, 4 cameras, state 7, action 7', async () => {
    const { sets } = await readEverything(folder);
    const [{ format, episodes, unreadable, findings, declared_episodes }] = sets;
    expect([format, episodes.length, unreadable.length, declared_episodes]).toEqual(['rlds', 25, 0, 50]);
    expect(findings[0]).toMatchObject({ code: 'shard_missing', evidence: { split: 'val', episodes: 25 } });
    for (const { streams, tasks, duration_s, findings: own } of episodes) {
      const cameras = streams.filter(({ role }) => role === 'camera');
      expect(
        cameras.map(({ frames, sample_count }) => [frames?.locator, frames?.declared_size_px, sample_count]),
      ).toEqual(
        [0, 1, 2, 3].map((camera) => [
          {
            type: 'embedded',
            path: 'bridge_dataset-train.tfrecord-00000-of-00001',
            channel: `observation/image_${camera}`,
            encoding: 'jpeg',
          },
          [64, 64],
          10,
        ]),
      );
      const dims = Object.fromEntries(
        streams.map(({ id, series, sample_count }) => [id, [series?.dims, sample_count]]),
      );
      expect([dims.action, dims['observation/state']]).toEqual([
        [7, 10],
        [7, 10],
      ]);
      expect(tasks).toHaveLength(1);
      expect(duration_s).toBeCloseTo(2, 9);
      // The set was cut for tests: its last steps are not the ends of episodes.
      expect(own.map(({ code }) => code)).toEqual(['is_last_missing']);
    }
    expect(episodes[0].tasks?.[0].text).toBe('put cup from counter or drying rack into sink');
    const state = episodes[0].streams.find(({ id }) => id === 'observation/state')!.series!.values;
    expect([...state.subarray(63)].map((value) => Number(value.toFixed(6)))).toEqual([
      0.231811, 0.118116, 0.116311, 0.04251, -0.183033, -0.692578, 1.000816,
    ]);
    expect(
      episodes[0].grippers.map(({ stream, dimension, open_value, evidence }) => [
        stream,
        dimension,
        open_value,
        evidence,
      ]),
    ).toEqual([
      ['action', 6, 1, 'known_format'],
      ['observation/state', 6, 1, 'known_format'],
    ]);
  });

  it('gives every picture again by its step', async () => {
    const [{ dataset }] = (await discover(folder)).datasets;
    for await (const episode of dataset.read(dataset.units[0], { hashes: false })) {
      if ('unreadable' in episode || episode.index % 8 !== 0) continue;
      const { locator, payloads } = episode.streams.find(({ id }) => id === 'observation/image_2')!.frames!;
      if (locator.type !== 'embedded') throw new Error('not embedded');
      for (const row of [0, 9]) {
        const wanted = { locator, episode_index: episode.index, start_ns: null, row, log_s: null };
        const [picture] = await dataset.picturesAt!(wanted);
        expect(crc32(picture.bytes)).toBe(payloads!.crc32[row]);
      }
    }
  });
});
