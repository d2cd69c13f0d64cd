import { join } from 'node:path';
import { engine } from '#readiness';
import { writeWhole } from '../judge/receipt-files.ts';
import type { ExportedSet, WrittenEpisode } from './export-task.ts';
import { type HashedFile, hashFiles, type Lineage, lineageFile, sealOf } from './lineage.ts';

/** An episode of the source as its receipt has it, and whether it was kept. */
export interface SealedEpisode {
  readonly id: string;
  readonly source_index: number;
  readonly decision: string;
  /** Hash of its receipt. */
  readonly receipt: string | null;
  /** Why it was left out, and the flags behind that; null: it was kept. */
  readonly dropped: string | null;
  readonly flags: readonly string[];
}

/** What a written set comes from. */
export interface SetOrigin {
  readonly source: Pick<Lineage['source'], 'name' | 'format' | 'version'>;
  readonly settings_hash: Lineage['settings_hash'];
  /** In the order of the source. */
  readonly episodes: readonly SealedEpisode[];
  readonly set: ExportedSet;
}

interface SealHooks {
  readonly signal?: AbortSignal | undefined;
  /** Hears of the bytes that were hashed. */
  readonly onBytes?: (bytes: number) => void;
}

/** Hashes what was written into `folder`, and writes down where it comes from: after this nothing may change there. */
export async function sealSet(
  folder: string,
  origin: SetOrigin,
  hooks: SealHooks = {},
): Promise<{ readonly lineage: Lineage; readonly files: readonly HashedFile[] }> {
  const files = await hashFiles(folder, hooks);
  const { source, settings_hash, episodes, set } = origin;
  const unsealed: Omit<Lineage, 'seal'> = {
    schema: 'assay/lineage/v1',
    format: set.format,
    assay: engine.version,
    source: { ...source, files: set.sources.map(([path, sha256]) => ({ path, sha256 })) },
    settings_hash,
    kept: keptOf(episodes, set),
    dropped: droppedOf(episodes, set),
    edits: set.edits,
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  };
  const lineage = { ...unsealed, seal: sealOf(unsealed) };
  writeWhole(join(folder, lineageFile), `${JSON.stringify(lineage, null, 2)}\n`);
  return { lineage, files };
}

function keptOf(episodes: readonly SealedEpisode[], set: ExportedSet): Lineage['kept'] {
  const byId = new Map(episodes.map((episode) => [episode.id, episode]));
  return writtenOf(episodes, set).flatMap(({ id, rows }, index) => {
    const episode = byId.get(id);
    if (episode === undefined) return [];
    const { source_index, decision, receipt } = episode;
    const part = rows === null ? {} : { rows: { from: rows[0], until: rows[1] } };
    return [{ id, source_index, index, ...part, decision, receipt: receipt ?? '' }];
  });
}

function writtenOf(episodes: readonly SealedEpisode[], set: ExportedSet): readonly WrittenEpisode[] {
  return (
    set.episodes ?? episodes.flatMap(({ id, dropped }) => (dropped === null ? [{ id, rows: null }] : []))
  );
}

function droppedOf(episodes: readonly SealedEpisode[], set: ExportedSet): Lineage['dropped'] {
  const written = new Set(writtenOf(episodes, set).map(({ id }) => id));
  return episodes.flatMap(({ id, source_index, decision, receipt, dropped, flags }) => {
    const reason = dropped ?? (written.has(id) ? null : 'the edits leave no row of it');
    return reason === null ? [] : [{ id, source_index, decision, receipt, reason, flags }];
  });
}
