import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { discover } from '../discovery/discover.ts';
import { mcapReader } from '../mcap/index.ts';
import { rosbag2Reader } from './index.ts';

const shared = join(import.meta.dirname, '../../../../shared/data');

/** Every episode below a folder by the file it starts with; nothing may be unreadable. */
async function episodesOf(path: string): Promise<Map<string, Episode>> {
  const { datasets } = await discover(path, { readers: [mcapReader, rosbag2Reader] });
  const episodes = new Map<string, Episode>();
  for (const { path: folder, dataset } of datasets) {
    for (const unit of dataset.units) {
      for await (const episode of dataset.read(unit, {})) {
        if ('unreadable' in episode) throw new Error(`${episode.id}: ${episode.finding.message}`);
        episodes.set(join(folder, episode.locator.path), episode);
      }
    }
    await dataset.close();
  }
  return episodes;
}

/** Messages of an episode by topic: streams of one topic count once. */
function messagesOf(episode: Episode): number {
  const topics = new Map<string, number>();
  for (const { id, sample_count } of episode.streams)
    topics.set(id.replace(/(?<=\w)\.(\w+)$/, ''), sample_count);
  return [...topics.values()].reduce((sum, count) => sum + count, 0);
}

/** A stream but for the file that its pictures lie in. */
function comparable(stream: Stream): unknown {
  const { frames } = stream;
  if (frames === undefined) return stream;
  return { ...stream, frames: { ...frames, locator: { ...frames.locator, path: '' } } };
}

