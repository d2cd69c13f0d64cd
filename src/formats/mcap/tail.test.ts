import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { openSourceTree } from '#io/sources';
import { json, jsonChannel, mcapBytes, type TestFile } from '#test/support/mcap-files';
import { rounds } from '#test/support/tiers';
import { readTail } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-tail-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (options: TestFile['options'] = {}): TestFile => ({
  channels: [jsonChannel('/a')],
  messages: Array.from({ length: 10 }, (_, at) => ({
    channel: 0,
    log_ns: 5n + BigInt(at),
    data: json({ at }),
  })),
  options,
});

async function tail(bytes: Uint8Array) {
  writeFileSync(join(folder, 'a.mcap'), bytes);
  return readTail(await openSourceTree(folder), 'a.mcap');
}

const said = { messages: 10, start_ns: '5', end_ns: '14' };

describe('the end of an MCAP file', () => {
  it.each([
    ['with summary offsets', {}],
    ['without them', { useSummaryOffsets: false }],
    ['without chunks', { useChunks: false }],
  ])('says how much is in it, %s', async (_, options) => {
    expect(await tail(await mcapBytes(file(options)))).toEqual(said);
  });

  it('says nothing where there are no statistics, no messages, or no end', async () => {
    const whole = await mcapBytes(file());
    for (const bytes of [
      await mcapBytes(file({ useStatistics: false })),
      await mcapBytes({ ...file(), messages: [] }),
      whole.subarray(0, -1),
      whole.subarray(0, 40),
      new Uint8Array(0),
    ])
      expect(await tail(bytes)).toBeNull();
  });

  it('is read without a fault however it is damaged', async () => {
    const whole = await mcapBytes(file());
    const random = seededRandom(11);
    for (let round = 0; round < rounds(60, 3000); round++) {
      const copy = Uint8Array.from(whole);
      for (let i = 0; i < 4; i++) copy[copy.length - 1 - random.integer(0, 300)] = random.integer(0, 255);
      const answer = await tail(copy);
      expect(answer === null || answer.messages > 0).toBe(true);
    }
  });
});
