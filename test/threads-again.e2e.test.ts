import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { assessInto } from '#engine/local';
import { endIdleThreads } from '#engine/threads';
import { alive, descendantsOf } from './support/descendants.ts';
import { folderBytes } from './support/folder-bytes.ts';

const work = mkdtempSync(join(tmpdir(), 'assay-threads-'));
const sets = ['one', 'other'].map((name) => join(work, name));
beforeAll(async () => {
  for (const [seed, set] of sets.entries()) {
    mkdirSync(set);
    await writeTeleopLeRobot(set, seed, () => {}, { episodes: 2, plan: {} });
  }
});
afterAll(async () => {
  await endIdleThreads();
  rmSync(work, { recursive: true, force: true });
});

let outs = 0;
async function assessed(path: string): Promise<Record<string, string>> {
  const out = join(work, `out-${outs++}`);
  const result = await assessInto(out, path, {});
  await result.close();
  return folderBytes(out);
}

/** Puts another set in the place of one; its files have the time of writing of those before. */
function replace(set: string, other: string): void {
  for (const name of readdirSync(other, { recursive: true, encoding: 'utf8' })) {
    const path = join(set, name);
    const before = statSync(path, { throwIfNoEntry: false });
    if (statSync(join(other, name)).isDirectory()) continue;
    cpSync(join(other, name), path);
    if (before !== undefined) utimesSync(path, before.atime, before.mtime);
  }
}

/** Decoders and what they wait for, of this process. */
const children = () => alive(descendantsOf(process.pid));

describe('threads and decoders that were used before', () => {
  it('read the files of a set as they are now', async () => {
    const set = join(work, 'set');
    cpSync(sets[0], set, { recursive: true, preserveTimestamps: true });
    const first = await assessed(set);
    replace(set, sets[1]);
    const again = await assessed(set);
    await endIdleThreads();
    expect(again).not.toEqual(first);
    expect(again).toEqual(await assessed(set));
  });

  it.skipIf(process.platform !== 'linux')('are used again, and end together', async () => {
    await endIdleThreads();
    const before = new Set(children());
    await assessed(sets[0]);
    const started = children().filter((pid) => !before.has(pid));
    expect(started.length).toBeGreaterThan(0);
    await assessed(sets[1]);
    expect(children().filter((pid) => !before.has(pid))).toEqual(started);
    await endIdleThreads();
    while (alive(started).length > 0) await wait(20);
  });
});
