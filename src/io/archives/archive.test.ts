import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type Archive, type ArchivedFile, createTar, createZip } from './archive.ts';

const contentOf = ({ path, bytes }: ArchivedFile) => Buffer.alloc(bytes, path);
const fileOf = (path: string, bytes: number): ArchivedFile => ({
  path,
  bytes,
  crc32: crc32(Buffer.alloc(bytes, path)),
});

function read(archive: Archive, files: readonly ArchivedFile[], from: number, until: number): Buffer {
  const parts = [...archive.ranges(from, until)].map((part) =>
    part instanceof Uint8Array
      ? part
      : contentOf(files.find(({ path }) => path === part.path)!).subarray(part.from, part.until),
  );
  return Buffer.concat(parts);
}

const name = fc.stringMatching(/^[a-zé世]{1,60}$/);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const set = fc
  .uniqueArray(fc.tuple(path, fc.integer({ min: 0, max: 2000 })), { selector: ([one]) => one, maxLength: 8 })
  .map((all) => all.map(([one, bytes]) => fileOf(one, bytes)));

describe.each([
  ['tar', createTar],
  ['zip', createZip],
] as const)('a %s', (kind, make) => {
  it('is the same whole and in any parts', () => {
    fc.assert(
      fc.property(set, fc.nat(), fc.nat(), (files, a, b) => {
        const archive = make(files);
        const whole = read(archive, files, 0, archive.bytes);
        expect(whole.length).toBe(archive.bytes);
        const [from, until] = [a % (archive.bytes + 1), b % (archive.bytes + 1)].sort((x, y) => x - y);
        expect(read(archive, files, from, until).equals(whole.subarray(from, until))).toBe(true);
      }),
    );
  });

  it('with files of gigabytes is read by others', async () => {
    const files = [
      { path: 'a.bin', bytes: 9 * 1024 ** 3, crc32: 1 },
      { path: `${'long/'.repeat(40)}é.bin`, bytes: 3, crc32: 2 },
      { path: 'z.bin', bytes: 5 * 1024 ** 3, crc32: 3 },
    ];
    const archive = make(files);
    const file = join(await temporaryFolder(), `large.${kind}`);
    writeSparse(archive, file);
    const listed = execFileSync('python3', ['-c', listing[kind], file]).toString();
    rmSync(file);
    expect(JSON.parse(listed)).toEqual(files.map((one) => [one.path, one.bytes]));
  });
});

const listing = {
  tar: "import sys, json, tarfile; print(json.dumps([[m.name, m.size] for m in tarfile.open(sys.argv[1], 'r:')]))",
  zip: 'import sys, json, zipfile; print(json.dumps([[m.filename, m.file_size] for m in zipfile.ZipFile(sys.argv[1]).infolist()]))',
};

/** Only what lies between files is written; the files are holes. */
function writeSparse(archive: Archive, file: string): void {
  const fd = openSync(file, 'w');
  let at = 0;
  for (const part of archive.ranges(0, archive.bytes)) {
    if (part instanceof Uint8Array) at += writeSync(fd, part, 0, part.length, at);
    else at += part.until - part.from;
  }
  ftruncateSync(fd, archive.bytes);
  closeSync(fd);
}
