import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AssayError } from '#core';
import { type ByteReader, readStoredZip, type StoredMember } from '#io/archives';
import type { HashedEntry } from './manifest.ts';
import { MediaWatch } from './media-watch.ts';

/** Bytes that are read at once. */
const piece = 4 * 1024 * 1024;
/** Manifest, statement and one receipt are parsed whole. */
const mostDocumentBytes = 256 * 1024 * 1024;

/** The entries of a bundle, hashed. */
export interface BundleEntries {
  readonly entries: ReadonlyMap<string, HashedEntry>;
  /** What speaks against single entries. */
  readonly problems: readonly string[];
  /** The bytes of an entry; null where there is none. */
  read(path: string): Promise<Uint8Array | null>;
}

/** Hashes every entry of a zip in pieces. Throws as `readStoredZip`. */
export async function readEntries(zip: ByteReader, signal?: AbortSignal): Promise<BundleEntries> {
  const members = await readStoredZip(zip);
  const byPath = new Map(members.map((member) => [member.path, member]));
  const entries = new Map<string, HashedEntry>();
  const problems: string[] = [];
  for (const member of members) {
    signal?.throwIfAborted();
    const { entry, problem } = await hashEntry(zip, member);
    entries.set(entry.path, entry);
    problems.push(...problem);
  }
  const read = async (path: string) => {
    const member = byPath.get(path);
    if (member === undefined) return null;
    if (member.bytes > mostDocumentBytes)
      throw new AssayError('limit_exceeded', `${path} has ${member.bytes} bytes`, { path });
    return zip.read(member.from, member.until);
  };
  return { entries, problems, read };
}

async function hashEntry(zip: ByteReader, { path, bytes, from, until, crc32: stated }: StoredMember) {
  const hash = createHash('sha256');
  const media = new MediaWatch();
  let checksum = 0;
  for (let at = from; at < until; at += piece) {
    const part = await zip.read(at, Math.min(until, at + piece));
    hash.update(part);
    checksum = crc32(part, checksum);
    media.add(part);
  }
  const problem = [
    ...(checksum === stated ? [] : [`${path}: its bytes do not have the checksum that the archive states`]),
    ...(media.found === null ? [] : [`${path} holds media (${media.found}…); a bundle holds none`]),
  ];
  return { entry: { path, bytes, sha256: hash.digest('hex') }, problem };
}
