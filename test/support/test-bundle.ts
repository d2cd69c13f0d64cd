import { generateKeyPairSync, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { canonicalJson, sha256 } from '#core';
import type { BundleFacts } from '#core/api';
import { createZip } from '#io/archives';
import {
  bundleNames,
  describeKey,
  receiptName,
  type Signer,
  sealBundle,
} from '#quality/certification/bundle';

/** A new Ed25519 key. */
export function testSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    public_key: describeKey(privateKey),
    sign: async (bytes) => sign(null, bytes, privateKey),
  };
}

export type Entries = Map<string, Buffer>;

export const testFacts: BundleFacts = {
  origin: 'service',
  project_id: 'prj_01k5w3p9x4f6zv2h7c8d0aqrst',
  policy: { version: 3, hash: sha256('policy') },
  report: { verdict: 'review_required', coverage: 0.5 },
};

/** The files of a bundle with these receipts, sealed. */
export async function testEntries(
  receipts: readonly string[],
  signer: Signer = testSigner(),
  facts: BundleFacts = testFacts,
): Promise<Entries> {
  const files: Entries = new Map([
    [bundleNames.report, Buffer.from(canonicalJson({ verdict: 'review_required' }))],
    [bundleNames.page, Buffer.from('<!doctype html><title>Report</title>')],
    [bundleNames.policy, Buffer.from(canonicalJson({ target: 'behaviour-cloning' }))],
    ...receipts.map((text): [string, Buffer] => [
      receiptName(JSON.parse(text).content_hash),
      Buffer.from(text),
    ]),
  ]);
  return sealEntries(files, signer, facts);
}

/** Adds to files what makes them a bundle. */
export async function sealEntries(files: Entries, signer: Signer, facts = testFacts): Promise<Entries> {
  const hashed = [...files].map(([path, content]) => ({
    path,
    bytes: content.length,
    sha256: sha256(content),
  }));
  const seals = await sealBundle(hashed, facts, signer);
  return new Map([...files, ...seals.map(({ path, content }) => [path, Buffer.from(content)] as const)]);
}

/** Files as the archive that a bundle is; in the order of their paths where no other is wished. */
export function zipEntries(entries: Entries, { sorted = true } = {}): Buffer {
  const paths = [...entries.keys()];
  return zipPaths(entries, sorted ? paths.sort() : paths);
}

/** Entries in the order given, one that is named twice twice. */
export function zipPaths(entries: Entries, paths: readonly string[]): Buffer {
  const files = paths.map((path) => {
    const content = entries.get(path) ?? Buffer.alloc(0);
    return { path, bytes: content.length, crc32: crc32(content) };
  });
  const archive = createZip(files);
  const parts = [...archive.ranges(0, archive.bytes)].map((part) =>
    part instanceof Uint8Array
      ? part
      : (entries.get(part.path) ?? Buffer.alloc(0)).subarray(part.from, part.until),
  );
  return Buffer.concat(parts);
}

/** Bytes in memory, for whoever reads a file. */
export const inMemory = (bytes: Buffer) => ({
  bytes: bytes.length,
  read: async (from: number, until: number) => bytes.subarray(from, until),
});
