import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode, Stream } from '#core/episode';
import { discover } from '../discovery/discover.ts';

const shared = join(import.meta.dirname, '../../../../shared/data');
const fixtures = join(shared, 'rosbag/rosbag/fixtures');
const actions = join(shared, 'mcap/robologs-ros-actions/actions');
const analyzer = join(shared, 'mcap/rosbag-analyzer-web/e2e/fixtures');

async function episodeOf(path: string): Promise<Episode> {
  const [{ dataset }] = (await discover(path)).datasets;
  const episodes: Episode[] = [];
  for (const unit of dataset.units)
    for await (const item of dataset.read(unit, {})) {
      if ('unreadable' in item) throw new Error(item.finding.message);
      episodes.push(item);
    }
  expect(episodes).toHaveLength(1);
  return episodes[0];
}

/** Messages by topic: streams of one topic count once. */
function messagesOf({ streams }: Episode): Record<string, number> {
  return Object.fromEntries(
    streams.map(({ id, sample_count }) => [id.replace(/(?<=\w)\.(\w+)$/, ''), sample_count]),
  );
}

const total = (episode: Episode): number =>
  Object.values(messagesOf(episode)).reduce((sum, count) => sum + count, 0);

const finding = (episode: Episode, code: string) => episode.findings.find((one) => one.code === code);

/** Streams without the name of the file their pictures lie in. */
const unnamed = (streams: readonly Stream[]) =>
  streams.map(({ frames, ...stream }) =>
    frames === undefined
      ? stream
      : { ...stream, frames: { ...frames, locator: { ...frames.locator, path: '' } } },
  );

