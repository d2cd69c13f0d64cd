import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { discover } from '#formats';
import { onPeers, peersPython } from '../support/peers.ts';
import { askScript, runScript } from './python-worker.ts';

const data = resolve('../shared/data');
const folder = mkdtempSync(join(tmpdir(), 'assay-interop-rosbag-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Truth {
  readonly counts: Readonly<Record<string, number>>;
  readonly start_ns: string;
  readonly duration_ns: number;
  /** Positions of /joint_states, message by message. */
  readonly positions: readonly number[];
}

async function episodeOf(path: string): Promise<Episode> {
  const [{ dataset }] = (await discover(path)).datasets;
  for await (const episode of dataset.read(dataset.units[0], {})) {
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    await dataset.close();
    return episode;
  }
  throw new Error(`${path} holds no episode`);
}

/** Topics that do not follow the robot, a log or a map, may begin before the episode and end after it. */
type Lasts = 'from the first message to the last' | 'as long as the robot is followed';

const endOf = (start_ns: string | null, duration_s: number): bigint =>
  BigInt(start_ns ?? 0) + BigInt(Math.round(duration_s * 1e9));

async function expectTruth(
  path: string,
  lasts: Lasts = 'from the first message to the last',
): Promise<Truth> {
  const truth: Truth = await askScript('peers', 'rosbag_truth.py', path);
  const episode = await episodeOf(path);
  const counts = episode.streams.map(({ id, sample_count }) => [id.split('.')[0], sample_count]);
  expect(Object.fromEntries(counts)).toEqual(truth.counts);
  if (lasts === 'from the first message to the last')
    expect([episode.start_ns, episode.duration_s]).toEqual([truth.start_ns, truth.duration_ns / 1e9]);
  else expect(Number(BigInt(episode.start_ns ?? 0) - BigInt(truth.start_ns))).toBeGreaterThanOrEqual(0);
  expect(endOf(episode.start_ns, episode.duration_s)).toBeLessThanOrEqual(
    endOf(truth.start_ns, truth.duration_ns / 1e9),
  );
  const joints = episode.streams.find(({ id }) => /^\/joint_states(\.position)?$/.test(id));
  expect(Array.from(joints?.series?.values ?? [])).toEqual(truth.positions);
  return truth;
}

describe.skipIf(!peersPython)(onPeers('bags as rosbags has them'), () => {
  it.each(['none', 'lz4', 'bz2'])('written by it with %s: every message and number', async (compression) => {
    const path = join(folder, `${compression}.bag`);
    await runScript('peers', resolve('bench/readers/rosbag_peer.py'), 'write', path, '4', compression, '500');
    const { counts, positions } = await expectTruth(path);
    expect([counts['/joint_states'], positions.length]).toEqual([400, 2800]);
  });

  it.each(['plain', 'lz4', 'bz2'])('written for our own cases (%s): it reads the same', async (name) => {
    const { counts } = await expectTruth(resolve('test/conformance/rosbag', name, 'input/arm.bag'));
    expect(counts).toEqual({ '/joint_states': 30, '/camera/image_raw': 6, '/task': 1 });
  });

  it.skipIf(!existsSync(data))('recorded by people: the same messages (needs ../shared/data)', async () => {
    for (const path of ['rosbag/fixtures/example-bz2.bag', 'PlotJuggler/datasamples/tilt_laser.bag'])
      await expectTruth(join(data, 'rosbag', path), 'as long as the robot is followed');
  });
});
