import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import { canonicalJson, type JsonObject, sha256 } from '#core';
import type { DropStage } from '#core/api/bounds';
import { engine } from '#quality/readiness';
import { writeAtomically } from '../judge/receipt-files.ts';
import type { AnnotationHashes } from '../read-annotations.ts';
import type { ExportedSet, WrittenEpisode } from './export-request.ts';

/** File name of the lineage in an export. */
export const lineageFile = 'assay-lineage.json';

/** A file of an export. */
interface ExportedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of an export with its checksum for archives. */
export interface HashedFile extends ExportedFile {
  readonly crc32: number;
}

/** Provenance of an export: sources, omissions with reasons, and files. */
export interface Lineage {
  readonly schema: 'assay/lineage/v1';
  readonly format: string;
  /** Version of Assay. */
  readonly assay: string;
  /** Source, for an export of one dataset. */
  readonly source?: LineageSource;
  /** Sources, for a merged export. */
  readonly sources?: readonly LineageSource[];
  /** Hash of the readiness settings; `null` if they differ between episodes (their receipts name them). */
  readonly settings_hash: string | null;
  readonly kept: readonly LineageEpisode[];
  readonly dropped: readonly DroppedEpisode[];
  readonly edits: readonly JsonObject[];
  readonly files: readonly ExportedFile[];
  /** SHA-256 of the canonical JSON of all other members. */
  readonly seal: string;
}

/** A source dataset of an export. */
export interface LineageSource {
  /** Last component of the source's path. */
  readonly name: string;
  readonly format: string;
  readonly version: string | null;
  readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
}

interface LineageEpisode {
  readonly id: string;
  /** Name of its source, if there are several. */
  readonly source?: string;
  /** Index in the source and index in the export. */
  readonly source_index: number;
  readonly index: number;
  /** Rows of the source's episode; `until` is exclusive. Absent: all. */
  readonly rows?: { readonly from: number; readonly until: number };
  readonly decision: string;
  /** Hash of its receipt. */
  readonly receipt: string;
  /** SHA-256 of each included annotation. */
  readonly annotations?: AnnotationHashes;
}

interface DroppedEpisode {
  readonly id: string;
  readonly source?: string;
  readonly source_index: number;
  readonly decision: string;
  readonly receipt: string | null;
  /** `rejected`, `needs review`, `left out by --without` and so on; `flags` lists the codes behind it. */
  readonly reason: string;
  /** Stage of the service's selection that left it out. */
  readonly stage?: DropStage;
  readonly flags: readonly string[];
}

/** Returns the seal: a SHA-256 that changes with any byte of a file or line of the lineage. */
export function computeSeal(lineage: Omit<Lineage, 'seal'>): string {
  return sha256(canonicalJson(lineage as unknown as JsonObject));
}

interface HashHooks {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes hashed. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Returns size, SHA-256 and CRC-32 of all files below a folder except the lineage file, sorted by path. */
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

/** An episode of a source with data of its receipt, and whether it was kept. */
export interface SealedEpisode {
  /** Index of its source. */
  readonly source: number;
  readonly id: string;
  readonly source_index: number;
  readonly decision: string;
  /** Hash of its receipt. */
  readonly receipt: string | null;
  /** Reason why it was left out; `null`: it was kept. */
  readonly dropped: string | null;
  /** Stage of the service's selection that left it out. */
  readonly stage?: DropStage | null;
  readonly flags: readonly string[];
}

/** Provenance of a written set. */
interface SetOrigin {
  readonly sources: readonly Omit<LineageSource, 'files'>[];
  readonly settings_hash: Lineage['settings_hash'];
  /** Episodes in source order. */
  readonly episodes: readonly SealedEpisode[];
  readonly set: ExportedSet;
}

/** Reason for a kept episode that has no rows left. */
export const noRowsReason = 'the edits remove all of its rows';

interface SealHooks {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes hashed. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Hashes all files in `folder`, writes the sealed lineage file there, and returns both. The folder must not change afterwards.
 */
export async function sealSet(
  folder: string,
  origin: SetOrigin,
  hooks: SealHooks = {},
): Promise<{ readonly lineage: Lineage; readonly files: readonly HashedFile[] }> {
  const files = await hashFiles(folder, hooks);
  const { settings_hash, episodes, set } = origin;
  const sources = origin.sources.map((source, place) => ({
    ...source,
    files: set.sources[place].map(([path, sha256]) => ({ path, sha256 })),
  }));
  const names = sources.length > 1 ? sources.map(({ name }) => name) : null;
  const unsealed: Omit<Lineage, 'seal'> = {
    schema: 'assay/lineage/v1',
    format: set.format,
    assay: engine.version,
    ...(sources.length > 1 ? { sources } : { source: sources[0] }),
    settings_hash,
    kept: listKept(episodes, set, names),
    dropped: listDropped(episodes, set, names),
    edits: set.edits,
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  };
  const lineage = { ...unsealed, seal: computeSeal(unsealed) };
  writeAtomically(join(folder, lineageFile), `${JSON.stringify(lineage, null, 2)}\n`);
  return { lineage, files };
}

/** Names of the sources; `null` if there is only one. */
type SourceNames = readonly string[] | null;

const sourceField = (names: SourceNames, source: number) => (names === null ? {} : { source: names[source] });
const episodeKey = ({ source, id }: Pick<SealedEpisode, 'source' | 'id'>) => `${source} ${id}`;

function listKept(episodes: readonly SealedEpisode[], set: ExportedSet, names: SourceNames): Lineage['kept'] {
  const byKey = new Map(episodes.map((episode) => [episodeKey(episode), episode]));
  return listWritten(episodes, set).flatMap(({ rows, annotations, ...written }, index) => {
    const episode = byKey.get(episodeKey(written));
    if (episode === undefined) return [];
    const { id, source, source_index, decision, receipt } = episode;
    const part = rows === null ? {} : { rows: { from: rows[0], until: rows[1] } };
    const own = { id, ...sourceField(names, source), source_index, index, ...part, decision };
    return [{ ...own, receipt: receipt ?? '', ...(annotations === undefined ? {} : { annotations }) }];
  });
}

function listWritten(episodes: readonly SealedEpisode[], set: ExportedSet): readonly WrittenEpisode[] {
  const whole = ({ id, source, dropped }: SealedEpisode) =>
    dropped === null ? [{ source, id, rows: null }] : [];
  return set.episodes ?? episodes.flatMap(whole);
}

function listDropped(
  episodes: readonly SealedEpisode[],
  set: ExportedSet,
  names: SourceNames,
): Lineage['dropped'] {
  const written = new Set(listWritten(episodes, set).map(episodeKey));
  return episodes.flatMap(({ id, source, source_index, decision, receipt, dropped, stage = null, flags }) => {
    const reason = dropped ?? (written.has(episodeKey({ source, id })) ? null : noRowsReason);
    if (reason === null) return [];
    const own = { id, ...sourceField(names, source), source_index, decision, receipt, reason };
    return [{ ...own, ...(stage === null ? {} : { stage }), flags }];
  });
}
