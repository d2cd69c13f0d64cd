import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Assessment } from '#core/api';
import { runAssay } from './run-assay.ts';
import { json, jsonChannel, mcapBytes } from './support/mcap-files.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-evidence-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a recording whose topics have no known role says which could provide the missing evidence', async () => {
  const messages = Array.from({ length: 40 }, (_, i) => [
    { channel: 0, log_ns: BigInt(i) * 50_000_000n, data: json({ values: [i, Math.sin(i)] }) },
    { channel: 1, log_ns: BigInt(i) * 50_000_000n, data: new Uint8Array([1, 2, 3]) },
  ]).flat();
  const channels = [jsonChannel('/unit/values'), { topic: '/display_planned_path', encoding: 'unknown' }];
  const file = join(folder, 'a.mcap');
  writeFileSync(file, await mcapBytes({ channels, messages }));
  const ran = await runAssay(['assess', file, '--json', '--out', join(folder, 'out')]);
  const [{ decision, decision_reason }] = (JSON.parse(ran.out) as Assessment).receipts;
  expect(decision).toBe('review');
  expect(decision_reason).toMatch(
    /^not enough evidence: .* missing: timestamps on at least one sensor, state, action/,
  );
  expect(decision_reason).toContain('/display_planned_path (not decoded)');
  expect(decision_reason).toContain('assay map init FOLDER');
  const table = await runAssay(['assess', file]);
  expect(table.out.replace(/\s+/g, ' ')).toContain('/display_planned_path (not decoded)');
  expect((await runAssay(['verify', join(folder, 'out', 'receipts')])).code).toBe(0);
});
