import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { readEverything } from '#test/support/mcap-files';
import type { Unreadable } from '../shared/reader.ts';

const shared = join(import.meta.dirname, '../../../../shared/data/mcap');

/** Messages of an episode by topic: streams of one topic count once. */
function messagesOf(episode: Episode): number {
  const topics = new Map<string, number>();
  for (const { id, sample_count } of episode.streams)
    topics.set(id.replace(/(?<=\w)\.(\w+)$/, ''), sample_count);
  return [...topics.values()].reduce((sum, count) => sum + count, 0);
}

describe.skipIf(!existsSync(shared))(
  'the MCAP recordings in shared/data (skipped where they are absent)',
  () => {
    const episodes = new Map<string, Episode>();
    let read: (Episode | Unreadable)[] = [];

    beforeAll(async () => {
      read = await readEverything(shared);
      for (const episode of read) if (!('unreadable' in episode)) episodes.set(episode.id, episode);
    });

    const episode = (id: string): Episode => {
      const found = episodes.get(id);
      if (found === undefined) throw new Error(`no episode ${id} among ${[...episodes.keys()].join(', ')}`);
      return found;
    };
    const finding = (id: string, code: string) =>
      episode(id).findings.find((candidate) => candidate.code === code);

    const tests = 'rosbag2/rosbag2_py/test/resources/mcap';

    it.each([
      [`${tests}/talker`, 20],
      [`${tests}/wbag`, 6074],
      [`${tests}/reindex_test_bags/multiple_files/multiple_files_0`, 1324],
      [`${tests}/reindex_test_bags/multiple_files/multiple_files_1`, 1324],
      [`${tests}/reindex_test_bags/multiple_files/multiple_files_2`, 529],
      ['rosbag2/rosbag2_tests/resources/mcap/wrong_rmw_test', 7],
      ['rosbag2/rosbag2_tests/resources/mcap/bag_with_topics_and_service_events', 10],
      ['robologs-ros-actions/actions/rosbag_to_mcap/test/expected_output/tiny', 7],
      ['rosbag-analyzer-web/e2e/fixtures/test_sample_truncated', 14],
      ['rosbag-analyzer-web/e2e/fixtures/test_sample.mcap', 14],
      ['rosbag-analyzer-web/e2e/fixtures/test_sample.mcap.zstd', 14],
      ['foxglove-sdk/scripts/fixtures/empty', 0],
      ['amber/tests/rosbag/soccer_goal', 2],
    ])('finds in %s %i messages', (id, messages) => {
      expect(messagesOf(episode(id))).toBe(messages);
    });

    it('reads every file: no recording is unreadable, no message undecodable', () => {
      expect(read.filter((one) => 'unreadable' in one)).toEqual([]);
      for (const one of episodes.values()) {
        expect(
          one.findings.map(({ code }) => code),
          one.id,
        ).not.toContain('message_undecodable');
      }
    });

    it('finds the talker in 4.531 s', () => {
      expect(episode(`${tests}/talker`).duration_s).toBeCloseTo(4.531, 3);
    });

    it('joins the five files of wbag into one episode of eight topics', () => {
      const wbag = episode(`${tests}/wbag`);
      expect([wbag.streams.length, wbag.sources.length]).toEqual([8, 6]);
      expect(finding(`${tests}/wbag`, 'metadata_count_mismatch')).toBeUndefined();
    });

    it('finds seven messages in cdr_test, and the numbers of its basic types', () => {
      const cdr = episode('rosbag2/rosbag2_tests/resources/mcap/cdr_test');
      const basic = cdr.streams.find((stream) => stream.id === '/test_topic');
      const arrays = cdr.streams.find((stream) => stream.id === '/array_topic.float64_values');
      expect([basic?.sample_count, arrays?.sample_count]).toEqual([3, 4]);
      expect(basic?.names?.[3]).toBe('float32_value');
    });

    it('keeps the topics of an encoding nobody knows, and says so', () => {
      const id = 'rosbag2/rosbag2_tests/resources/mcap/wrong_rmw_test';
      expect(episode(id).streams.map(({ modality }) => modality)).toEqual(['opaque', 'opaque']);
      expect(finding(id, 'encoding_unsupported')?.message).toContain('wrong_format');
    });

    it('says that metadata.yaml promises 251 messages where there are two, and which files are missing', () => {
      const id = 'amber/tests/rosbag/soccer_goal';
      expect(finding(id, 'metadata_count_mismatch')?.evidence).toMatchObject({ declared: 251, counted: 2 });
      expect(finding(id, 'bag_file_missing')?.message).toContain('12 of 13 files');
      const camera = episode(id).streams[0];
      expect(camera.frames?.declared_size_px).toEqual([640, 480]);
      expect(camera.frames?.kept?.[0].bytes.length).toBe(640 * 480 * 3);
    });

    it('says that the truncated sample is truncated', () => {
      expect(
        finding('rosbag-analyzer-web/e2e/fixtures/test_sample_truncated', 'file_truncated'),
      ).toBeDefined();
    });

    it('finds 188 messages on 94 topics, and that the file keeps no statistics', () => {
      const id = 'rosbags-rs/tests/test_bags/test_bag_mcap';
      const topics = new Set(episode(id).streams.map((stream) => stream.id.split('.')[0]));
      expect(topics.size).toBe(94);
      for (const stream of episode(id).streams) expect(stream.sample_count).toBe(2);
      expect(finding(id, 'statistics_absent')?.message).toContain('188 messages');
      expect(episode(id).calibrations[0].values.K).toHaveLength(9);
    });

    it('reads seven pictures of 346 by 260 from tiny.mcap', () => {
      const { streams } = episode('robologs-ros-actions/actions/rosbag_to_mcap/test/expected_output/tiny');
      expect(
        streams.map(({ id, sample_count, frames }) => [id, sample_count, frames?.declared_size_px]),
      ).toEqual([
        ['/dvs/image_raw', 4, [346, 260]],
        ['/dvs1/image_raw', 3, [346, 260]],
      ]);
      expect(streams[0].frames?.kept?.[0].layout).toMatchObject({ encoding: 'mono8', step: 346 });
    });
  },
);
