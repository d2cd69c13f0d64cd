import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchRows } from './chunks.ts';
import { interruptQueries, parquetSource } from './duck.ts';
import { parquetStatistics } from './footer.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-duck-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function writeSound(name: string): Promise<string> {
  const path = join(folder, name);
  await fetchRows(`COPY (SELECT (i % 7)::UTINYINT AS k FROM range(100) t(i)) TO '${path}' (FORMAT parquet)`);
  return path;
}

/** A column of integers that says it holds nothing but nulls: the engine trips over its statistics. */
async function writeTripping(): Promise<string> {
  const path = await writeSound('tripping.parquet');
  const bytes = readFileSync(path);
  // In the footer, behind the name: field 6, the converted type, UINT_8 in zigzag; 24 is that of a column of nulls.
  const at = bytes.indexOf(Buffer.from([0x01, 0x6b, 0x25, 0x16]));
  expect(at).toBeGreaterThan(0);
  bytes[at + 3] = 24 << 1;
  writeFileSync(path, bytes);
  return path;
}

async function sum(path: string): Promise<unknown> {
  const [row] = await fetchRows(`SELECT sum(k)::INTEGER AS sum FROM ${parquetSource([path])}`);
  return row.sum;
}

test('a file that trips the engine costs no other file', async () => {
  const sound = await writeSound('sound.parquet');
  const tripping = await writeTripping();
  const whole = await sum(sound);
  await expect(parquetStatistics(tripping, 'k', 'tripping.parquet')).rejects.toThrow('INTERNAL Error');
  expect(await sum(sound)).toBe(whole);
});

test('a query under way can be ended, and the next is not', async () => {
  const endless = fetchRows('SELECT sum(a.i * b.i) FROM range(3000000) a(i), range(3000000) b(i)');
  setTimeout(interruptQueries, 100);
  await expect(endless).rejects.toThrow(/interrupt/i);
  expect(await fetchRows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
