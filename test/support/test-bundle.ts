import { generateKeyPairSync, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { canonicalJson, sha256 } from '#core';
import type { BundleFacts, CertificationReport } from '#core/api';
import { createZip } from '#io/archives';
import { certify, defaultPolicy } from '#quality/certification';
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

export const testProject = 'prj_01k5w3p9x4f6zv2h7c8d0aqrst';
const policy = defaultPolicy('vla');

/** The report of these receipts under the default policy. */
export function testReport(receipts: readonly string[]): CertificationReport {
  const evidence = receipts.map((text) => ({ receipt: JSON.parse(text), loads: null, annotations: null }));
  return certify(policy, evidence, testProject);
}

/** Facts of a bundle with that report. */
export const factsOf = (
  { verdict, coverage }: CertificationReport,
  origin: BundleFacts['origin'] = 'service',
): BundleFacts => ({
  origin,
  project_id: testProject,
  policy: { version: 3, hash: policy.policy_hash },
  report: { verdict, coverage: coverage.share },
});

interface TestBundle {
  readonly signer?: Signer;
  /** Absent: the report of the receipts. */
  readonly report?: CertificationReport;
  readonly origin?: BundleFacts['origin'];
}

/** The files of a bundle with these receipts, sealed. */
export async function testEntries(
  receipts: readonly string[],
  { signer = testSigner(), report = testReport(receipts), origin }: TestBundle = {},
): Promise<Entries> {
  const files: Entries = new Map([
    [bundleNames.report, Buffer.from(canonicalJson(report))],
    [bundleNames.page, Buffer.from('<!doctype html><title>Report</title>')],
    [bundleNames.policy, Buffer.from(canonicalJson(policy))],
    ...receipts.map((text): [string, Buffer] => [
      receiptName(JSON.parse(text).content_hash),
      Buffer.from(text),
    ]),
  ]);
  return sealEntries(files, signer, factsOf(report, origin));
}

/** A report that says something else of itself, with a content hash that fits. */
export function forgedReport(report: CertificationReport, change: object): CertificationReport {
  const { content_hash: _, ...body } = { ...report, ...change };
  return { ...body, content_hash: sha256(canonicalJson(body)) };
}

/** Adds to files what makes them a bundle. */
export async function sealEntries(files: Entries, signer: Signer, facts: BundleFacts): Promise<Entries> {
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
