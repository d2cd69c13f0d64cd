import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { AnnotationHashes } from '../annotated/annotation-notes.ts';

/** Name of the lineage in an export. */
export const lineageFile = 'assay-lineage.json';

/** A file of an export. */
interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** With what an archive says of it. */
export interface HashedFile extends ExportedFile {
  readonly crc32: number;
}

/** Where an export comes from, what was left out and why, and what its files are. */
export interface Lineage {
  readonly schema: 'assay/lineage/v1';
  readonly format: string;
  /** Version of the program. */
  readonly assay: string;
  /** Of an export of one dataset. */
  readonly source?: LineageSource;
  /** Of one that several were merged into. */
  readonly sources?: readonly LineageSource[];
  /** Hash of the settings that the episodes were judged under; null: of several, which their receipts name. */
  readonly settings_hash: string | null;
  readonly kept: readonly LineageEpisode[];
  readonly dropped: readonly DroppedEpisode[];
  readonly edits: readonly JsonObject[];
  readonly files: readonly ExportedFile[];
  /** SHA-256 of the canonical JSON of all of the above. */
  readonly seal: string;
}

export interface LineageSource {
  /** Last part of the path that was named. */
  readonly name: string;
  readonly format: string;
  readonly version: string | null;
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
}

interface LineageEpisode {
  readonly id: string;
  /** Name of its source, where there are several. */
  readonly source?: string;
  /** Its place in the source, and in the export. */
  readonly source_index: number;
  readonly index: number;
  /** Rows of the source's episode that it holds; `until` is exclusive. Absent: all. */
  readonly rows?: { readonly from: number; readonly until: number };
  readonly decision: string;
  /** Hash of its receipt. */
  readonly receipt: string;
  /** SHA-256 of what each annotation layer says of it that travelled along. */
  readonly annotations?: AnnotationHashes;
}

interface DroppedEpisode {
  readonly id: string;
  readonly source?: string;
  readonly source_index: number;
  readonly decision: string;
  readonly receipt: string | null;
  /** `rejected`, `needs review`, `left out by --without`, with the flags that say why. */
  readonly reason: string;
  readonly flags: readonly string[];
}

/** The hash that stands for an export: change one byte of a file, or one line of the lineage, and it is another. */
export function sealOf(lineage: Omit<Lineage, 'seal'>): string {
  return sha256(canonicalJson(lineage as unknown as JsonObject));
}

interface HashHooks {
  readonly signal?: AbortSignal | undefined;
  /** Hears of the bytes that were hashed. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Every file below a folder but the lineage itself, by path, hashed. */
export async function hashFiles(folder: string, { signal, onBytes }: HashHooks = {}): Promise<HashedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => path !== lineageFile)
    .sort();
  const files: HashedFile[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    files.push({
      path,
      bytes: (await stat(join(folder, path))).size,
      ...(await hashFile(join(folder, path), { signal, onBytes })),
    });
  }
  return files;
}

async function hashFile(path: string, { signal, onBytes }: HashHooks) {
  const hash = createHash('sha256');
  let checksum = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    signal?.throwIfAborted();
    const bytes = chunk as Buffer;
    hash.update(bytes);
    checksum = crc32(bytes, checksum);
    onBytes?.(bytes.length);
  }
  return { sha256: hash.digest('hex'), crc32: checksum };
}
