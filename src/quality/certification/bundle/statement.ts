import { z } from 'zod';
import { canonicalJson, sha256 } from '#core';
import type { BundleManifest } from '#core/api';
import { type HashedEntry, manifestBytes } from './manifest.ts';
import { bundleNames } from './names.ts';

const predicateType = 'urn:assay:certification-bundle:v1';
const statementType = 'https://in-toto.io/Statement/v1';

const statementSchema = z.looseObject({
  _type: z.literal(statementType),
  subject: z
    .array(
      z.looseObject({
        name: z.string(),
        digest: z.looseObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
      }),
    )
    .min(1),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({}),
});
/** An in-toto Statement v1 over the files of a bundle. */
export type Statement = z.infer<typeof statementSchema>;

/**
 * Returns the statement over all files and the manifest as canonical JSON: their SHA-256 sorted by name, and the
 * manifest without its file list as predicate. It is not signed.
 */
export function statementBytes(manifest: BundleManifest, files: readonly HashedEntry[]): Uint8Array {
  const { files: _, ...facts } = manifest;
  const manifestHash = sha256(manifestBytes(manifest));
  const subject = [...files, { path: bundleNames.manifest, sha256: manifestHash }]
    .map(({ path, sha256: digest }) => ({ name: path, digest: { sha256: digest } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return Buffer.from(canonicalJson({ _type: statementType, subject, predicateType, predicate: facts }));
}

/** Parses a statement from verified bytes; returns `null` if they are not one, or if it names a file twice. */
export function parseStatement(bytes: Uint8Array): Statement | null {
  try {
    const statement = statementSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
    const names = new Set(statement.subject.map(({ name }) => name));
    return names.size === statement.subject.length ? statement : null;
  } catch {
    return null;
  }
}
