import { writeFile } from 'node:fs/promises';
import type { PlannedFile } from '../../../shared/fix/fix.ts';
import { infoPath, type LeRobotDraft } from '../draft/draft.ts';
import { writeData } from './data-columns.ts';
import { episodesV3 } from './episodes-v3.ts';
import { statisticsFiles } from './statistics-files.ts';
import { tablesV2 } from './tables-v2.ts';
import { tasksV3 } from './tasks-v3.ts';

/** What is written and what leaves the set, by what the fixes made of the draft. */
export function plannedFiles(draft: LeRobotDraft): PlannedFile[] {
  const rate_hz = Number(draft.info.value.fps);
  const files: PlannedFile[] = draft.files
    .filter(({ path, edits, dropped }) => edits.size > 0 || dropped.size > 0 || draft.salvaged.has(path))
    .map((file) => ({
      does: 'write',
      path: file.path,
      write: (target) => writeData(file, rate_hz, target),
    }));
  if (draft.layout === 'v2') files.push(...tablesV2(draft));
  else {
    files.push(...episodesV3(draft));
    if (draft.tasksChanged && draft.tasks !== null) files.push(tasksV3(draft.tasks));
  }
  files.push(...statisticsFiles(draft));
  if (draft.info.changed)
    files.push({ does: 'write', path: infoPath, write: (target) => writeFile(target, draft.info.text()) });
  for (const [path, write] of draft.films) files.push({ does: 'write', path, write });
  for (const path of draft.removed) files.push({ does: 'remove', path });
  return files;
}
