import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-make-folder-'));
afterAll(() => rmSync(place, { recursive: true }));

it('makes a folder with those above it, and leaves one that is there', () => {
  const folder = join(place, 'a/b/c');
  for (const _ of [1, 2]) makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('throws where a file is, and where a file system takes no folders', () => {
  writeFileSync(join(place, 'file'), '');
  expect(() => makeFolder(join(place, 'file/below'))).toThrow('ENOTDIR');
  if (existsSync('/proc/self')) expect(() => makeFolder('/proc/assay/below')).toThrow('ENOENT');
});
