import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { applyPlan, planFixes, removeEmptyJournalFolder, undoLast } from '#formats/fix';
import { lerobotPython, onLeRobot } from '../support/peers.ts';
import { rounds } from '../support/tiers.ts';
import { treeHash } from '../support/tree-hash.ts';
import type { LibraryView } from './lerobot-recording.ts';
import { askScript } from './python-worker.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-killed-'));
const options = { stamps: false, video: false };

/** Lengths of the episodes that save_episode() returned from before the process was killed. */
function recordAndKill(folder: string, episodes: number, when: string): number[] {
  const script = join(import.meta.dirname, 'lerobot_killed.py');
  const { stdout, signal } = spawnSync(lerobotPython!, [script, folder, String(episodes), when], {
    encoding: 'utf8',
  });
  expect(signal).toBe('SIGKILL');
  return [...stdout.matchAll(/^saved \d+ (\d+)$/gm)].map(([, length]) => Number(length));
}

/** Returns the sum of the joint values that lerobot_killed.py writes for an episode. */
function stateSum(episode: number, length: number): number {
  let sum = 0;
  for (let at = 0; at < length; at++)
    for (let joint = 0; joint < 6; joint++) sum += Math.sin(at / 30 + episode + joint);
  return sum;
}

describe.skipIf(!lerobotPython)(onLeRobot('a recording of the real LeRobot library'), () => {
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it.each(
    (
      [
        ['episode', 12],
        ['finalise', 3],
      ] as const
    ).slice(0, rounds(1, 2)),
  )(
    'that was killed in mid-%s has every saved episode back',
    { timeout: 900_000 },
    async (when, episodes) => {
      const folder = join(scratch, when);
      const saved = recordAndKill(folder, episodes, when);
      expect(saved).toHaveLength(episodes);
      const before = treeHash(folder);
      const plan = await planFixes({ root: folder, file: null }, options);
      await applyPlan(plan, '2026-01-01T00:00:00Z').finally(plan.close);
      const read: LibraryView = await askScript('lerobot', 'lerobot_library.py', 'read', folder);
      expect(read.episodes.map(({ length }) => length)).toEqual(saved);
      for (const [episode, { length, state_sum }] of read.episodes.entries())
        expect(state_sum).toBeCloseTo(stateSum(episode, length), 3);
      const left = plan.changes.filter(({ answers }) => answers.includes('pictures_left_behind'));
      expect(left.map(({ path }) => path)).toEqual(
        when === 'episode' ? [expect.stringContaining('episode-000012')] : [],
      );
      expect(
        existsSync(join(folder, 'images/observation.images.front/episode-000012/frame-000000.png')),
      ).toBe(false);
      expect((await planFixes({ root: folder, file: null }, options)).changes).toEqual([]);
      await undoLast(folder);
      await removeEmptyJournalFolder(folder);
      expect(treeHash(folder)).toBe(before);
    },
  );
});
