import type { SourceTree } from '#io/sources';
import type { Recognition } from '../shared/reader.ts';
import { parseCsv } from '../shared/text/csv.ts';

const maxProbedFiles = 32;
const headBytes = 8192;

/** File names of annotation lists (`EPIC_100_train.csv`), so that tables of other formats are not opened. */
const listName = /epic|annot|action|narration|train|val|test|info/i;

/** Returns up to `maxProbedFiles` CSV files in the folder or in its annotations folder whose names fit. */
function listCandidates(tree: SourceTree): string[] {
  return tree.files
    .flatMap(({ path, bytes }) =>
      bytes > 0 && /^(?:[^/]*annot[^/]*\/)?[^/]+\.csv$/i.test(path) && listName.test(path) ? [path] : [],
    )
    .slice(0, maxProbedFiles);
}

/** Annotation files by the columns in their header. */
export interface EpicFiles {
  /** One row per action: video_id, start_timestamp, stop_timestamp. */
  readonly actions: readonly string[];
  /** One row per video: video_id, duration, fps. */
  readonly videos: readonly string[];
}

/**
 * Returns the CSV files with actions and those with video facts, by the columns in their header; other files are left
 * out.
 */
export async function findEpicFiles(tree: SourceTree): Promise<EpicFiles> {
  const [actions, videos]: [string[], string[]] = [[], []];
  for (const path of listCandidates(tree)) {
    const head = new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
    const header = new Set(parseCsv(head.split('\n', 1)[0])[0] ?? []);
    if (!header.has('video_id')) continue;
    if (header.has('start_timestamp') && header.has('stop_timestamp')) actions.push(path);
    else if (header.has('duration') && header.has('fps')) videos.push(path);
  }
  return { actions, videos };
}

/** Recognises EPIC-KITCHENS by CSV files that list actions with video, start and stop; `null` if there are none. */
export async function recogniseEpic(tree: SourceTree): Promise<Recognition | null> {
  const { actions } = await findEpicFiles(tree);
  if (actions.length === 0) return null;
  return {
    format: 'epic-kitchens',
    evidence: actions.map((path) => `${path} has the columns video_id, start_timestamp and stop_timestamp`),
    files: null,
  };
}
