import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { type DiscoveredDataset, discover } from '../discovery/discover.ts';

const shared = join(import.meta.dirname, '../../../../shared/data/hdf5');
const present = existsSync(shared);
const unless = present ? '' : ' (skipped without ../shared/data)';
const flat = 'd4rl-flat/src/generate/abstractsim/export_physical_trajectories';

async function episodesOf({ dataset }: DiscoveredDataset): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for (const unit of dataset.units) {
    for await (const one of dataset.read(unit, { hashes: false })) {
      if ('unreadable' in one) throw new Error(one.finding.message);
      episodes.push(one);
    }
  }
  return episodes;
}

async function only(path: string): Promise<DiscoveredDataset> {
  const { datasets } = await discover(join(shared, path));
  expect(datasets).toHaveLength(1);
  return datasets[0];
}

const stepsOf = ({ streams }: Episode): number =>
  streams.find(({ role }) => role === 'action')?.sample_count ?? 0;
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe.skipIf(!present)(`real HDF5 recordings${unless}`, () => {
  it('of Isaac Lab hold 10 demonstrations and 2,163 steps, each a success that the file declares', async () => {
    const found = await only('isaaclab-snake/annotated_dataset.hdf5');
    expect(found.dataset.facts).toMatchObject({
      format: 'hdf5',
      version: 'robomimic',
      declared_frames: 2163,
    });
    const episodes = await episodesOf(found);
    expect(episodes).toHaveLength(10);
    expect(sum(episodes.map(stepsOf))).toBe(2163);
    for (const { outcome } of episodes) {
      expect(outcome).toMatchObject({ value: 'success', evidence: 'declared' });
    }
    expect(found.dataset.findings.map(({ code }) => code)).toEqual([
      'robomimic_transitions_missing',
      'arrays_not_read',
    ]);
  });

  it('of Isaac Lab say no rate, so that nothing has a clock, and no polarity of the gripper', async () => {
    const [episode] = await episodesOf(await only('isaaclab-snake/annotated_dataset.hdf5'));
    expect(episode.duration_s).toBe(0);
    for (const stream of episode.streams)
      expect(stream).toMatchObject({ clock: null, declared_rate_hz: null });
    expect(episode.tasks).toBeNull();
    expect(episode.grippers.length).toBeGreaterThan(0);
    for (const gripper of episode.grippers) {
      expect(gripper).toMatchObject({ stream: 'obs/gripper_pos', open_value: null, evidence: 'unknown' });
    }
  });

  it('that were generated hold 10 demonstrations and 2,328 steps', async () => {
    const episodes = await episodesOf(await only('isaaclab-snake/generated_dataset_small.hdf5'));
    expect(episodes).toHaveLength(10);
    expect(sum(episodes.map(stepsOf))).toBe(2328);
  });

  it('that say total=3901 and hold 2,163 steps are told so, and sorted by number', async () => {
    const found = await only('isaaclab-snake/dataset.hdf5');
    expect(found.dataset.findings).toContainEqual(
      expect.objectContaining({
        code: 'metadata_count_mismatch',
        path: 'dataset.hdf5',
        evidence: { declared: 3901, found: 2163 },
      }),
    );
    const names = (await episodesOf(found)).map(({ id }) => id.slice(id.indexOf('/') + 1));
    expect(names).toEqual([0, 1, 2, 6, 8, 9, 12, 13, 14, 16].map((number) => `demo_${number}`));
  });

  it('of flat transitions hold 20,000 of them in the ten episodes that terminals mark', async () => {
    const { datasets } = await discover(join(shared, flat, 'trajectories.hdf5'));
    const episodes = await episodesOf(datasets[0]);
    expect(episodes.map(stepsOf)).toEqual(Array.from({ length: 10 }, () => 2000));
    expect(episodes[3].locator).toEqual({
      format: 'hdf5',
      path: 'trajectories.hdf5',
      span: { unit: 'row', from: 6000, to: 8000 },
    });
    expect(episodes[3].outcome.value).toBe('unknown');
  });

  it('of 0 rows are three findings and no episode', async () => {
    const { dataset } = await only(`${flat}/physical_data`);
    expect(dataset.units).toEqual([]);
    expect(dataset.findings.map(({ code }) => code)).toEqual(
      Array.from({ length: 3 }, () => 'recording_empty'),
    );
  });

  it('of no layout that is known are refused with what they hold', async () => {
    for (const [path, seen] of [
      ['h5py', /compound-dtype-complex\.h5 is an HDF5 file in an unknown layout/],
      ['h5wasm/test/compressed.h5', /\/scaleoffset \(float64 100 x 100\)/],
      ['h5wasm/test/vlen.h5', /sequence/],
    ] as const) {
      await expect(discover(join(shared, path))).rejects.toThrow(seen);
    }
  });
});
