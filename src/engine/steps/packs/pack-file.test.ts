import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBlobs } from '#store';
import { type Extent, PackWriter, readPackLines } from './pack-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-test-pack-'));
const blobs = openBlobs({ kind: 'folder', folder: join(folder, 'blobs') });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('lines of any length and script are found again by the extent of their section', async () => {
  const sections = [
    ['', 'a', '日本語 🤖 "quoted"\\'],
    Array.from({ length: 5000 }, (_, i) => `${i} ${'é'.repeat(i % 700)}`),
    ['x'.repeat(3_000_000), 'short', '🤖'.repeat(900_000)],
    [],
  ];
  const writer = new PackWriter(join(folder, 'one'));
  const extents = sections.map((lines): Extent => {
    const from = writer.position;
    for (const line of lines) expect(writer.writeLine(line)).toBe(Buffer.byteLength(line));
    return [from, writer.position - from];
  });
  const raw = writer.writeBytes(Buffer.from([1, 2, 3]));
  writer.close();
  await blobs.putFile('one', writer.path);
  for (const [at, extent] of extents.entries()) {
    const read: string[] = [];
    for await (const line of readPackLines(blobs, 'one', extent)) read.push(line);
    expect(read).toEqual(sections[at]);
  }
  expect([...(await blobs.range('one', ...raw))]).toEqual([1, 2, 3]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is told once, however often it is closed', () => {
  const writer = new PackWriter('/dev/full');
  writer.writeLine('does not fit');
  expect(() => writer.close()).toThrow(/ENOSPC/);
  expect(() => writer.close()).not.toThrow();
});

test('what is rewound is not in the pack', () => {
  const path = join(folder, 'two');
  const writer = new PackWriter(path);
  writer.writeLine('kept');
  const from = writer.position;
  for (let i = 0; i < 100_000; i++) writer.writeLine(`dropped ${i}`);
  writer.rewind(from);
  writer.writeLine('after');
  writer.close();
  expect(readFileSync(path, 'utf8')).toBe('kept\nafter\n');
});
