import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AssayError } from '#core';
import { type ByteReader, readStoredZip, type StoredMember } from '#io/archives';
import { parseEnvelope, payloadType, verifiedPayload } from './envelope.ts';
import type { HashedEntry } from './manifest.ts';
import { bundleNames } from './names.ts';
import { type PublicKey, parsePublicKey } from './public-key.ts';
import { parseStatement, type Statement } from './statement.ts';

/** A key that whoever verifies trusts: the key itself, or its id. */
export type TrustedKey = { readonly key: PublicKey } | { readonly keyid: string };

/** What the signature of a bundle proves. */
export interface CheckedSignature {
  readonly problems: readonly string[];
  /** The key that signed; null where none is known. */
  readonly keyid: string | null;
  /** What was signed, where the signature holds. */
  readonly statement: Statement | null;
}

const { statement: file, key: keyFile } = bundleNames;
const failed = (problem: string, keyid: string | null = null): CheckedSignature => ({
  problems: [problem],
  keyid,
  statement: null,
});

/** Verifies the statement's envelope with the trusted key, or with the key in the bundle where none is named. */
export async function checkSignature(
  { read }: BundleEntries,
  trusted: TrustedKey | null,
): Promise<CheckedSignature> {
  const [bytes, pem] = [await read(file), await read(keyFile)];
  if (bytes === null) return failed(`${file} was removed: nothing says what was sealed`);
  const envelope = parseEnvelope(Buffer.from(bytes).toString());
  if (envelope === null) return failed(`${file} was changed: it is no DSSE envelope`);
  const embedded = pem === null ? null : embeddedKey(pem);
  const key = trusted !== null && 'key' in trusted ? trusted.key : embedded;
  if (key === null)
    return failed(`${keyFile} was ${pem === null ? 'removed' : 'changed'}: no key to verify with`);
  const named = envelope.signatures[0].keyid ?? null;
  const wanted = trusted === null ? key.keyid : 'key' in trusted ? trusted.key.keyid : trusted.keyid;
  if (wanted !== key.keyid || (trusted !== null && named !== null && named !== wanted))
    return failed(`the bundle is signed by another key: ${named ?? key.keyid}, not ${wanted}`, named);
  if (named !== null && named !== key.keyid)
    return failed(`${keyFile} was changed: it is not the key that the signature names, ${named}`, named);
  const payload = verifiedPayload(envelope, key);
  if (payload === null)
    return failed(`the signature in ${file} does not fit: it, or what it signs, was changed`, key.keyid);
  const statement = envelope.payloadType === payloadType ? parseStatement(payload) : null;
  if (statement === null) return failed(`${file} signs something else than a bundle of Assay`, key.keyid);
  return { problems: [], keyid: key.keyid, statement };
}

function embeddedKey(pem: Uint8Array): PublicKey | null {
  try {
    return parsePublicKey(Buffer.from(pem).toString());
  } catch {
    return null;
  }
}

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

/** Pictures that are drawn by the page itself (SVG) are figures, not recordings. */
const embedded = /data:(?:image\/(?!svg)|video\/|audio\/)[a-z0-9.+-]{1,40}/i;
/** Longer than the longest match. */
const overlap = 64;

/** Looks for pictures, video or sound that are written into a text as `data:` addresses, piece by piece. */
class MediaWatch {
  #tail = '';
  /** What was found first; null: nothing so far. */
  found: string | null = null;

  add(piece: Uint8Array): void {
    if (this.found !== null) return;
    const text =
      this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    this.found = embedded.exec(text)?.[0] ?? null;
    this.#tail = text.slice(-overlap);
  }
}
