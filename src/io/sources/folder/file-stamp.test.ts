import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileStamp } from './file-stamp.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-stamp-'));
  path = join(folder, 'a.bin');
  writeFileSync(path, 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Long after anything here was written. */
const later = (): number => Date.now() + 60_000;

describe('the stamp of a file', () => {
  it('stays while the file does', () => {
    expect(fileStamp(path, later())).toBe(fileStamp(path, later()));
  });

  it('changes with a byte, though size and time of writing stay', () => {
    const before = fileStamp(path, later());
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two');
    utimesSync(path, atime, mtime);
    expect(fileStamp(path, later())).not.toBe(before);
  });

  it('changes where another file took its place', () => {
    const before = fileStamp(path, later());
    writeFileSync(join(folder, 'b.bin'), 'one');
    renameSync(join(folder, 'b.bin'), path);
    expect(fileStamp(path, later())).not.toBe(before);
  });

  it('is none for a file that may have been changed since, and for one that is gone', () => {
    expect(fileStamp(path, Date.now() - 1000)).toBeNull();
    expect(fileStamp(join(folder, 'absent'), later())).toBeNull();
  });
});
