import { counted } from '#core';
import { type SourceTree, withHeld } from '#io/sources';
import { parquetRowCount } from '../../../shared/parquet/footer.ts';
import { holdFooter } from '../../../shared/parquet/hold-footer.ts';
import { infoPath } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';

/** Footers are looked into where tables and info.json differ, and only of so many files. */
const mostFiles = 1000;

/** total_frames against the rows of the data files, or against the lengths where those cannot be counted. */
export async function compareTotalFrames(
  { info, layout, episodes, tree }: LeRobotSet,
  files: readonly string[],
  notes: Notes,
): Promise<void> {
  const declared = info.total_frames;
  const listed = episodes.length.every((length) => length >= 0)
    ? episodes.length.reduce((sum, length) => sum + length, 0)
    : null;
  if (declared === null || listed === null || declared === listed) return;
  const found = files.length > mostFiles ? listed : ((await rowsIn(tree, files)) ?? listed);
  if (declared === found) return;
  const message = `${infoPath} says total_frames ${declared}; ${counted(found, 'rows are')} there`;
  notes.put(lerobotBreach(layout, 'total_frames_wrong', infoPath, message, { declared, found }));
}

async function rowsIn(tree: SourceTree, files: readonly string[]): Promise<number | null> {
  let rows = 0;
  try {
    for (const file of files)
      rows += await withHeld(holdFooter(tree, file), (held) => parquetRowCount(held.absolute(file), file));
    return rows;
  } catch {
    return null;
  }
}
