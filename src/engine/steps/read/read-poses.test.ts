import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { EpisodePose } from '#core/api';
import type { Stream } from '#core/episode';
import { openShard } from '#store/blobs';
import { readPoses } from './read-poses.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-poses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rate_hz = 20;

/** A state stream in metres with a row per element; `stamped` false: without a clock. */
function stream(
  id: string,
  rows: readonly (readonly number[])[],
  more: Partial<Stream> = {},
  stamped = true,
): Stream {
  const dims = rows[0].length;
  const time_s = Float64Array.from(rows, (_, row) => row / rate_hz);
  return {
    ...{ id, role: 'state', modality: 'numeric', shape: [dims], names: null },
    unit: { unit: 'm', evidence: 'declared', reason: 'said so' },
    declared_rate_hz: rate_hz,
    sample_count: rows.length,
    clocks: stamped ? [{ name: 'timestamp', provenance: 'log', time_s }] : [],
    clock: stamped ? { index: 0, reason: 'the only one' } : null,
    series: { values: Float64Array.from(rows.flat()), dims },
    ...more,
  };
}

async function read(streams: readonly Stream[], points = 1000): Promise<readonly EpisodePose[]> {
  const path = join(folder, `${Math.random()}.parquet`);
  const writer = await openShard(path);
  await writer.add('one', streams);
  await writer.close();
  return readPoses({ type: 'poses', shard: { path, place: 0 }, duration_s: 10, points });
}

const line = (count: number) => Array.from({ length: count }, (_, i) => [i / count, 0.5, 0.1]);
/** Sine of an eighth of a turn, as quaternions are rounded. */
const half = Number(Math.SQRT1_2.toFixed(6));
const noUnit = { unit: 'unknown', evidence: 'unknown', reason: '' } as const;

describe('poses of an episode', () => {
  it('are read with their times', async () => {
    const [pose] = await read([stream('eef_pos', line(5))]);
    expect(pose).toMatchObject({
      ...{
        label: 'End effector',
        kind: 'end_effector',
        stream_id: 'eef_pos',
        unit: 'm',
        z_axis: 'up',
        rows: 5,
      },
      ...{ time_s: [0, 0.05, 0.1, 0.15, 0.2], x: [0, 0.2, 0.4, 0.6, 0.8], y: [0.5, 0.5, 0.5, 0.5, 0.5] },
      ...{ starts: [], quaternions: null, orientation_problem: null },
    });
  });

  it('are spread over the episode without timestamps, and converted to metres', async () => {
    const unit = { unit: 'mm', evidence: 'declared', reason: '' } as const;
    const [pose] = await read([
      stream(
        'eef_pos',
        [
          [0, 0, 0],
          [1000, 0, 0],
          [2000, 0, 0],
        ],
        { unit },
        false,
      ),
    ]);
    expect(pose).toMatchObject({ time_s: [0, 5, 10], x: [0, 1, 2], unit: 'm' });
  });

  it('of 100,000 rows keep every turn in few points', async () => {
    const rows = line(100_000);
    rows[43_210] = [0.4, 3, 0.1];
    const [pose] = await read([stream('eef_pos', rows)], 1000);
    expect(pose.rows).toBe(100_000);
    expect(pose.time_s.length).toBeLessThanOrEqual(1000);
    expect(Math.max(...pose.y)).toBe(3);
    expect(pose.time_s).toEqual(pose.time_s.toSorted((a, b) => a - b));
    expect(pose.time_s.at(-1)).toBe(99_999 / rate_hz);
  });

  it('name where the recording is interrupted, and leave out rows that are no numbers', async () => {
    const rows = line(100);
    for (let i = 40; i < 60; i++) rows[i] = [Number.NaN, 0, 0];
    const [pose] = await read([stream('eef_pos', rows)]);
    expect(pose.time_s).toHaveLength(80);
    expect(pose.starts).toEqual([40]);
    const [reduced] = await read([stream('eef_pos', rows)], 20);
    expect(reduced.starts.map((at) => reduced.time_s[at])).toEqual([3]);
  });

  it('have the orientation of transforms, stored by rows or by columns', async () => {
    // A quarter of a turn about z, at 1, 2, 3.
    const byRows = [0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1];
    const byColumns = byRows.map((_, i) => byRows[4 * (i % 4) + Math.floor(i / 4)]);
    for (const row of [byRows, byColumns]) {
      const [pose] = await read([stream('base_pose', [row, row], { shape: [4, 4], unit: noUnit })]);
      expect(pose).toMatchObject({ label: 'Base', unit: null, x: [1, 1], y: [2, 2], z: [3, 3] });
      expect(pose.quaternions?.[0]).toEqual([0, 0, half, half]);
    }
    const [skewed] = await read([
      stream('base_pose', [byRows.with(0, 0.7), byRows], { shape: [4, 4], unit: noUnit }),
    ]);
    expect(skewed).toBeUndefined();
  });

  it('have the orientation of Euler angles about fixed axes, of axis and angle, and of quaternions of any order', async () => {
    const quarter = Math.PI / 2;
    const turned = async (names: readonly string[], row: readonly number[]) => {
      const rows = [
        [0, 0, 0, ...row],
        [1, 0, 0, ...row],
      ];
      const [pose] = await read([stream('tcp', rows, { names: ['x', 'y', 'z', ...names], unit: noUnit })]);
      return pose.quaternions?.[0] ?? pose.orientation_problem;
    };
    expect(await turned(['roll', 'pitch', 'yaw'], [0, 0, quarter])).toEqual([0, 0, half, half]);
    expect(await turned(['roll', 'pitch', 'yaw'], [quarter, 0, quarter])).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(await turned(['roll', 'pitch', 'yaw'], [0, 0, 90])).toMatch(/not in radians/);
    expect(await turned(['axis_x', 'axis_y', 'axis_z'], [0, 0, quarter])).toEqual([0, 0, half, half]);
    expect(await turned(['qw', 'qx', 'qy', 'qz'], [1, 0, 0, 0])).toEqual([0, 0, 0, 1]);
    expect(await turned(['qx', 'qy', 'qz', 'qw'], [0.5, 0.6, 0.2, 1])).toMatch(/no unit quaternions/);
  });

  it('are not made of seven joints, of zeros, of geocentric positions, or of settings', async () => {
    const joints = [0.1, -0.3, 0.4, -2.1, 0.2, 1.7, 0.6];
    expect(
      await read([stream('robot_pose', [joints, joints.map((angle) => angle + 0.1)], { unit: noUnit })]),
    ).toEqual([]);
    expect(
      await read([
        stream('eef_pos', [
          [0, 0, 0],
          [0, 0, 0],
        ]),
      ]),
    ).toEqual([]);
    expect(
      await read([
        stream('base_pos', [
          [-2.7e6, -4.2e6, 3.8e6],
          [-2.7e6, -4.2e6, 3.8e6],
        ]),
      ]),
    ).toEqual([]);
    expect(
      await read([
        stream('map_position', [
          [1, 2, 3],
          [1, 2, 3],
        ]),
      ]),
    ).toEqual([]);
  });
});
