import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import type { Receipt } from '#core/api';
import { type AssessOptions, assess, assessInto } from '#engine/local';
import { reassess, receiptKey } from '#engine/local/reassess';
import { program } from '#test/support/program';
import { folderBytes } from './support/folder-bytes.ts';

let work = '';
let set = '';
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'assay-again-'));
  set = join(work, 'set');
  mkdirSync(set);
  await writeTeleopLeRobot(set, 7, () => {}, { episodes: 3, plan: {} });
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

let outs = 0;

async function assessed(path: string, options: AssessOptions): Promise<Record<string, string>> {
  const out = join(work, `out-${outs++}`);
  const result = await assessInto(out, path, options);
  await result.close();
  return folderBytes(out);
}

async function receiptsFor(options: AssessOptions) {
  const result = await assess(set, { ...options, receipts: true });
  const receipts = [...result.receipts()].map((json): Receipt => JSON.parse(json));
  await result.close();
  return { settings: result.settings, receipts };
}

/** Entries by name, with what tells whether one was written anew. */
function entriesOf(folder: string): Map<string, number> {
  const top = join(folder, 'measured');
  const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => [join(parentPath, name), statSync(join(parentPath, name)).ino]),
  );
}

const looser = { checks: { episode_length: { weight_factor: 2 } } };

describe('assessing again', () => {
  it('gives the same bytes from what is kept, under other settings too', async () => {
    const cacheFolder = join(work, 'cache-a');
    const anew = await assessed(set, {});
    const first = await assessed(set, { cacheFolder });
    const kept = entriesOf(cacheFolder);
    const again = await assessed(set, { cacheFolder });
    expect(first).toEqual(anew);
    expect(again).toEqual(anew);
    const settings = { settings: looser };
    expect(await assessed(set, { ...settings, cacheFolder })).toEqual(await assessed(set, settings));
    // A unit and its three cameras, and nothing was measured a second time.
    expect(kept.size).toBe(4);
    expect(entriesOf(cacheFolder)).toEqual(kept);
  });

  it('never gives the result of another loader', async () => {
    const cacheFolder = join(work, 'cache-e');
    const own = await assessed(set, { cacheFolder });
    const asked = { loaders: ['lerobot-0.3'] };
    const other = await assessed(set, { ...asked, cacheFolder });
    expect(other).toEqual(await assessed(set, asked));
    expect(other).toEqual(await assessed(set, { settings: asked }));
    expect(await assessed(set, { cacheFolder })).toEqual(own);
    const { settings, receipts } = await receiptsFor({ ...asked, cacheFolder });
    expect(settings.name).toBe('changed');
    expect(receipts).toHaveLength(3);
    for (const receipt of receipts) expect(receipt).toMatchObject({ ...asked, settings_hash: settings.hash });
    for (const receipt of (await receiptsFor({ cacheFolder })).receipts)
      expect(receipt).not.toHaveProperty('loaders');
    // Verification assesses with the loader of the receipt.
    const sealed = receipts.map((receipt) => {
      return { key: receiptKey(receipt), content_hash: receipt.content_hash, load: () => receipt };
    });
    expect(await reassess(sealed, set, {}, {})).toEqual(new Map());
  });

  it('measures anew what is damaged, and what was kept of another episode', async () => {
    const cacheFolder = join(work, 'cache-b');
    const anew = await assessed(set, { cacheFolder });
    const paths = [...entriesOf(cacheFolder).keys()].sort();
    paths.forEach((path, at) => {
      const bytes = readFileSync(path);
      const others = readFileSync(paths[(at + 1) % paths.length]);
      if (at % 3 === 0) writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
      else if (at % 3 === 1) writeFileSync(path, others);
      else writeFileSync(path, bytes.fill(0, bytes.length >> 1));
    });
    expect(await assessed(set, { cacheFolder })).toEqual(anew);
    const whole = entriesOf(cacheFolder);
    expect([...whole.keys()].sort()).toEqual(paths);
    expect(await assessed(set, { cacheFolder })).toEqual(anew);
    expect(entriesOf(cacheFolder)).toEqual(whole);
  });

  it('believes nothing of recordings that changed, though size and time of writing stayed', async () => {
    const cacheFolder = join(work, 'cache-c');
    const changed = join(work, 'changed');
    cpSync(set, changed, { recursive: true });
    await assessed(changed, { cacheFolder });
    const videos = readdirSync(changed, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.mp4'),
    );
    const video = join(changed, videos[0]);
    const { atime, mtime } = statSync(video);
    const bytes = readFileSync(video);
    writeFileSync(video, bytes.fill(0, bytes.length - 20_000, bytes.length - 10_000));
    utimesSync(video, atime, mtime);
    expect(await assessed(changed, { cacheFolder })).toEqual(await assessed(changed, {}));
  });
});

describe('an assessment that is cut short', () => {
  it('is gone on with by the next, which gives the same bytes', async () => {
    const cacheFolder = join(work, 'cache-d');
    const anew = await assessed(set, {});
    // Killed when so many entries are there.
    for (const entries of [1, 3]) await killedAt(entries, cacheFolder);
    const before = entriesOf(cacheFolder);
    expect(before.size).toBeGreaterThanOrEqual(3);
    expect(await assessed(set, { cacheFolder })).toEqual(anew);
    const after = entriesOf(cacheFolder);
    for (const [path, inode] of before) expect(after.get(path)).toBe(inode);
  });
});

async function killedAt(entries: number, cacheFolder: string): Promise<void> {
  const out = join(work, `out-${outs++}`);
  const args = ['assess', set, '--out', out, '--workers', '1'];
  // Without any option: measurements are cached by default.
  const env = { ...process.env, ASSAY_CACHE: cacheFolder };
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore', env });
  const ended = new Promise((done) => child.once('exit', done));
  const look = setInterval(() => {
    const kept = (() => {
      try {
        return entriesOf(cacheFolder).size;
      } catch {
        return 0;
      }
    })();
    if (kept >= entries) child.kill('SIGKILL');
  }, 5);
  await ended;
  clearInterval(look);
}
