import { join } from 'node:path';
import { engine } from '#quality/readiness';
import { writeWhole } from '../judge/receipt-files.ts';
import type { ExportedSet, WrittenEpisode } from './export-task.ts';
import {
  type HashedFile,
  hashFiles,
  type Lineage,
  type LineageSource,
  lineageFile,
  sealOf,
} from './lineage.ts';

/** An episode of the source as its receipt has it, and whether it was kept. */
export interface SealedEpisode {
  /** Place of its source. */
  readonly source: number;
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
  readonly sources: readonly Omit<LineageSource, 'files'>[];
  readonly settings_hash: Lineage['settings_hash'];
  /** In the order of the sources. */
  readonly episodes: readonly SealedEpisode[];
  readonly set: ExportedSet;
}

/** Why an episode that was to be kept is not there. */
export const noRowLeft = 'the edits leave no row of it';

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
    kept: keptOf(episodes, set, names),
    dropped: droppedOf(episodes, set, names),
    edits: set.edits,
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  };
  const lineage = { ...unsealed, seal: sealOf(unsealed) };
  writeWhole(join(folder, lineageFile), `${JSON.stringify(lineage, null, 2)}\n`);
  return { lineage, files };
}

/** Names of the sources where there are several. */
type SourceNames = readonly string[] | null;

const sourceOf = (names: SourceNames, source: number) => (names === null ? {} : { source: names[source] });
const keyOf = ({ source, id }: Pick<SealedEpisode, 'source' | 'id'>) => `${source} ${id}`;

function keptOf(episodes: readonly SealedEpisode[], set: ExportedSet, names: SourceNames): Lineage['kept'] {
  const byKey = new Map(episodes.map((episode) => [keyOf(episode), episode]));
  return writtenOf(episodes, set).flatMap(({ rows, annotations, ...written }, index) => {
    const episode = byKey.get(keyOf(written));
    if (episode === undefined) return [];
    const { id, source, source_index, decision, receipt } = episode;
    const part = rows === null ? {} : { rows: { from: rows[0], until: rows[1] } };
    const own = { id, ...sourceOf(names, source), source_index, index, ...part, decision };
    return [{ ...own, receipt: receipt ?? '', ...(annotations === undefined ? {} : { annotations }) }];
  });
}

function writtenOf(episodes: readonly SealedEpisode[], set: ExportedSet): readonly WrittenEpisode[] {
  const whole = ({ id, source, dropped }: SealedEpisode) =>
    dropped === null ? [{ source, id, rows: null }] : [];
  return set.episodes ?? episodes.flatMap(whole);
}

function droppedOf(
  episodes: readonly SealedEpisode[],
  set: ExportedSet,
  names: SourceNames,
): Lineage['dropped'] {
  const written = new Set(writtenOf(episodes, set).map(keyOf));
  return episodes.flatMap(({ id, source, source_index, decision, receipt, dropped, flags }) => {
    const reason = dropped ?? (written.has(keyOf({ source, id })) ? null : noRowLeft);
    if (reason === null) return [];
    return [{ id, ...sourceOf(names, source), source_index, decision, receipt, reason, flags }];
  });
}
