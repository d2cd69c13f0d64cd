import { statSync } from 'node:fs';
import { join } from 'node:path';
import { LeRobotCopy, type LeRobotVersion, lerobotLayouts, trainingEpisode } from '#exports';
import { AssayError, type JsonObject } from '#kernel';
import type { Found, FoundDatasets } from '../look/datasets.ts';

/** Which episodes of one dataset leave, and where to. */
export interface ExportSetTask {
  /** The dataset's place below the path; '' for the path itself. */
  readonly dataset: string;
  /** Ids of the episodes that stay, in the dataset's order. */
  readonly keep: readonly string[];
  readonly format: LeRobotVersion;
  /** A new or empty folder, absolute. */
  readonly folder: string;
}

/** What was read and written. */
export interface ExportedSet {
  readonly format: string;
  readonly rows: number;
  /** What was changed beyond leaving episodes out, for the lineage. */
  readonly edits: readonly JsonObject[];
  /** Files of the source that kept episodes were read from, with their SHA-256 at that time. */
  readonly sources: readonly (readonly [path: string, sha256: string | null])[];
}

interface ExportHooks {
  readonly signal: AbortSignal;
  /** Hears how many more episodes are written, counting parts of each; 0: it has come further with reading. */
  readonly onProgress: (episodes: number) => void;
}

/** Writes a LeRobot set of some of a dataset's episodes; inside a thread. Throws `unreadable_input`, `not_found`, … */
export async function exportSet(
  { found }: FoundDatasets,
  { dataset: path, keep, format, folder }: ExportSetTask,
  { signal, onProgress }: ExportHooks,
): Promise<ExportedSet> {
  const one = found.find(({ claim }) => claim.path === path);
  if (one === undefined) throw gone(path);
  let reported = 0;
  const copy = new LeRobotCopy(folder, one.root, {
    layout: lerobotLayouts[format],
    signal,
    onProgress: (done, total) => {
      const whole = Math.floor((done / total) * keep.length);
      onProgress(whole - reported);
      reported = whole;
    },
  });
  const sources = await readInto(copy, one, new Set(keep), { signal, onProgress });
  const stamps = new Map([...sources.keys()].map((file) => [file, stampOf(join(one.root, file))]));
  await copy.finish();
  for (const [file, stamp] of stamps) if (stampOf(join(one.root, file)) !== stamp) throw changed(file);
  return { format, rows: copy.rows, edits: editsOf(copy), sources: [...sources] };
}

function editsOf({ absent, hidden }: LeRobotCopy): JsonObject[] {
  return [
    ...absent.map((feature) => ({
      edit: 'drop_feature',
      feature,
      reason: 'the source declares it, and no kept episode has a file of it',
    })),
    ...[...hidden].map(([camera, episodes]) => ({
      edit: 'hide_frames',
      feature: camera,
      episodes,
      reason: 'they begin between key frames; the edit list of their file leaves out the frames before',
    })),
  ];
}

/** Reads the kept episodes in their order. */
async function readInto(
  copy: LeRobotCopy,
  { dataset, root, claim }: Found,
  wanted: Set<string>,
  { signal, onProgress }: ExportHooks,
): Promise<Map<string, string | null>> {
  const sources = new Map<string, string | null>();
  const rate_hz = dataset.facts.declared_rate_hz ?? 0;
  for (const unit of dataset.units) {
    if (wanted.size === 0) break;
    for await (const item of dataset.read(unit, { signal, reuse_arrays: true })) {
      signal.throwIfAborted();
      if ('unreadable' in item || !wanted.delete(item.id)) continue;
      copy.add(trainingEpisode(item, root, rate_hz));
      for (const { path, sha256 } of item.sources) sources.set(path, sha256);
      onProgress(0);
    }
  }
  if (wanted.size > 0) throw gone(claim.path, [...wanted][0]);
  return sources;
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

function gone(path: string, episode?: string): AssayError {
  const what = episode === undefined ? `the dataset ${path === '' ? '.' : path}` : `${episode}`;
  return new AssayError('not_found', `${what} was there when it was assessed and is not any more`, {
    path,
    advice,
  });
}
