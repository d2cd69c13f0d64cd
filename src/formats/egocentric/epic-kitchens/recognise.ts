import type { SourceTree } from '#io/sources';
import type { Recognition } from '../../shared/reader.ts';
import { parseCsv } from '../../shared/text/csv.ts';

const looked = 32;
const headBytes = 8192;

/** Names of such lists, so that tables of other formats are not opened: `EPIC_100_train.csv`. */
const listName = /epic|annot|action|narration|train|val|test|info/i;

/** CSV files that may annotate the folder: in it, or in its folder of annotations. */
function candidates(tree: SourceTree): string[] {
  return tree.files
    .flatMap(({ path, bytes }) =>
      bytes > 0 && /^(?:[^/]*annot[^/]*\/)?[^/]+\.csv$/i.test(path) && listName.test(path) ? [path] : [],
    )
    .slice(0, looked);
}

/** Files by what their header says they are. */
export interface EpicFiles {
  /** A row an action: video_id, start_timestamp, stop_timestamp. */
  readonly actions: readonly string[];
  /** A row a video: video_id, duration, fps. */
  readonly videos: readonly string[];
}

export async function epicFiles(tree: SourceTree): Promise<EpicFiles> {
  const [actions, videos]: [string[], string[]] = [[], []];
  for (const path of candidates(tree)) {
    const head = new TextDecoder().decode(await tree.head(path, headBytes).catch(() => new Uint8Array()));
    const header = new Set(parseCsv(head.split('\n', 1)[0])[0] ?? []);
    if (!header.has('video_id')) continue;
    if (header.has('start_timestamp') && header.has('stop_timestamp')) actions.push(path);
    else if (header.has('duration') && header.has('fps')) videos.push(path);
  }
  return { actions, videos };
}

/** A folder is EPIC-KITCHENS' when a CSV lists actions by video with their start and stop. */
export async function recogniseEpic(tree: SourceTree): Promise<Recognition | null> {
  const { actions } = await epicFiles(tree);
  if (actions.length === 0) return null;
  return {
    format: 'epic-kitchens',
    evidence: actions.map((path) => `${path} has the columns video_id, start_timestamp and stop_timestamp`),
    files: null,
  };
}
