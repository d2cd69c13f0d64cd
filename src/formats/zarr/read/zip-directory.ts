import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile } from '#io/sources';

/** Where a member lies; offsets count from the start of the file. */
export interface ZipMember {
  readonly header_offset: number;
  readonly stored_bytes: number;
  readonly plain_bytes: number;
  /** 0: stored. 8: deflated. Others are not read. */
  readonly method: number;
  readonly crc32: number;
  readonly encrypted: boolean;
}

export interface ZipDirectory {
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly findings: readonly Finding[];
}

const signature = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50, entry: 0x02014b50 };
const endBytes = 22;
const mostComment = 65_535;
const entryBytes = 46;
/** A member costs about a hundred bytes in the directory; this is for some millions. */
const mostDirectoryBytes = 256 * 1024 * 1024;

/** Reads the central directory of a zip (APPNOTE 6.3.10), zip64 included. Throws `unreadable_input`, `limit_exceeded`. */
export async function readZipDirectory(
  file: ReadableFile,
  size: number,
  path: string,
): Promise<ZipDirectory> {
  const place = await findDirectory(file, size, path);
  if (place.bytes > mostDirectoryBytes)
    throw new AssayError('limit_exceeded', `the directory of ${path} has ${place.bytes} bytes`, {
      path,
      advice: 'pack the data set into several zips, or unpack it',
    });
  if (place.offset + place.bytes > size)
    throw damaged(path, 'its directory reaches past the end of the file');
  const bytes = await readAt(file, place.offset, place.bytes);
  return parseEntries(bytes, size, path);
}

interface DirectoryPlace {
  readonly offset: number;
  readonly bytes: number;
}

async function findDirectory(file: ReadableFile, size: number, path: string): Promise<DirectoryPlace> {
  const tailBytes = Math.min(size, endBytes + mostComment);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== signature.end) continue;
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    const wide = bytes === 0xffffffff || offset === 0xffffffff || tail.readUInt16LE(at + 10) === 0xffff;
    if (!wide) return { offset, bytes };
    return (await findDirectory64(file, size - tailBytes + at, path)) ?? { offset, bytes };
  }
  throw damaged(path, 'it has no directory at its end: the file was cut off');
}

/** The zip64 record lies where the 20 bytes before the ordinary one say. */
async function findDirectory64(
  file: ReadableFile,
  end: number,
  path: string,
): Promise<DirectoryPlace | null> {
  if (end < 20) return null;
  const locator = await readAt(file, end - 20, 20);
  if (locator.length < 20 || locator.readUInt32LE(0) !== signature.locator64) return null;
  const at = Number(locator.readBigUInt64LE(8));
  const record = at + 56 <= end ? await readAt(file, at, 56) : Buffer.alloc(0);
  if (record.length < 56 || record.readUInt32LE(0) !== signature.end64)
    throw damaged(path, 'its zip64 directory is not where it should be');
  return { bytes: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) };
}

function parseEntries(bytes: Buffer, size: number, path: string): ZipDirectory {
  const members = new Map<string, ZipMember>();
  const twice: string[] = [];
  const outside: string[] = [];
  let at = 0;
  while (at + entryBytes <= bytes.length && bytes.readUInt32LE(at) === signature.entry) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const next = at + entryBytes + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damaged(path, 'its directory breaks off');
    const name = bytes.toString('utf8', at + entryBytes, at + entryBytes + nameBytes);
    const member = memberOf(
      bytes,
      at,
      bytes.subarray(at + entryBytes + nameBytes, at + entryBytes + nameBytes + extraBytes),
    );
    at = next;
    if (name.endsWith('/')) continue;
    if (leavesFolder(name) || member.header_offset + member.stored_bytes > size) {
      outside.push(name);
      continue;
    }
    if (members.has(name)) twice.push(name);
    members.set(name, member);
  }
  return { members, findings: [...repeatedFinding(path, twice), ...outsideFinding(path, outside)] };
}

/** Numbers that do not fit 32 bits stand in the zip64 field (id 1), in this order and only where they do not fit. */
function memberOf(bytes: Buffer, at: number, extra: Buffer): ZipMember {
  const wide = extraField(extra, 1);
  let from = 0;
  const number = (value: number): number => {
    if (value !== 0xffffffff || from + 8 > wide.length) return value;
    from += 8;
    return Number(wide.readBigUInt64LE(from - 8));
  };
  const plain_bytes = number(bytes.readUInt32LE(at + 24));
  const stored_bytes = number(bytes.readUInt32LE(at + 20));
  const header_offset = number(bytes.readUInt32LE(at + 42));
  return {
    ...{ header_offset, stored_bytes, plain_bytes },
    method: bytes.readUInt16LE(at + 10),
    crc32: bytes.readUInt32LE(at + 16),
    encrypted: (bytes.readUInt16LE(at + 8) & 1) !== 0,
  };
}

function extraField(extra: Buffer, wanted: number): Buffer {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return Buffer.alloc(0);
}

/** Nothing is unpacked to disk; a name that would leave the folder is still no key of a zarr. */
function leavesFolder(name: string): boolean {
  return (
    name.startsWith('/') || name.includes('\\') || name.split('/').includes('..') || /^[a-z]:/i.test(name)
  );
}

function repeatedFinding(path: string, names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  return [
    {
      code: 'zip_member_repeated',
      severity: 'warning',
      path,
      message: `${names.length} ${names.length === 1 ? 'member is' : 'members are'} in the zip more than once, and the last of each counts: ${names.slice(0, 4).join(', ')}`,
      advice: 'write the zip anew: what is overwritten stays in it and other readers may take the first',
      evidence: { members: names.slice(0, 50) },
    },
  ];
}

function outsideFinding(path: string, names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  return [
    {
      code: 'zip_member_outside',
      severity: 'error',
      path,
      message: `${names.length} ${names.length === 1 ? 'member of the zip leaves' : 'members of the zip leave'} its folder or its file and ${names.length === 1 ? 'was' : 'were'} passed over: ${names
        .slice(0, 4)
        .map((name) => JSON.stringify(name.slice(0, 80)))
        .join(', ')}`,
      advice: 'do not unpack it; ask where it comes from',
    },
  ];
}

export async function readAt(file: ReadableFile, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function damaged(path: string, why: string): AssayError {
  return new AssayError('unreadable_input', `${path} cannot be read as a zip: ${why}`, {
    path,
    advice: 'fetch the file again',
  });
}
