import { AssayError } from '#core';
import type { ArchivedFile } from './archive.ts';
import { zipOf } from './zip.ts';

/** Bytes that lie somewhere. */
export interface ByteReader {
  readonly bytes: number;
  read(from: number, until: number): Promise<Uint8Array>;
}

/** A file in an archive, and where its content lies there. */
export interface StoredMember extends ArchivedFile {
  readonly from: number;
  readonly until: number;
}

const endBytes = 22;
const end64Bytes = 56 + 20;
const entryBytes = 46;
const mostDirectoryBytes = 64 * 1024 * 1024;
const mostMembers = 500_000;
const mostNameBytes = 512;

/**
 * Lists a zip that `zipOf` has written, and nothing else: files stored as they are, each once, in the order of their
 * paths, at fixed times. Throws `unreadable_input` for what is no zip, `limit_exceeded` for a directory that is too
 * large, `verification_failed` for any other zip: with a repeated, compressed, reordered or escaping entry, or with
 * bytes that belong to no file.
 */
export async function readStoredZip(zip: ByteReader): Promise<readonly StoredMember[]> {
  const { offset, bytes, count } = await findDirectory(zip);
  if (bytes > mostDirectoryBytes || count > mostMembers)
    throw new AssayError('limit_exceeded', `the archive lists ${count} files in ${bytes} bytes`, {
      advice: `at most ${mostMembers} files are read`,
    });
  if (offset + bytes > zip.bytes) throw damaged('its directory reaches past its end');
  const files = listFiles(Buffer.from(await zip.read(offset, offset + bytes)), count);
  demandOrder(files);
  return placeFiles(zip, files);
}

interface DirectoryPlace {
  readonly offset: number;
  readonly bytes: number;
  readonly count: number;
}

async function findDirectory(zip: ByteReader): Promise<DirectoryPlace> {
  const tail = Buffer.from(await zip.read(Math.max(0, zip.bytes - endBytes - end64Bytes), zip.bytes));
  const end = tail.length - endBytes;
  if (end < 0) throw damaged('it is too short');
  if (tail.readUInt32LE(end) !== 0x06054b50)
    throw damaged('it does not end as a zip does: it was cut off, or something was added to it');
  const count = tail.readUInt16LE(end + 10);
  const bytes = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  const isWide = count === 0xffff || bytes === 0xffffffff || offset === 0xffffffff;
  if (!isWide || end < end64Bytes || tail.readUInt32LE(0) !== 0x06064b50) return { count, bytes, offset };
  const wide = (at: number) => Number(tail.readBigUInt64LE(at));
  return { count: wide(32), bytes: wide(40), offset: wide(48) };
}

function listFiles(directory: Buffer, count: number): ArchivedFile[] {
  const files: ArchivedFile[] = [];
  let at = 0;
  while (at < directory.length) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw damaged('its directory is spoiled');
    const name = directory.readUInt16LE(at + 28);
    const rest = name + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    if (name > mostNameBytes || at + entryBytes + rest > directory.length)
      throw damaged('its directory is spoiled');
    files.push(fileAt(directory, at, name));
    at += entryBytes + rest;
  }
  if (files.length === count) return files;
  throw damaged(`its directory lists ${files.length} files, its end says ${count}`);
}

function fileAt(directory: Buffer, at: number, name: number): ArchivedFile {
  const path = directory.toString('utf8', at + entryBytes, at + entryBytes + name);
  if (escapes(path)) throw refused(`${JSON.stringify(path)} leads out of the archive`);
  if (directory.readUInt16LE(at + 10) !== 0)
    throw refused(`${path} is compressed; such archives store files as they are`);
  const bytes = directory.readUInt32LE(at + 24);
  const is64 = bytes === 0xffffffff;
  const extra = at + entryBytes + name + 4;
  if (is64 && extra + 8 > directory.length) throw damaged('its directory is spoiled');
  return {
    path,
    bytes: is64 ? Number(directory.readBigUInt64LE(extra)) : bytes,
    crc32: directory.readUInt32LE(at + 16),
  };
}

const escapes = (path: string): boolean =>
  path.split('/').some((name) => name === '' || name === '.' || name === '..') || /[\\:\0\ufffd]/.test(path);

function demandOrder(files: readonly ArchivedFile[]): void {
  for (const [place, { path }] of files.entries()) {
    const before = files[place - 1]?.path;
    if (before === undefined || before < path) continue;
    if (before === path || files.slice(0, place).some((one) => one.path === path))
      throw refused(`${path} is there twice`);
    throw refused(`its entries were reordered: ${path} comes after ${before}`);
  }
}

/** Everything between the files must be what `zipOf` writes there. */
async function placeFiles(zip: ByteReader, files: readonly ArchivedFile[]): Promise<StoredMember[]> {
  const archive = zipOf(files);
  if (archive.bytes !== zip.bytes)
    throw refused(`it has ${zip.bytes} bytes and its files make ${archive.bytes}: something was put between`);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const members: StoredMember[] = [];
  let at = 0;
  for (const part of archive.ranges(0, archive.bytes)) {
    const length = part instanceof Uint8Array ? part.length : part.until - part.from;
    if (part instanceof Uint8Array) await demandSame(zip, at, part);
    else {
      const file = byPath.get(part.path);
      if (file !== undefined) members.push({ ...file, from: at, until: at + length });
    }
    at += length;
  }
  return withEmpty(members, files);
}

async function demandSame(zip: ByteReader, at: number, expected: Uint8Array): Promise<void> {
  const found = await zip.read(at, at + expected.length);
  if (!Buffer.from(found.buffer, found.byteOffset, found.length).equals(expected))
    throw refused(`its headers near byte ${at} were changed`);
}

/** Files without content have no range of their own. */
function withEmpty(members: readonly StoredMember[], files: readonly ArchivedFile[]): StoredMember[] {
  const byPath = new Map(members.map((member) => [member.path, member]));
  return files.map((file) => byPath.get(file.path) ?? { ...file, from: 0, until: 0 });
}

const damaged = (why: string): AssayError =>
  new AssayError('unreadable_input', `the zip archive cannot be read: ${why}`, {
    advice: 'fetch it again from where it was made',
  });

const refused = (why: string): AssayError =>
  new AssayError('verification_failed', `the archive is not as it was sealed: ${why}`, {
    advice: 'fetch it again from where it was made',
  });
