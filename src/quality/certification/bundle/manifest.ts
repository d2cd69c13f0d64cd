import { canonicalJson } from '#core';
import { type BundleFacts, type BundleManifest, bundleManifestSchema } from '#core/api';
import { bundleNames, mediaTypeOf } from './names.ts';

/** File of a bundle with its size and hash. */
export interface HashedEntry {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Creates the manifest: lists all files, sorted by path, except the manifest itself and the statement, which names
 * it.
 */
export function createManifest(facts: BundleFacts, files: readonly HashedEntry[]): BundleManifest {
  const listed = files
    .filter(({ path }) => path !== bundleNames.manifest && path !== bundleNames.statement)
    .map(({ path, bytes, sha256 }) => ({ path, bytes, sha256, media_type: mediaTypeOf(path) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = listed.reduce((sum, file) => sum + file.bytes, 0);
  return {
    schema: 'assay/bundle/v1',
    ...facts,
    contains_training_data: false,
    canonicalisation: 'RFC8785',
    digest: 'sha256',
    payload_oxum: `${bytes}.${listed.length}`,
    files: listed,
  };
}

/** Serialises a manifest as canonical JSON (RFC 8785). */
export const manifestBytes = (manifest: BundleManifest): Uint8Array => Buffer.from(canonicalJson(manifest));

/** Parses a manifest, or returns a message with the first problem if the bytes are not one. */
export function parseManifest(bytes: Uint8Array): BundleManifest | string {
  try {
    const parsed = bundleManifestSchema.safeParse(JSON.parse(Buffer.from(bytes).toString()));
    if (parsed.success) return parsed.data;
    const { path, message } = parsed.error.issues[0];
    return `/${path.map(String).join('/')}: ${message}`;
  } catch {
    return 'invalid JSON';
  }
}
