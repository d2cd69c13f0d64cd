import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMixedRecordings } from './support/mixed-recordings.ts';
import { assessAgain, conditionsBeside } from './support/same-bytes.ts';

const slow_ms = 300_000;
/** Two for a core of CI: more would only hold up what is tested at the same time. */
const [asItIs, ...others] = conditionsBeside(4);

const top = mkdtempSync(join(tmpdir(), 'assay-same-bytes-test-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** The long version is `npm run same-bytes`, beside 16 busy processes. */
describe('everything that an assessment writes', () => {
  let recordings: string;
  let reference: Awaited<ReturnType<typeof assessAgain>>['written'];
  beforeAll(async () => {
    recordings = await writeMixedRecordings(top);
    const { differences, written } = await assessAgain(recordings, join(top, 'out'), asItIs, 2, null);
    expect(differences).toEqual([]);
    expect([...written.keys()].filter((name) => name.startsWith('receipts/')).length).toBeGreaterThan(8);
    reference = written;
  }, slow_ms);

  it.each(others)('is the same, byte by byte: $name', { timeout: slow_ms }, async (condition) => {
    const { differences } = await assessAgain(recordings, join(top, 'out'), condition, 1, reference);
    expect(differences).toEqual([]);
  });
});
