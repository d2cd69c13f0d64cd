import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AssayError } from '#core';
import { type ByteReader, readStoredZip, type StoredMember } from '#io/archives';
import { parseEnvelope, payloadType, verifiedPayload } from './envelope.ts';
import type { HashedEntry } from './manifest.ts';
import { bundleNames } from './names.ts';
import { type PublicKey, parsePublicKey } from './public-key.ts';
import { parseStatement, type Statement } from './statement.ts';

/** Key that the verifier trusts: the key itself, or its id. */
export type TrustedKey = { readonly key: PublicKey } | { readonly keyid: string };

/** Result of checking the signature of a bundle. */
export interface CheckedSignature {
  readonly problems: readonly string[];
  /** Id of the signing key; null if unknown. */
  readonly keyid: string | null;
  /** The signed statement; null if the signature does not verify. */
  readonly statement: Statement | null;
}

const { statement: file, key: keyFile } = bundleNames;
const failed = (problem: string, keyid: string | null = null): CheckedSignature => ({
  problems: [problem],
  keyid,
  statement: null,
});

/**
 * Verifies the signature of a bundle's statement with the trusted key, or with the key in the bundle if `trusted` is
 * `null`; returns a missing or bad signature as a problem instead of throwing.
 */
export async function checkSignature(
  { read }: BundleEntries,
  trusted: TrustedKey | null,
): Promise<CheckedSignature> {
  const [bytes, pem] = [await read(file), await read(keyFile)];
  if (bytes === null) return failed(`${file} was removed: the bundle has no signature`);
  const envelope = parseEnvelope(Buffer.from(bytes).toString());
  if (envelope === null) return failed(`${file} was changed: it is not a DSSE envelope`);
  const bundledKey = pem === null ? null : embeddedKey(pem);
  const key = trusted !== null && 'key' in trusted ? trusted.key : bundledKey;
  if (key === null)
    return failed(
      `${keyFile} was ${pem === null ? 'removed' : 'changed'}: no valid key to verify the signature`,
    );
  const signatureKeyid = envelope.signatures[0].keyid ?? null;
  const expectedKeyid = trusted === null ? key.keyid : 'key' in trusted ? trusted.key.keyid : trusted.keyid;
  if (
    expectedKeyid !== key.keyid ||
    (trusted !== null && signatureKeyid !== null && signatureKeyid !== expectedKeyid)
  )
    return failed(
      `the bundle is signed with key ${signatureKeyid ?? key.keyid}, not with the expected key ${expectedKeyid}`,
      signatureKeyid,
    );
  if (signatureKeyid !== null && signatureKeyid !== key.keyid)
    return failed(
      `${keyFile} was changed: it is not the key of the signature, ${signatureKeyid}`,
      signatureKeyid,
    );
  const payload = verifiedPayload(envelope, key);
  if (payload === null)
    return failed(
      `the signature in ${file} is invalid: the signature or the signed content was changed`,
      key.keyid,
    );
  const statement = envelope.payloadType === payloadType ? parseStatement(payload) : null;
  if (statement === null) return failed(`${file} does not sign an Assay bundle`, key.keyid);
  return { problems: [], keyid: key.keyid, statement };
}

function embeddedKey(pem: Uint8Array): PublicKey | null {
  try {
    return parsePublicKey(Buffer.from(pem).toString());
  } catch {
    return null;
  }
}

/** Bytes read per step. */
const chunkBytes = 4 * 1024 * 1024;
/** Largest entry that is parsed as a whole: the manifest, the statement, one receipt. */
const maxDocumentBytes = 256 * 1024 * 1024;
/** Largest report, which is parsed metric by metric: what Node reads of a file at once. */
const maxReportBytes = 2 ** 31 - 1;

/** Entries of a bundle with their hashes. */
export interface BundleEntries {
  readonly entries: ReadonlyMap<string, HashedEntry>;
  /** Problems of single entries, one sentence each. */
  readonly problems: readonly string[];
  /**
   * Reads the bytes of an entry; null if it does not exist. Throws `limit_exceeded` above 256 MiB, for the report from
   * 2 GiB on.
   */
  read(path: string): Promise<Uint8Array | null>;
}

/**
 * Hashes every entry of a zip in chunks of 4 MiB and returns the hashes, a reader of single entries, and problems:
 * wrong checksums and embedded media. Throws as `readStoredZip` if the zip is malformed; the reader returns `null`
 * for a missing entry and throws `limit_exceeded` for one that is too large.
 */
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
    if (member.bytes > (path === bundleNames.report ? maxReportBytes : maxDocumentBytes))
      throw new AssayError('limit_exceeded', `${path} has ${member.bytes} bytes`, { path });
    return zip.read(member.from, member.until);
  };
  return { entries, problems, read };
}

async function hashEntry(zip: ByteReader, { path, bytes, from, until, crc32: stated }: StoredMember) {
  const hash = createHash('sha256');
  const media = new MediaScanner();
  let checksum = 0;
  for (let at = from; at < until; at += chunkBytes) {
    const part = await zip.read(at, Math.min(until, at + chunkBytes));
    hash.update(part);
    checksum = crc32(part, checksum);
    media.add(part);
  }
  const problem = [
    ...(checksum === stated ? [] : [`${path}: its bytes do not have the checksum that the archive states`]),
    ...(media.found === null
      ? []
      : [`${path} contains media (${media.found}…), which a bundle must not contain`]),
  ];
  return { entry: { path, bytes, sha256: hash.digest('hex') }, problem };
}

/** Matches a `data:` URL of a picture, video or sound; SVG is allowed, since it holds figures and no recordings. */
const embeddedMediaPattern = /data:(?:image\/(?!svg)|video\/|audio\/)[a-z0-9.+-]{1,40}/i;
/** Characters carried over to the next chunk: more than the longest match has. */
const overlapChars = 64;

/** Scans a text chunk by chunk for embedded pictures, video or sound (`data:` URLs). */
class MediaScanner {
  #tail = '';
  /** First match; null if there is none so far. */
  found: string | null = null;

  add(piece: Uint8Array): void {
    if (this.found !== null) return;
    const text =
      this.#tail + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    this.found = embeddedMediaPattern.exec(text)?.[0] ?? null;
    this.#tail = text.slice(-overlapChars);
  }
}
