import { AssayError, sha256 } from '#core';
import type { BundleFacts } from '#core/api';
import { type Signer, signEnvelope } from './envelope.ts';
import { type HashedEntry, manifestBytes, manifestOf } from './manifest.ts';
import { bundleNames, mayBeInBundle } from './names.ts';
import { statementBytes } from './statement.ts';

/** What sealing adds to a bundle's files. */
export interface Seal {
  readonly path: string;
  readonly content: Uint8Array;
}

/**
 * Makes of hashed files a bundle: the manifest, the signer's public key and the signed statement, to be written beside
 * them. The same files, facts and key give the same bytes. Throws `usage` for a file that no bundle may hold.
 */
export async function sealBundle(
  files: readonly HashedEntry[],
  facts: BundleFacts,
  signer: Signer,
): Promise<readonly Seal[]> {
  demandBundled(files);
  const pem = Buffer.from(signer.public_key.pem);
  const key = { path: bundleNames.key, bytes: pem.length, sha256: sha256(pem) };
  const all = [...files, key];
  const manifest = manifestOf(facts, all);
  const envelope = await signEnvelope(statementBytes(manifest, all), signer);
  return [
    { path: bundleNames.manifest, content: manifestBytes(manifest) },
    { path: bundleNames.key, content: pem },
    { path: bundleNames.statement, content: Buffer.from(envelope) },
  ];
}

const added: ReadonlySet<string> = new Set([bundleNames.manifest, bundleNames.key, bundleNames.statement]);

function demandBundled(files: readonly HashedEntry[]): void {
  const strange = files.find(({ path }) => !mayBeInBundle(path) || added.has(path));
  if (strange !== undefined)
    throw new AssayError('usage', `${strange.path} may not be in a bundle: it holds evidence, no media`, {
      path: strange.path,
      advice: 'a bundle holds report.json, report.html, policy.json and receipts',
    });
  for (const needed of [bundleNames.report, bundleNames.policy])
    if (files.every(({ path }) => path !== needed))
      throw new AssayError('usage', `a bundle needs ${needed}`, { path: needed });
}
