import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import type { Episode } from '#core/episode';
import type { ReadOptions } from '#formats';
import type { Found } from '../look/datasets.ts';
import type { ExportHooks } from './export-task.ts';

/** The kept episodes of a dataset, and the files that they were read from. */
export interface KeptReading {
  /** Reads them in the order of the dataset; may be called again. Throws `not_found` where one is not there. */
  episodes(options: ReadOptions): AsyncGenerator<Episode, void, undefined>;
  /** Files that were read so far, with their SHA-256 at that time. */
  readonly sources: ReadonlyMap<string, string | null>;
  /** Remembers what the files are that were read since, so that `demandUnchanged` can tell. */
  note(): void;
  /** Throws `not_ready` where a file was written to since `note`. */
  demandUnchanged(): void;
}

export function readKept(
  one: Found,
  keep: readonly string[],
  { signal, onProgress }: ExportHooks,
): KeptReading {
  const sources = new Map<string, string | null>();
  const stamps = new Map<string, string | null>();
  return {
    sources,
    async *episodes(options) {
      const wanted = new Set(keep);
      for (const unit of one.dataset.units) {
        if (wanted.size === 0) break;
        for await (const item of one.dataset.read(unit, { ...options, signal })) {
          signal.throwIfAborted();
          onProgress(0);
          if ('unreadable' in item || !wanted.delete(item.id)) continue;
          if (options.hashes !== false)
            for (const { path, sha256 } of item.sources) sources.set(path, sha256);
          yield item;
        }
      }
      if (wanted.size > 0) throw gone(one.recognised.path, [...wanted][0]);
    },
    note() {
      for (const file of sources.keys())
        if (!stamps.has(file)) stamps.set(file, stampOf(join(one.root, file)));
    },
    demandUnchanged() {
      for (const [file, stamp] of stamps) if (stampOf(join(one.root, file)) !== stamp) throw changed(file);
    },
  };
}

/** Another one after any write; null where the file is gone. */
function stampOf(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function changed(path: string): AssayError {
  return new AssayError('not_ready', `${path} changed while it was copied`, { path, advice });
}

const advice = 'nothing was written; export again when nobody changes the recordings';

export function gone(path: string, episode?: string): AssayError {
  const what = episode === undefined ? `the dataset ${path === '' ? '.' : path}` : `${episode}`;
  return new AssayError('not_found', `${what} was there when it was assessed and is not any more`, {
    path,
    advice,
  });
}
