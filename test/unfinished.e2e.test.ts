import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assessment } from '#core/api';
import { openVideoWriter } from '#io/video';
import { descendants, type Ran, type RunOptions, runAssay } from './run-assay.ts';
import { writeSet } from './support/lerobot-set.ts';
import { movingPicture } from './support/moving-picture.ts';

const top = mkdtempSync(join(tmpdir(), 'assay-unfinished-'));
const recordings = join(top, 'recordings');
/** Output folder of an undisturbed assessment. */
const calm = join(top, 'calm');
const slow_ms = 120_000;

beforeAll(async () => {
  mkdirSync(join(recordings, 'videos'), { recursive: true });
  renameSync((await writeSet({ episodes: 3, rows: 40, files: 1 })).toString(), join(recordings, 'numbers'));
  for (const name of ['one.mp4', 'two.mp4']) {
    const writer = await openVideoWriter(join(recordings, 'videos', name), {
      ...{ width_px: 96, height_px: 64, rate_hz: 10 },
    });
    for (const frame of movingPicture(96, 64, 20)) await writer.write(frame);
    await writer.close();
  }
  expect((await runAssay(['assess', recordings, '--out', calm])).code).toBe(0);
}, slow_ms);
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** Ends every decoder process as it comes up, as a machine without memory does. */
function withoutDecoders(): RunOptions {
  return {
    onStart: (child) => {
      const timer = setInterval(() => {
        for (const { pid, command } of descendants(child.pid!)) {
          if (/media.child/.test(command)) kill(pid);
        }
      }, 10);
      child.once('close', () => clearInterval(timer));
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

const receiptsIn = (out: string) =>
  readdirSync(join(out, 'receipts'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();

describe.skipIf(process.platform !== 'linux')('an assessment whose decoders are killed (needs /proc)', () => {
  it('says what it did not measure, exits 4 and seals nothing of that dataset', {
    timeout: slow_ms,
  }, async () => {
    const ran: Ran = await runAssay(['assess', recordings, '--json'], withoutDecoders());
    expect(ran.code).toBe(4);
    const { dataset, receipts }: Assessment = JSON.parse(ran.out);
    const reason = expect.stringContaining('decoder process');
    expect(dataset.incomplete).toMatchObject([
      { path: 'videos/one.mp4', episode: 'one.mp4', episodes: 1, reason },
      { path: 'videos/two.mp4', episode: 'two.mp4', episodes: 1, reason },
    ]);
    expect(dataset.findings.filter(({ path }) => path?.startsWith('videos'))).toEqual([]);
    expect(receipts).toHaveLength(3);
    expect(ran.err).toContain('videos/one.mp4');
    expect(ran.err).toContain('run the same command again');
  });

  it('is finished by running it again, with the same receipts', { timeout: slow_ms }, async () => {
    const out = join(top, 'out');
    expect((await runAssay(['assess', recordings, '--out', out], withoutDecoders())).code).toBe(4);
    expect(receiptsIn(out)).toHaveLength(3);
    expect(existsSync(join(out, 'index.html'))).toBe(true);
    expect((await runAssay(['assess', recordings, '--out', out])).code).toBe(0);
    const names = receiptsIn(calm);
    expect(names).toHaveLength(5);
    expect(receiptsIn(out)).toEqual(names);
    for (const name of names) {
      const [again, undisturbed] = [out, calm].map((folder) => readFileSync(join(folder, 'receipts', name)));
      expect(again.equals(undisturbed), name).toBe(true);
    }
  });

  it('does not accuse receipts that it cannot verify', { timeout: slow_ms }, async () => {
    const verify = ['verify', join(calm, 'receipts'), '--source', recordings];
    const ran = await runAssay(verify, withoutDecoders());
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 4, out: '' });
    expect(ran.err).toContain('some data could not be measured');
  });
});
