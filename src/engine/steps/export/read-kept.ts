import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import type { ReadOptions } from '#formats';
import type { ClassNames } from '#labels/annotation';
import type { OpenedDataset } from '../find-datasets.ts';
import type { ExportHooks } from './export-request.ts';

/** Reader of a dataset's kept episodes; records the files that were read. */
export interface EpisodeReader {
  /** Reads the kept episodes in dataset order; may be called repeatedly. Throws `not_found` if one is missing. */
  episodes(options: ReadOptions): AsyncGenerator<Episode, void, undefined>;
  /** Files read so far, with their SHA-256 at that time. */
  readonly sources: ReadonlyMap<string, string | null>;
  /** Records the state of all files read so far, for `requireUnchanged`. */
  recordStamps(): void;
  /** Throws `not_ready` if a recorded file was changed. */
  requireUnchanged(): void;
}

/** Returns a reader of the episodes `keep`, with the classes of their labels under their current names. */
export function openEpisodeReader(
  one: OpenedDataset,
  keep: readonly string[],
  { signal, onProgress, class_names }: ExportHooks,
): EpisodeReader {
  const sources = new Map<string, string | null>();
  const stamps = new Map<string, string | null>();
  return {
    sources,
    async *episodes(options) {
      const remaining = new Set(keep);
      for (const unit of one.dataset.units) {
        if (remaining.size === 0) break;
        for await (const item of one.dataset.read(unit, { ...options, signal })) {
          signal.throwIfAborted();
          onProgress(0);
          if ('unreadable' in item || !remaining.delete(item.id)) continue;
          if (options.hashes !== false)
            for (const { path, sha256 } of item.sources) sources.set(path, sha256);
          yield class_names === undefined || class_names.isEmpty ? item : renameLabels(item, class_names);
        }
      }
      if (remaining.size > 0) throw missingError(one.recognised.path, [...remaining][0]);
    },
    recordStamps() {
      for (const file of sources.keys())
        if (!stamps.has(file)) stamps.set(file, fileStamp(join(one.root, file)));
    },
    requireUnchanged() {
      for (const [file, stamp] of stamps)
        if (fileStamp(join(one.root, file)) !== stamp) throw changedError(file);
    },
  };
}

function renameLabels(episode: Episode, names: ClassNames): Episode {
  const labels = episode.labels?.map((label) => ({
    ...label,
    category: names.currentName(label.category),
  }));
  return labels === undefined ? episode : { ...episode, labels };
}

/** Returns a stamp that changes with any write; null if the file is missing. */
function fileStamp(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function changedError(path: string): AssayError {
  return new AssayError('not_ready', `${path} changed during the export`, { path, advice });
}

const advice = 'nothing was written; export again while the recordings do not change';

/** Returns the error `not_found` for a dataset or episode that disappeared since it was assessed. */
export function missingError(path: string, episode?: string): AssayError {
  const what = episode === undefined ? `the dataset ${path === '' ? '.' : path}` : `${episode}`;
  return new AssayError('not_found', `${what} was deleted after the assessment`, {
    path,
    advice,
  });
}
