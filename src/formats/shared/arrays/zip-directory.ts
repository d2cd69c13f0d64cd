import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { ReadableFile } from '#io/sources';

/** Location of a zip member; offsets are relative to the start of the file. */
export interface ZipMember {
  readonly header_offset: number;
  readonly stored_bytes: number;
  readonly plain_bytes: number;
  /** Compression method: 0 stored, 8 deflated; others are not supported. */
  readonly method: number;
  readonly crc32: number;
  readonly encrypted: boolean;
}

/** True if the first bytes are those of a zip with members, such as an `.npz`. */
export const startsAsZip = (head: Uint8Array): boolean =>
  head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;

/** Members of a zip by name, with findings about its directory. */
export interface ZipDirectory {
  readonly members: ReadonlyMap<string, ZipMember>;
  readonly findings: readonly Finding[];
}

const signature = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50, entry: 0x02014b50 };
const endBytes = 22;
const maxCommentBytes = 65_535;
const entryBytes = 46;
/** Maximum size of the directory; at about 100 bytes per member this allows some millions. */
const maxDirectoryBytes = 256 * 1024 * 1024;

/**
 * Returns the files of a zip from its central directory, without those outside the folder or the file, and the last one
 * of equal names; findings report both. Follows APPNOTE 6.3.10, including zip64.
 * @throws AssayError `unreadable_input` if the zip is damaged, `limit_exceeded` if its directory is too large
 */
export async function readZipDirectory(
  file: ReadableFile,
  size: number,
  path: string,
): Promise<ZipDirectory> {
  const location = await findDirectory(file, size, path);
  if (location.bytes > maxDirectoryBytes)
    throw new AssayError(
      'limit_exceeded',
      `the zip directory of ${path} is too large: ${location.bytes} bytes`,
      {
        path,
        advice: 'split the dataset into several zips, or unpack it',
      },
    );
  if (location.offset + location.bytes > size)
    throw damagedError(path, 'its zip directory extends past the end of the file');
  const bytes = await readAt(file, location.offset, location.bytes);
  return parseEntries(bytes, size, path);
}

interface DirectoryLocation {
  readonly offset: number;
  readonly bytes: number;
}

async function findDirectory(file: ReadableFile, size: number, path: string): Promise<DirectoryLocation> {
  const tailBytes = Math.min(size, endBytes + maxCommentBytes);
  const tail = await readAt(file, size - tailBytes, tailBytes);
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== signature.end) continue;
    const bytes = tail.readUInt32LE(at + 12);
    const offset = tail.readUInt32LE(at + 16);
    const isZip64 = bytes === 0xffffffff || offset === 0xffffffff || tail.readUInt16LE(at + 10) === 0xffff;
    if (!isZip64) return { offset, bytes };
    return (await findDirectory64(file, size - tailBytes + at, path)) ?? { offset, bytes };
  }
  throw damagedError(path, 'it has no zip directory at its end: the file is truncated');
}

/**
 * Returns the directory of a zip64 file, located by the 20 bytes before the ordinary record; `null` if there is no
 * locator.
 */
async function findDirectory64(
  file: ReadableFile,
  end: number,
  path: string,
): Promise<DirectoryLocation | null> {
  if (end < 20) return null;
  const locator = await readAt(file, end - 20, 20);
  if (locator.length < 20 || locator.readUInt32LE(0) !== signature.locator64) return null;
  const at = Number(locator.readBigUInt64LE(8));
  const record = at + 56 <= end ? await readAt(file, at, 56) : Buffer.alloc(0);
  if (record.length < 56 || record.readUInt32LE(0) !== signature.end64)
    throw damagedError(path, 'its zip64 directory is not at the declared position');
  return { bytes: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) };
}

function parseEntries(bytes: Buffer, size: number, path: string): ZipDirectory {
  const members = new Map<string, ZipMember>();
  const repeated: string[] = [];
  const outside: string[] = [];
  let at = 0;
  while (at + entryBytes <= bytes.length && bytes.readUInt32LE(at) === signature.entry) {
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const next = at + entryBytes + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw damagedError(path, 'its zip directory is truncated');
    const name = bytes.toString('utf8', at + entryBytes, at + entryBytes + nameBytes);
    const member = parseMember(
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
    if (members.has(name)) repeated.push(name);
    members.set(name, member);
  }
  return { members, findings: [...repeatedFinding(path, repeated), ...outsideFinding(path, outside)] };
}

/**
 * Parses a directory entry. Numbers that exceed 32 bits are in the zip64 field (id 1), in this order and only if they
 * exceed.
 */
function parseMember(bytes: Buffer, at: number, extra: Buffer): ZipMember {
  const zip64Field = extraField(extra, 1);
  let from = 0;
  const number = (value: number): number => {
    if (value !== 0xffffffff || from + 8 > zip64Field.length) return value;
    from += 8;
    return Number(zip64Field.readBigUInt64LE(from - 8));
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

function extraField(extra: Buffer, id: number): Buffer {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return Buffer.alloc(0);
}

/** Returns true if a name leads outside the folder. Nothing is unpacked to disk, but such a name is no valid key. */
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
      message: `${names.length} ${names.length === 1 ? 'member is' : 'members are'} in the zip more than once; the last copy is used: ${names.slice(0, 4).join(', ')}`,
      advice: 'rewrite the zip: other readers may use the first copy',
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
      message: `${names.length} ${names.length === 1 ? 'zip member points' : 'zip members point'} outside its folder or file and ${names.length === 1 ? 'was' : 'were'} skipped: ${names
        .slice(0, 4)
        .map((name) => JSON.stringify(name.slice(0, 80)))
        .join(', ')}`,
      advice: 'do not unpack it; find out where it comes from',
    },
  ];
}

/** Reads `length` bytes at a position; fewer at the end of the file. */
export async function readAt(
  file: ReadableFile,
  position: number,
  length: number,
): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function damagedError(path: string, why: string): AssayError {
  return new AssayError('unreadable_input', `cannot read ${path} as a zip: ${why}`, {
    path,
    advice: 'copy the file again',
  });
}
