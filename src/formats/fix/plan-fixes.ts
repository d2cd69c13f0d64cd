import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, asUnreadable } from '#core';
import { planCoco } from '../coco/fix/plan-coco.ts';
import { lfsPointerAt } from '../lerobot/fix/lfs-pointer-at.ts';
import { planLeRobot } from '../lerobot/fix/plan-lerobot.ts';
import { planMcap } from '../mcap/fix/plan-mcap.ts';
import { planRosbag } from '../rosbag/fix/plan-rosbag.ts';
import { isDatabase, isMcap, planBags, planDatabase } from '../rosbag2/fix/plan-bags.ts';
import { awayFindings, type FilesAway } from '../shared/files-away.ts';
import type { FileRepair, FixOptions, FixPlan, Unfixed } from '../shared/fix/fix.ts';
import { exists } from '../shared/fix/journal/files.ts';
import { type FixPlace, recordingsIn } from './fix-place.ts';

/** What fixes would change in the recordings at a place. Throws `not_recognised` where none knows them. */
export async function planFixes(place: FixPlace, options: FixOptions): Promise<FixPlan> {
  const { root, only } = place;
  if (only === null && (await exists(join(root, 'meta/info.json')))) return planLeRobot(root, options);
  const found = only === null ? await recordingsIn(root) : [only];
  const away = await filesAway(root, found);
  const gone = new Set([...away.pointers, ...away.empty]);
  const paths = found.filter((path) => !gone.has(path));
  const repairs: FileRepair[] = [];
  for (const path of paths) {
    if (only === null && isDatabase(path)) continue;
    const repair = await planFile(root, path).catch((thrown) => {
      throw asUnreadable(thrown, path, askToRead);
    });
    if (repair !== null) repairs.push(repair);
  }
  if (only === null) repairs.push(...(await planBags(root, paths, away.pointers)));
  if (repairs.length === 0) throw nothingToMend(place, away);
  return {
    format: formatOf(paths),
    root,
    changes: repairs.flatMap(({ changes }) => changes),
    unfixed: [...repairs.flatMap(({ unfixed }) => unfixed), ...unfixedOf(away)],
    files: repairs.flatMap(({ files }) => files),
    close: async () => undefined,
  };
}

/** Metadata of other programs may be empty beside recordings. */
function unfixedOf({ pointers, empty, closed }: FilesAway): Unfixed[] {
  const recordings = empty.filter((path) => !isJson(path));
  return awayFindings({ pointers, empty: recordings, closed }).map(({ code, path, message, advice }) => ({
    ...{ code, path, episode: null, message, advice },
  }));
}

function nothingToMend({ root, only }: FixPlace, away: FilesAway): AssayError {
  const path = only === null ? root : join(root, only);
  const findings = awayFindings(away);
  const why = findings.map(({ message }) => message).join('; ');
  return new AssayError(
    'not_recognised',
    `${path} is nothing that assay fix can mend${why === '' ? '' : `: ${why}`}`,
    { path, advice: findings[0]?.advice ?? whatToName },
  );
}

const whatToName =
  'name a LeRobot set (the folder in which meta/info.json lies), or MCAP files, ROS bags or COCO files, or a folder of them';

async function planFile(root: string, path: string): Promise<FileRepair | null> {
  if (isMcap(path)) return planMcap(root, path);
  if (isBag(path)) return planRosbag(root, path);
  if (isDatabase(path)) return (await planDatabase(root, path))?.repair ?? null;
  const { size } = await stat(join(root, path));
  return size > largestJson ? null : planCoco(root, path).catch(() => null);
}

function formatOf(paths: readonly string[]): string {
  const kinds = paths.map((path) =>
    isMcap(path) ? 'mcap' : isBag(path) ? 'rosbag' : isDatabase(path) ? 'rosbag2' : 'coco',
  );
  return [...new Set(kinds)].join(', ');
}

const largestJson = 256 * 1024 * 1024;

const isBag = (path: string): boolean => /\.bag(\.active)?$/i.test(path);
const isJson = (path: string): boolean => /\.json$/i.test(path);

/** What to do about a file that may not be read. */
const askToRead = 'ask for permission to read it (chmod a+r), or copy it';

/** Pointers are about 130 bytes. */
const mostOfPointer_bytes = 1024;

/** Files that hold nothing to mend: empty ones and pointers of Git LFS. Throws `not_permitted` for one that is closed. */
async function filesAway(root: string, paths: readonly string[]): Promise<FilesAway> {
  const pointers: string[] = [];
  const empty: string[] = [];
  for (const path of paths) {
    try {
      const { size } = await stat(join(root, path));
      if (size === 0) empty.push(path);
      else if (size <= mostOfPointer_bytes && lfsPointerAt(join(root, path))) pointers.push(path);
    } catch (thrown) {
      throw asUnreadable(thrown, path, askToRead);
    }
  }
  return { pointers, empty, closed: [] };
}
