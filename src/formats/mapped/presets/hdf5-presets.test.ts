import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { egodexEpisode, robomindEpisode, twoArmEpisode } from '#test/support/preset-episodes';
import { readEverything } from '#test/support/read-dataset';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-preset-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

describe('recordings of RoboMIND', () => {
  it('are read without a mapping file, with the cameras that they have', async () => {
    write({
      ...robomindEpisode('task/train/1014_144602', 12),
      ...robomindEpisode('task/train/1014_144755', 9),
    });
    const { sets } = await readEverything(folder);
    expect(sets.map(({ path, facts }) => [path, facts.version])).toEqual([['task/train', 'robomind']]);
    const [{ id, streams, findings }, second] = sets[0].episodes;
    expect(id).toBe('1014_144602');
    expect(findings).toEqual([]);
    expect(streams.map(({ id, role, shape, sample_count }) => [id, role, shape[0], sample_count])).toEqual([
      ['joint_position', 'state', 8, 12],
      ['action', 'action', 8, 12],
      ['end_effector', 'state', 6, 12],
      ['camera_top', 'camera', undefined, 12],
      ['camera_top_depth', 'depth', undefined, 12],
    ]);
    expect(second.streams).toHaveLength(5);
  });

  it('state no times, so a rate that is declared for them is used', async () => {
    write(robomindEpisode('a', 12));
    const { sets } = await readEverything(folder, { rate_hz: 30 });
    const [episode] = sets[0].episodes;
    expect(episode.declared_rate).toMatchObject({ hz: 30, used: true });
    expect(episode.duration_s).toBeCloseTo(0.4);
  });

  it('of two arms are joined, and report an arm that is absent', async () => {
    write({ ...twoArmEpisode('a', 12, true), ...twoArmEpisode('b', 12, false) });
    const [whole, half] = (await readEverything(folder)).sets[0].episodes;
    expect(whole.streams.map(({ id, shape }) => [id, shape[0]]).slice(0, 2)).toEqual([
      ['joint_position', 14],
      ['action', 14],
    ]);
    expect(whole.findings).toEqual([]);
    expect(half.findings).toMatchObject([
      { code: 'column_missing', evidence: { column: 'puppet/joint_position_right' } },
    ]);
  });

  it('are not seen in other HDF5 files of that name', async () => {
    write({ 'a/data/trajectory.hdf5': egodexEpisode('0', 4)['0.hdf5'] });
    await expect(readEverything(folder)).rejects.toThrow();
  });
});

describe('recordings of EgoDex', () => {
  it('are read without a mapping file, with hands, camera pose and video at 30 Hz', async () => {
    write(egodexEpisode('0', 31));
    const { sets } = await readEverything(folder);
    expect(sets.map(({ facts }) => facts.version)).toEqual(['egodex']);
    const [{ streams, duration_s, tasks }] = sets[0].episodes;
    expect(streams.map(({ id, role, shape }) => [id, role, shape[0]])).toEqual([
      ['left_hand', 'state', 32],
      ['right_hand', 'state', 32],
      ['camera_pose', 'odometry', 16],
      ['confidences', 'other', 1],
      ['camera', 'camera', undefined],
    ]);
    expect(duration_s).toBeCloseTo(1);
    expect(tasks).toMatchObject([{ text: 'fold the towel', source: '@llm_description' }]);
  });

  it('of a task with a description for each direction have no task', async () => {
    write(
      egodexEpisode('0', 31, { llm_description: 'fold', llm_description2: 'unfold', llm_type: 'reversible' }),
    );
    const [{ tasks, findings }] = (await readEverything(folder)).sets[0].episodes;
    expect(tasks).toBeNull();
    expect(findings).toEqual([]);
  });
});