describe.skipIf(!existsSync(shared))('the ROS 1 bags in shared/data (skipped where they are absent)', () => {
  // From the first to the last message of topics that follow the robot: logs and transforms may begin before it.
  it.each([
    [join(fixtures, 'example.bag'), 8647, 21.489, 9],
    [join(fixtures, 'example-bz2.bag'), 8647, 21.489, 9],
    [join(fixtures, 'example-lz4.bag'), 8647, 21.489, 9],
    [join(fixtures, 'no-messages.bag'), 0, 0, 0],
    [join(shared, 'rosbag/PlotJuggler/datasamples/tilt_laser.bag'), 4093, 17.694, 9],
    [join(shared, 'rosbag/PlotJuggler/datasamples/fake_joint_state.bag'), 2725, 2.724, 1],
    [join(shared, 'rosbag/PlotJuggler/datasamples/out.bag'), 194, 9.626, 1],
    [join(shared, 'rosbag/rosbag.js/fixtures/example-unsorted-chunks.bag'), 3, 2, 1],
    [join(shared, 'rosbag/rosbag-rs/dummy.bag'), 0, 0, 0],
    [join(actions, 'rosbag_to_mcap/test/input/tiny.bag'), 7, 0.113, 2],
    [join(actions, 'run_svo_slam_rosbag/input/tiny_svo.bag'), 139, 0.329, 6],
    [join(analyzer, 'test_sample.bag'), 14, 3.5, 2],
    [join(analyzer, 'test_sample_no_rosout.bag'), 3, 0.2, 1],
  ])('finds in %s %i messages in %f s on %i topics', async (path, messages, duration_s, topics) => {
    const episode = await episodeOf(path);
    expect([total(episode), Object.keys(messagesOf(episode)).length]).toEqual([messages, topics]);
    expect(episode.duration_s).toBeCloseTo(duration_s, 3);
    expect(episode.findings.map(({ code }) => code)).not.toContain('message_undecodable');
    expect(finding(episode, 'index_mismatch')).toBeUndefined();
  });

  it('gives the same episode whatever the compression, to the last bit of every number', async () => {
    const episodes = await Promise.all(
      ['example', 'example-bz2', 'example-lz4'].map((name) => episodeOf(join(fixtures, `${name}.bag`))),
    );
    const compared = episodes.map(({ id: _, locator: __, sources: ___, ...episode }) => ({
      ...episode,
      findings: episode.findings.map((one) => ({ ...one, path: '' })),
    }));
    expect(compared[0].streams).toHaveLength(9);
    expect(compared[1]).toEqual(compared[0]);
    expect(compared[2]).toEqual(compared[0]);
  });

  it('finds in tiny.bag the streams of tiny.mcap, pictures and all', async () => {
    const bag = await episodeOf(join(actions, 'rosbag_to_mcap/test/input/tiny.bag'));
    const mcap = await episodeOf(join(actions, 'rosbag_to_mcap/test/expected_output/tiny.mcap'));
    expect(unnamed(bag.streams)).toEqual(unnamed(mcap.streams));
    expect([bag.start_ns, bag.duration_s]).toEqual([mcap.start_ns, mcap.duration_s]);
    expect(messagesOf(bag)).toEqual({ '/dvs/image_raw': 4, '/dvs1/image_raw': 3 });
  });

  it('counts the laser, the IMU and the transforms of tilt_laser.bag', async () => {
    const episode = await episodeOf(join(shared, 'rosbag/PlotJuggler/datasamples/tilt_laser.bag'));
    expect(messagesOf(episode)).toMatchObject({ '/imu_data': 356, '/scan': 178, '/tf': 711 });
    const roles = new Map(episode.streams.map(({ id, role }) => [id, role]));
    expect([roles.get('/imu_data'), roles.get('/scan')]).toEqual(['imu', 'lidar']);
  });

  it('measures fake_joint_state.bag at 1 kHz, and passes over the zeros before its index', async () => {
    const episode = await episodeOf(join(shared, 'rosbag/PlotJuggler/datasamples/fake_joint_state.bag'));
    const { clocks, clock } = episode.streams[0];
    const times = clocks[clock?.index ?? 0].time_s;
    expect((times.length - 1) / (times[times.length - 1] - times[0])).toBeCloseTo(1000, -1);
    expect(finding(episode, 'file_corrupt')?.message).toContain('the 49 bytes up to the next indexed chunk');
  });

  it('finds in tiny_svo.bag eleven camera infos against ten pictures, and the IMU', async () => {
    const episode = await episodeOf(join(actions, 'run_svo_slam_rosbag/input/tiny_svo.bag'));
    expect(messagesOf(episode)).toMatchObject({
      '/imu/data': 35,
      '/camera/camera_info': 11,
      '/camera/image_raw': 10,
    });
    expect(episode.calibrations).toHaveLength(1);
  });

  it('puts the three chunks that are out of time order in order', async () => {
    const episode = await episodeOf(join(shared, 'rosbag/rosbag.js/fixtures/example-unsorted-chunks.bag'));
    const log = episode.streams[0].clocks.find(({ provenance }) => provenance === 'log');
    expect(Array.from(log?.time_s ?? [])).toEqual([0, 1, 2]);
    expect(finding(episode, 'chunks_out_of_time_order')).toBeDefined();
  });

  it('says of the truncated bag where it ends and what is missing, and reads the messages before', async () => {
    const episode = await episodeOf(join(analyzer, 'test_truncated.bag'));
    expect(messagesOf(episode)).toEqual({ '/rosout_agg': 3 });
    expect(finding(episode, 'file_truncated')?.message).toBe(
      'the file is truncated at byte 5992: the chunk at byte 4117 is truncated: the last 3718 of 5593 bytes are missing; 3 of its messages were read',
    );
    expect(finding(episode, 'bag_unindexed')).toBeDefined();
  });

  it('says of the bag with a header alone that 600 chunks are promised', async () => {
    const episode = await episodeOf(join(shared, 'rosbag/rosbag-rs/dummy.bag'));
    expect(finding(episode, 'file_truncated')?.message).toContain('declares 600 chunks');
    expect(finding(episode, 'no_messages')).toBeDefined();
  });

  it('says of the empty file that it is empty', async () => {
    await expect(discover(join(fixtures, 'empty-file.bag'))).rejects.toThrow(
      /empty-file.bag is empty \(0 bytes\)/,
    );
  });
});
