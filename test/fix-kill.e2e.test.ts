import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import {
  applyPlan,
  journalFolder,
  planFixes,
  recover,
  removeEmptyJournalFolder,
  undoLast,
} from '#formats/fix';
import { modes } from './lerobot-modes/modes/index.ts';
import { planModes, Studios } from './lerobot-modes/plan.ts';
import { writeSet } from './lerobot-modes/write-set.ts';
import { rounds } from './support/tiers.ts';
import { treeHash } from './support/tree-hash.ts';

const child = join(import.meta.dirname, 'support/fix-child.ts');
const options = { stamps: true, video: true };
const kills = rounds(4, 40);

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-kill-'));
const original = join(scratch, 'original');
let untouched = '';
let mended = '';

/** Starts the process and kills it when so many names below the folder have changed; gives whether it was killed. */
function killedAfter(events: number, what: string, root: string): Promise<boolean> {
  return new Promise((resolve) => {
    const running = spawn(process.execPath, [child, what, root], { stdio: 'ignore' });
    let seen = 0;
    const watcher = watch(root, { recursive: true }, () => {
      seen += 1;
      if (seen >= events) running.kill('SIGKILL');
    });
    running.on('exit', (_, signal) => {
      watcher.close();
      resolve(signal === 'SIGKILL');
    });
  });
}

async function copy(name: string): Promise<string> {
  const root = join(scratch, name);
  await cp(original, root, { recursive: true });
  return root;
}

describe('a fix that is killed', () => {
  beforeAll(async () => {
    const wanted = ['index_restarts', 'total_frames_wrong', 'v3_data_file_stale', 'pictures_left_behind'];
    const planted = wanted.map((id) => modes.find((mode) => mode.id === id)!);
    const planned = planModes('several', planted, 'v3.0', 1, new Studios())!;
    await writeSet(planned.set, original);
    untouched = treeHash(original);
    const root = await copy('whole');
    await applyPlan(await planFixes({ root: root, file: null }, options), '2026-01-01T00:00:00Z');
    mended = treeHash(root);
  }, 120_000);
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  it('is finished or thrown away by the next, and can be undone byte for byte', {
    timeout: 600_000,
  }, async () => {
    const random = seededRandom(11);
    let killed = 0;
    for (let round = 0; round < kills; round++) {
      const root = await copy(`apply-${round}`);
      if (await killedAfter(random.integer(1, 50), 'apply', root)) killed += 1;
      await recover(root);
      expect([untouched, mended]).toContain(treeHash(root));
      const rest = await planFixes({ root: root, file: null }, options);
      if (rest.files.length > 0) await applyPlan(rest, new Date().toISOString());
      expect(treeHash(root)).toBe(mended);
      await undoLast(root);
      await removeEmptyJournalFolder(root);
      expect(treeHash(root)).toBe(untouched);
      expect(existsSync(join(root, journalFolder))).toBe(false);
      await rm(root, { recursive: true });
    }
    expect(killed).toBeGreaterThan(kills / 4);
  });

  it('while it undoes is undone by the next', { timeout: 600_000 }, async () => {
    const random = seededRandom(12);
    for (let round = 0; round < kills / 2; round++) {
      const root = await copy(`undo-${round}`);
      await applyPlan(await planFixes({ root: root, file: null }, options), '2026-01-01T00:00:00Z');
      await killedAfter(random.integer(1, 20), 'undo', root);
      await recover(root);
      if (treeHash(root) === mended) await undoLast(root);
      expect(treeHash(root)).toBe(untouched);
      await rm(root, { recursive: true });
    }
  });
});
