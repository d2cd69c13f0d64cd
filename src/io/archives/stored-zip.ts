import { AssayError } from '#core';
import { type ArchivedFile, createZip } from './archive.ts';

/** Random access to the bytes of an archive; `until` is exclusive. */
export interface ByteReader {
  readonly bytes: number;
  read(from: number, until: number): Promise<Uint8Array>;
}

/** A file in an archive, with the byte range of its content in the archive; `until` is exclusive. */
export interface StoredMember extends ArchivedFile {
  readonly from: number;
  readonly until: number;
}

const endBytes = 22;
const end64Bytes = 56 + 20;
const entryBytes = 46;
const maxDirectoryBytes = 64 * 1024 * 1024;
const maxMembers = 500_000;
const maxNameBytes = 512;

/**
 * Returns the byte ranges of the files of a zip archive written by `createZip`, and throws if any byte outside the
 * files differs from what it would write.
 *
 * Such an archive is stored without compression, each path once, sorted by path, with fixed times.
 * @throws AssayError `unreadable_input` for bytes that are not a zip, `limit_exceeded` for a directory with too many
 * files or bytes, and `verification_failed` for any other zip: with repeated, compressed or reordered entries, paths
 * that leave the archive, or bytes that belong to no file
 */
export async function readStoredZip(zip: ByteReader): Promise<readonly StoredMember[]> {
  const { offset, bytes, count } = await findDirectory(zip);
  if (bytes > maxDirectoryBytes || count > maxMembers)
    throw new AssayError('limit_exceeded', `the archive lists ${count} files in ${bytes} bytes`, {
      advice: `at most ${maxMembers} files are supported`,
    });
  if (offset + bytes > zip.bytes) throw unreadableZip('its directory extends past the end of the file');
  const files = parseDirectory(Buffer.from(await zip.read(offset, offset + bytes)), count);
  requireSortedPaths(files);
  return locateMembers(zip, files);
}

interface CentralDirectory {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

async function findDirectory(zip: ByteReader): Promise<CentralDirectory> {
  const tail = Buffer.from(await zip.read(Math.max(0, zip.bytes - endBytes - end64Bytes), zip.bytes));
  const end = tail.length - endBytes;
  if (end < 0) throw unreadableZip('the file is too short');
  if (tail.readUInt32LE(end) !== 0x06054b50)
    throw unreadableZip('it does not end like a zip: it is truncated, or data was appended');
  const count = tail.readUInt16LE(end + 10);
  const bytes = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  const isWide = count === 0xffff || bytes === 0xffffffff || offset === 0xffffffff;
  if (!isWide || end < end64Bytes || tail.readUInt32LE(0) !== 0x06064b50) return { count, bytes, offset };
  const wide = (at: number) => Number(tail.readBigUInt64LE(at));
  return { count: wide(32), bytes: wide(40), offset: wide(48) };
}

function parseDirectory(directory: Buffer, count: number): ArchivedFile[] {
  const files: ArchivedFile[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw unreadableZip('its directory is corrupt');
    const name = directory.readUInt16LE(at + 28);
    const rest = name + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (name > maxNameBytes || at + entryBytes + rest > directory.length)
      throw unreadableZip('its directory is corrupt');
    files.push(parseEntry(directory, at, name));
    at += entryBytes + rest;
  }
  if (files.length === count) return files;
  throw unreadableZip(`its directory lists ${files.length} files, but its end record declares ${count}`);
}

function parseEntry(directory: Buffer, at: number, name: number): ArchivedFile {
  const path = directory.toString('utf8', at + entryBytes, at + entryBytes + name);
  if (isUnsafePath(path)) throw alteredZip(`${JSON.stringify(path)} points outside the archive`);
  if (directory.readUInt16LE(at + 10) !== 0)
    throw alteredZip(`${path} is compressed, but files in these archives are stored uncompressed`);
  const bytes = directory.readUInt32LE(at + 24);
  const is64 = bytes === 0xffffffff;
  const extra = at + entryBytes + name + 4;
  if (is64 && extra + 8 > directory.length) throw unreadableZip('its directory is corrupt');
  return {
    path,
    bytes: is64 ? Number(directory.readBigUInt64LE(extra)) : bytes,
    crc32: directory.readUInt32LE(at + 16),
  };
}

const isUnsafePath = (path: string): boolean =>
  path.split('/').some((name) => name === '' || name === '.' || name === '..') || /[\\:\0\ufffd]/.test(path);

function requireSortedPaths(files: readonly ArchivedFile[]): void {
  for (const [index, { path }] of files.entries()) {
    const previous = files[index - 1]?.path;
    if (previous === undefined || previous < path) continue;
    if (previous === path || files.slice(0, index).some((one) => one.path === path))
      throw alteredZip(`${path} is listed twice`);
    throw alteredZip(`its entries were reordered: ${path} comes after ${previous}`);
  }
}

/**
 * Returns the byte range of each file. Throws `verification_failed` unless every byte outside of the files equals what
 * `createZip` would write.
 */
async function locateMembers(zip: ByteReader, files: readonly ArchivedFile[]): Promise<StoredMember[]> {
  const archive = createZip(files);
  if (archive.bytes !== zip.bytes)
    throw alteredZip(`it has ${zip.bytes} bytes instead of ${archive.bytes}: data was inserted`);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const members: StoredMember[] = [];
  let at = 0;
  for (const part of archive.ranges(0, archive.bytes)) {
    const length = part instanceof Uint8Array ? part.length : part.until - part.from;
    if (part instanceof Uint8Array) await requireEqualBytes(zip, at, part);
    else {
      const file = byPath.get(part.path);
      if (file !== undefined) members.push({ ...file, from: at, until: at + length });
    }
    at += length;
  }
  return includeEmptyFiles(members, files);
}

async function requireEqualBytes(zip: ByteReader, at: number, expected: Uint8Array): Promise<void> {
  const found = await zip.read(at, at + expected.length);
  if (!Buffer.from(found.buffer, found.byteOffset, found.length).equals(expected))
    throw alteredZip(`its headers near byte ${at} were changed`);
}

/**
 * Returns all files in their original order; files without content, which have no range in the archive, get the range 0
 * to 0.
 */
function includeEmptyFiles(members: readonly StoredMember[], files: readonly ArchivedFile[]): StoredMember[] {
  const byPath = new Map(members.map((member) => [member.path, member]));
  return files.map((file) => byPath.get(file.path) ?? { ...file, from: 0, until: 0 });
}

const unreadableZip = (why: string): AssayError =>
  new AssayError('unreadable_input', `cannot read the zip archive: ${why}`, {
    advice: 'download it again from its source',
  });

const alteredZip = (why: string): AssayError =>
  new AssayError('verification_failed', `the archive was changed after it was sealed: ${why}`, {
    advice: 'download it again from its source',
  });
