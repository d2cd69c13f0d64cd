import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '#test/support/program';
import { sharedSamples } from '#test/support/shared-samples';

const root = join(import.meta.dirname, '../..');
const peers = process.env.ASSAY_PEERS_PYTHON;
const lerobot = process.env.ASSAY_LEROBOT_PYTHON;
const unless = (present: unknown, name: string) => (present ? '' : ` (skipped: set ${name})`);

// Made only when a test runs: where all are skipped nothing would take it away.
const scratch = join(tmpdir(), `assay-interop-samples-${process.pid}`);
let recordings: string;
const report = join(scratch, 'report');

beforeAll(async () => {
  if (!peers && !lerobot) return;
  mkdirSync(scratch);
  ({ recordings } = await sharedSamples());
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.skipIf(!peers)(`receipts in other hands${unless(peers, 'ASSAY_PEERS_PYTHON')}`, () => {
  it('have the content_hash that Python computes with the rfc8785 package', () => {
    const arguments_ = [program, 'assess', recordings, '--out', report];
    execFileSync(process.execPath, arguments_, { stdio: ['ignore', 'ignore', 'pipe'] });
    const receipts = filesBelow(join(report, 'receipts'));
    expect(receipts.length).toBeGreaterThan(50);
    const said = execFileSync(peers ?? '', [join(root, 'docs/verify_receipt.py'), ...receipts], {
      encoding: 'utf8',
    });
    const lines = said.trim().split('\n');
    expect(lines).toHaveLength(receipts.length);
    for (const [i, path] of receipts.entries()) {
      const stated = JSON.parse(readFileSync(path, 'utf8')).content_hash;
      expect(lines[i]).toBe(`ok ${stated} ${path}`);
    }
  });
});

describe.skipIf(!lerobot)(
  `the sample set in LeRobot's hands${unless(lerobot, 'ASSAY_LEROBOT_PYTHON')}`,
  () => {
    it('opens in the library, which reads rows and frames of every episode', { timeout: 240_000 }, () => {
      const set = join(recordings, 'teleop-lerobot');
      const info = JSON.parse(readFileSync(join(set, 'meta/info.json'), 'utf8'));
      const script = join(import.meta.dirname, 'lerobot_library.py');
      const output = execFileSync(lerobot ?? '', [script, 'read', set, '7'], {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      });
      const read = JSON.parse(output.slice(output.lastIndexOf('\n', output.length - 2) + 1));
      expect(read.total_episodes).toBe(info.total_episodes);
      expect(read.total_frames).toBe(info.total_frames);
      expect(read.episodes).toHaveLength(info.total_episodes);
    });
  },
);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
