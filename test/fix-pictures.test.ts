import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyPlan, type FixOptions, type FixPlan, planFixes, undoLast } from '#formats/fix';
import { cleanVariants } from './lerobot-modes/clean/index.ts';
import { changeStatistics } from './lerobot-modes/edit.ts';
import { bytesOf } from './lerobot-modes/picture-values.ts';
import { planClean, Studios } from './lerobot-modes/plan.ts';
import { cameraEntry, type Entry } from './lerobot-modes/statistics.ts';
import { writeSet } from './lerobot-modes/write-set.ts';
import { type Version, versions, type WrittenSet } from './lerobot-modes/written-set.ts';
import { readStatistics } from './support/lerobot-statistics.ts';
import { treeHash } from './support/tree-hash.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-pictures-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const plain: FixOptions = { stamps: false, video: false };
const studios = new Studios();
let sets = 0;

async function written(version: Version, spoil: (set: WrittenSet) => void, variant = 'base') {
  const { set } = planClean(cleanVariants.find(({ id }) => id === variant)!, version, 1, studios);
  // Entries that are alike are one object.
  set.episodeStats = structuredClone(set.episodeStats);
  spoil(set);
  const root = join(scratch, String(sets++));
  await writeSet(set, root);
  return { set, root, camera: set.recording.cameras[0] };
}

const planned = (root: string, options: FixOptions): Promise<FixPlan> =>
  planFixes({ root, file: null }, options);

async function mended(root: string, options = plain): Promise<FixPlan> {
  const plan = await planned(root, options);
  await applyPlan(plan, '2026-01-01T00:00:00Z');
  await plan.close();
  return plan;
}

/** Returns the true statistics of an episode's images. */
function truthOf({ recording, studio }: WrittenSet, episode: number): Entry {
  const shots = recording.episodes[episode].shots[0];
  const counts = bytesOf(shots, studio);
  return { ...cameraEntry(counts, shots.length, 'v3.0'), std: cameraEntry(counts, shots.length, 'v2.1').std };
}

const numbers = (value: unknown): number[] => [value].flat(4) as number[];

function expectNear(entry: Entry | undefined, truth: Entry, names: readonly string[], within: number): void {
  for (const name of names)
    numbers(truth[name]).forEach((value, channel) => {
      const off = Math.abs(numbers(entry?.[name])[channel] - value);
      expect(off, `${name} of channel ${channel}`).toBeLessThanOrEqual(within);
    });
}

const moments = ['mean', 'std'];

describe.each(versions)('statistics of pictures in a LeRobot %s set', (version) => {
  const spoilt: readonly [string, (entry: Entry) => void][] = [
    ['are not numbers', (entry) => (entry.mean = [[[Number.NaN]], [[0.5]], [[0.5]]])],
    ['run to 255', (entry) => Object.assign(entry, scaled(entry, 255))],
    ['have a mean above the largest value', (entry) => (entry.max = [[[0.1]], [[0.1]], [[0.1]]])],
  ];

  it.each(spoilt)('that %s are computed again from the pictures', { timeout: 300_000 }, async (_, spoil) => {
    const { set, root, camera } = await written(version, (set) => {
      changeStatistics(set, 1, (key, entry) => void (key === set.recording.cameras[0] && spoil(entry)));
      if (set.stats !== null) spoil(set.stats[set.recording.cameras[0]]);
    });
    const before = treeHash(root);
    const plan = await mended(root);
    // NaN in meta/stats.json is written as standard JSON besides.
    const changes = plan.changes.filter(({ fix }) => fix !== 'json-text');
    expect(changes.map(({ fix, episode }) => [fix, episode])).toEqual([
      ['statistics', 1],
      ...(set.stats === null ? [] : [['statistics', null]]),
    ]);
    const { episodes, all } = await readStatistics(root, camera);
    expectNear(episodes.get(1), truthOf(set, 1), moments, 0.02);
    expect(numbers(episodes.get(1)?.count)).toEqual(numbers(truthOf(set, 1).count));
    if (all !== null) expectNear(all, episodes.get(0)!, ['mean'], 0.3);
    expect((await planned(root, plain)).changes).toEqual([]);
    await undoLast(root);
    rmSync(join(root, '.assay-fix'), { recursive: true, force: true });
    expect(treeHash(root)).toBe(before);
  });

  it('that are another camera’s are found with --pictures alone', { timeout: 300_000 }, async () => {
    const { set, root, camera } = await written(version, (set) =>
      changeStatistics(set, 2, (key, entry) => {
        if (key === set.recording.cameras[0]) Object.assign(entry, scaled(entry, 0.4));
      }),
    );
    expect((await planned(root, plain)).changes).toEqual([]);
    const plan = await mended(root, { ...plain, pictures: true });
    const own = plan.changes.filter(({ what, episode }) => what.includes(camera) && episode === 2);
    expect(own.map(({ answers }) => answers[0])).toEqual(['episode_stats_stale']);
    const { episodes } = await readStatistics(root, camera);
    expectNear(episodes.get(2), truthOf(set, 2), moments, 0.02);
  });

  it('that cannot be computed are named, with the reason', { timeout: 300_000 }, async () => {
    const { set, root } = await written(version, (set) =>
      changeStatistics(set, 1, (key, entry) => {
        if (key === set.recording.cameras[0]) entry.mean = [[[Number.NaN]], [[0.5]], [[0.5]]];
      }),
    );
    const video = set.videos.find(
      ({ camera, clips }) =>
        camera === set.recording.cameras[0] && clips.some(({ episode }) => episode === 1),
    )!;
    rmSync(join(root, video.path));
    const { changes, unfixed } = await planned(root, plain);
    expect(changes.filter(({ fix }) => fix === 'statistics')).toEqual([]);
    expect(unfixed.filter(({ code }) => code === 'camera_stats_missing')).toMatchObject([
      { path: video.path, episode: 1, message: expect.stringContaining('the video is unreadable') },
    ]);
  });

  it('that lie in tables are computed to the last digit', { timeout: 300_000 }, async () => {
    const { set, root, camera } = await written(
      version,
      (set) =>
        changeStatistics(set, 1, (key, entry) => {
          if (key === set.recording.cameras[0]) entry.max = [[[2]], [[2]], [[2]]];
        }),
      'pictures_in_tables',
    );
    await mended(root);
    const { episodes } = await readStatistics(root, camera);
    const names = [
      'min',
      'max',
      'mean',
      'std',
      ...(version === 'v3.0' ? ['q01', 'q10', 'q50', 'q90', 'q99'] : []),
    ];
    expectNear(episodes.get(1), truthOf(set, 1), names, 1e-9);
  });
});

function scaled(entry: Entry, by: number): Entry {
  const one = (value: unknown): unknown => (Array.isArray(value) ? value.map(one) : Number(value) * by);
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [name, name === 'count' ? value : one(value)]),
  );
}
