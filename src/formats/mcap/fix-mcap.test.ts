import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McapIndexedReader } from '@mcap/core';
import { afterAll, describe, expect, it } from 'vitest';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { applyPlan, planFixes, removeEmptyJournalFolder, undoLast } from '../fix/index.ts';

const scratch = await mkdtemp(join(tmpdir(), 'assay-fix-mcap-'));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const options = { stamps: false, video: false };
const place = { root: scratch, file: 'log.mcap' };
const path = join(scratch, 'log.mcap');
const messages = Array.from({ length: 300 }, (_, at) => ({
  channel: at % 2,
  log_ns: BigInt(at) * 1_000_000n,
  data: json({ at, more: 'x'.repeat(50) }),
}));
const log = {
  channels: [jsonChannel('/a'), jsonChannel('/b', 'other')],
  messages,
  metadata: { who: { robot: 'arm' } },
  attachment: Uint8Array.of(1, 2, 3),
};

/** Log times of all messages, by the index of the file. */
async function indexed(): Promise<number[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const readable = {
      size: async () => BigInt(size),
      read: async (offset: bigint, length: bigint) => {
        const bytes = new Uint8Array(Number(length));
        await handle.read(bytes, 0, bytes.length, Number(offset));
        return bytes;
      },
    };
    const reader = await McapIndexedReader.Initialize({ readable });
    expect(reader.statistics?.chunkCount).toBe(reader.chunkIndexes.length);
    const times: number[] = [];
    for await (const { logTime } of reader.readMessages()) times.push(Number(logTime) / 1_000_000);
    expect(Number(reader.statistics?.messageCount)).toBe(times.length);
    return times;
  } finally {
    await handle.close();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);

describe('an MCAP file', () => {
  it('that is whole is left as it is', async () => {
    await writeFile(path, await mcapBytes({ ...log, options: { chunkSize: 2000 } }));
    expect((await planFixes(place, options)).changes).toEqual([]);
  });

  it.each([
    ['its footer', 10],
    ['its summary', 1500],
    ['half of it', 20_000],
  ])('that lost %s has an index of all whole chunks, and can be had back', async (_, lost) => {
    const whole = await mcapBytes({ ...log, options: { chunkSize: 2000 } });
    await writeFile(path, whole);
    await truncate(path, whole.length - lost);
    const before = await readFile(path);
    const plan = await planFixes(place, options);
    await applyPlan(plan, '2026-01-01T00:00:00Z');
    const times = await indexed();
    expect(times).toEqual(upTo(times.length));
    if (lost < 2000) expect(times).toHaveLength(300);
    else expect(times.length).toBeGreaterThan(100);
    expect((await planFixes(place, options)).changes).toEqual([]);
    await undoLast(scratch);
    await removeEmptyJournalFolder(scratch);
    expect(await readFile(path)).toEqual(before);
  });

  it('without an index gets one', async () => {
    const bare = {
      useChunkIndex: false,
      useMessageIndex: false,
      useStatistics: false,
      useSummaryOffsets: false,
    };
    await writeFile(path, await mcapBytes({ ...log, options: { chunkSize: 2000, ...bare } }));
    await applyPlan(await planFixes(place, options), '2026-01-01T00:00:00Z');
    expect(await indexed()).toEqual(upTo(300));
  });

  it('with a damaged chunk loses this one, and it is named', async () => {
    const whole = Buffer.from(await mcapBytes({ ...log, options: { chunkSize: 2000 } }));
    whole[whole.indexOf('"at":150')] ^= 0xff;
    await writeFile(path, whole);
    const plan = await planFixes(place, options);
    expect(plan.unfixed.map(({ code }) => code)).toEqual(['crc_wrong']);
    await applyPlan(plan, '2026-01-02T00:00:00Z');
    const times = await indexed();
    expect(times).not.toContain(150);
    expect(times.length).toBeGreaterThan(250);
  });

  it.each([
    ['channel', 0x04, 4],
    ['schema', 0x03, 2],
    ['attachment', 0x09, 16],
    ['metadata', 0x0c, 0],
  ])(
    'with a %s record whose text reaches past its end loses this record, and it is named',
    async (_, op, at) => {
      const whole = Buffer.from(await mcapBytes({ ...log, options: { useChunks: false } }));
      let record = 8;
      while (whole[record] !== op) record += 9 + Number(whole.readBigUInt64LE(record + 1));
      whole.writeUInt32LE(0xffff_fff0, record + 9 + at);
      await writeFile(path, whole);
      const plan = await planFixes(place, options);
      expect(plan.changes.map(({ before }) => before)).toContain(
        'the record is corrupt: its fields extend past its end',
      );
      await applyPlan(plan, `2026-01-03T00:00:${String(op).padStart(2, '0')}Z`);
      expect((await planFixes(place, options)).changes).toEqual([]);
    },
  );
});
