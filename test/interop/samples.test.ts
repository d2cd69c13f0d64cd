import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lerobotPython, onLeRobot, onPeers, peersPython } from '#test/support/peers';
import { program } from '#test/support/program';
import { sharedSamples } from '#test/support/shared-samples';
import { askScript, runScript } from './python-worker.ts';

const root = join(import.meta.dirname, '../..');

// Made only when a test runs: where all are skipped nothing would take it away.
const scratch = join(tmpdir(), `assay-interop-samples-${process.pid}`);
let recordings: string;
const report = join(scratch, 'report');

beforeAll(async () => {
  if (!peersPython && !lerobotPython) return;
  mkdirSync(scratch);
  ({ recordings } = await sharedSamples());
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.skipIf(!peersPython)(onPeers('receipts in other hands'), () => {
  it('have the content_hash that Python computes with the rfc8785 package', async () => {
    const arguments_ = [program, 'assess', recordings, '--out', report];
    execFileSync(process.execPath, arguments_, { stdio: ['ignore', 'ignore', 'pipe'] });
    const receipts = filesBelow(join(report, 'receipts'));
    expect(receipts.length).toBeGreaterThan(50);
    const said = await runScript('peers', join(root, 'docs/verify_receipt.py'), ...receipts);
    const lines = said.trim().split('\n');
    expect(lines).toHaveLength(receipts.length);
    for (const [i, path] of receipts.entries()) {
      const stated = JSON.parse(readFileSync(path, 'utf8')).content_hash;
      expect(lines[i]).toBe(`ok ${stated} ${path}`);
    }
  });
});

describe.skipIf(!lerobotPython)(onLeRobot("the sample set in LeRobot's hands"), () => {
  it('opens in the library, which reads rows and frames of every episode', { timeout: 240_000 }, async () => {
    const set = join(recordings, 'teleop-lerobot');
    const info = JSON.parse(readFileSync(join(set, 'meta/info.json'), 'utf8'));
    const read = await askScript('lerobot', 'lerobot_library.py', 'read', set, '7');
    expect(read.total_episodes).toBe(info.total_episodes);
    expect(read.total_frames).toBe(info.total_frames);
    expect(read.episodes).toHaveLength(info.total_episodes);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