describe.skipIf(!existsSync(shared))('the SQLite bags in shared/data (skipped where they are absent)', () => {
  let episodes = new Map<string, Episode>();

  beforeAll(async () => {
    episodes = new Map([
      ...(await episodesOf(join(shared, 'mcap'))),
      ...(await episodesOf(join(shared, 'rosbag/PlotJuggler/datasamples/rosbag2_test'))),
    ]);
  });

  const episode = (path: string): Episode => {
    const found = episodes.get(path);
    if (found === undefined) throw new Error(`no episode ${path} among ${[...episodes.keys()].join(', ')}`);
    return found;
  };
  const codes = (path: string): string[] => episode(path).findings.map(({ code }) => code);

  const py = 'rosbag2/rosbag2_py/test/resources/sqlite3';
  const tests = 'rosbag2/rosbag2_tests/resources/sqlite3';

  it.each([
    [`${py}/talker/talker.db3`, 20],
    [`${py}/wbag/wbag_0.db3`, 6074],
    [`${py}/reindex_test_bags/multiple_files/multiple_files_0.db3`, 1324],
    [`${py}/reindex_test_bags/multiple_files/multiple_files_1.db3`, 1324],
    [`${py}/reindex_test_bags/multiple_files/multiple_files_2.db3`, 529],
    [`${tests}/cdr_test/cdr_test_0.db3`, 7],
    [`${tests}/wrong_rmw_test/wrong_rmw_test_0.db3`, 7],
    ['rosbag2/ros2bag/test/resources/empty_bag/empty_bag_0.db3', 0],
    ['rosbags-rs/tests/test_bags/test_bag_sqlite3/test_bag_sqlite3.db3', 188],
    ['rosbag2_test_0.db3', 4695],
  ])('finds in %s %i messages', (path, messages) => {
    expect(messagesOf(episode(path))).toBe(messages);
    expect(codes(path)).not.toContain('metadata_count_mismatch');
    expect(codes(path)).not.toContain('message_undecodable');
  });

  it.each(
    [
      'rosbag2/rosbag2_py/test/resources/*/talker/talker',
      'rosbag2/rosbag2_py/test/resources/*/wbag/wbag_0',
      'rosbag2/rosbag2_py/test/resources/*/convert_a/rewriter_a_0',
      'rosbag2/rosbag2_py/test/resources/*/convert_b/rewriter_b_0',
      'rosbag2/rosbag2_py/test/resources/*/reindex_test_bags/multiple_files/multiple_files_0',
      'rosbag2/rosbag2_py/test/resources/*/reindex_test_bags/multiple_files/multiple_files_1',
      'rosbag2/rosbag2_py/test/resources/*/reindex_test_bags/multiple_files/multiple_files_2',
      'rosbag2/rosbag2_tests/resources/*/cdr_test/cdr_test_0',
      'rosbag2/rosbag2_tests/resources/*/wrong_rmw_test/wrong_rmw_test_0',
      'rosbag2/rosbag2_transport/test/resources/*/rewriter_a/rewriter_a_0',
      'rosbag2/rosbag2_transport/test/resources/*/rewriter_b/rewriter_b_0',
      'rosbag2/rosbag2_transport/test/resources/*/test_bag_for_seek/test_bag_for_seek_0',
    ].map((name) => [name]),
  )('reads from %s the streams of its MCAP twin', (name) => {
    const sqlite = episode(`${name.replaceAll('*', 'sqlite3')}.db3`);
    const mcap = episode(`${name.replaceAll('*', 'mcap')}.mcap`);
    expect(sqlite.streams.map(comparable)).toEqual(mcap.streams.map(comparable));
    expect([sqlite.start_ns, sqlite.duration_s]).toEqual([mcap.start_ns, mcap.duration_s]);
  });

  it.each([
    [
      'rosbag2/rosbag2_tests/resources/*/bag_with_topics_and_service_events/bag_with_topics_and_service_events',
    ],
    ['rosbag2/rosbag2_cpp/test/rosbag2_cpp/bags/topics_and_services'],
    ['rosbags-rs/tests/test_bags/test_bag_*/test_bag_*'],
  ])('finds in %s, which was recorded twice, streams of the same kind and length', (name) => {
    const [sqlite, mcap] = [
      `${name.replaceAll('*', 'sqlite3')}.db3`,
      `${name.replaceAll('*', 'mcap')}.mcap`,
    ].map((path) =>
      episode(path).streams.map(({ id, modality, role, shape, names, sample_count }) => [
        id,
        modality,
        role,
        shape,
        names,
        sample_count,
      ]),
    );
    expect(sqlite).toEqual(mcap);
  });

  it('finds the talker in 4.531 s', () => {
    expect(episode(`${py}/talker/talker.db3`).duration_s).toBeCloseTo(4.531, 3);
  });

  it('joins the five files of wbag into one episode of eight topics', () => {
    const wbag = episode(`${py}/wbag/wbag_0.db3`);
    expect([wbag.streams.length, wbag.sources.length]).toEqual([8, 6]);
  });

  it('keeps the topics of a serialization nobody knows, and says so', () => {
    const path = `${tests}/wrong_rmw_test/wrong_rmw_test_0.db3`;
    expect(episode(path).streams.map(({ modality }) => modality)).toEqual(['opaque', 'opaque']);
    const said = episode(path).findings.find(({ code }) => code === 'encoding_unsupported');
    expect(said?.message).toContain('wrong_format');
  });

  it('says that the empty bag is empty', () => {
    expect(codes('rosbag2/ros2bag/test/resources/empty_bag/empty_bag_0.db3')).toContain('no_messages');
  });

  it('finds 94 topics in the bag of rosbags-rs', () => {
    const { streams } = episode('rosbags-rs/tests/test_bags/test_bag_sqlite3/test_bag_sqlite3.db3');
    expect(new Set(streams.map(({ id }) => id.split('.')[0])).size).toBe(94);
  });

  it('finds rosbag2_test at 25 Hz without gaps', () => {
    const { streams, findings } = episode('rosbag2_test_0.db3');
    const rates = streams.map(({ clocks, clock, sample_count }) => {
      const times = clock === null ? new Float64Array(0) : clocks[clock.index].time_s;
      return (sample_count - 1) / (times[times.length - 1] - times[0]);
    });
    for (const rate of rates) expect(rate).toBeCloseTo(25, 0);
    expect(findings.map(({ code }) => code)).not.toContain('log_time_out_of_order');
  });
});
