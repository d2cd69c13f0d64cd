import { AssayError, sha256 } from '#core';
import type { BundleFacts } from '#core/api';
import { type Signer, signEnvelope } from './envelope.ts';
import { createManifest, type HashedEntry, manifestBytes } from './manifest.ts';
import { bundleNames, isAllowedInBundle } from './names.ts';
import { statementBytes } from './statement.ts';

/** File that sealing adds to a bundle. */
export interface Seal {
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * Returns the files that seal hashed files as a bundle: manifest, public key and signed statement; throws `usage` for
 * a file that a bundle may not hold, or without report or policy. It writes none itself. Deterministic: the same
 * files, facts and key give the same bytes.
 */
export async function sealBundle(
  files: readonly HashedEntry[],
  facts: BundleFacts,
  signer: Signer,
): Promise<readonly Seal[]> {
  requireBundleFiles(files);
  const pem = Buffer.from(signer.public_key.pem);
  const key = { path: bundleNames.key, bytes: pem.length, sha256: sha256(pem) };
  const allFiles = [...files, key];
  const manifest = createManifest(facts, allFiles);
  const envelope = await signEnvelope(statementBytes(manifest, allFiles), signer);
  return [
    { path: bundleNames.manifest, content: manifestBytes(manifest) },
    { path: bundleNames.key, content: pem },
    { path: bundleNames.statement, content: Buffer.from(envelope) },
  ];
}

const sealEntryNames: ReadonlySet<string> = new Set([
  bundleNames.manifest,
  bundleNames.key,
  bundleNames.statement,
]);

function requireBundleFiles(files: readonly HashedEntry[]): void {
  const unexpected = files.find(({ path }) => !isAllowedInBundle(path) || sealEntryNames.has(path));
  if (unexpected !== undefined)
    throw new AssayError(
      'usage',
      `${unexpected.path} is not allowed in a bundle: bundles contain evidence, not media`,
      {
        path: unexpected.path,
        advice: 'a bundle contains report.json, report.html, policy.json and receipts',
      },
    );
  for (const name of [bundleNames.report, bundleNames.policy])
    if (files.every(({ path }) => path !== name))
      throw new AssayError('usage', `the bundle has no ${name}`, { path: name });
}
