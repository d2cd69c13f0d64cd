import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError, wrapReadError } from '#core';
import { planCocoFixes } from '../coco/fix-coco.ts';
import { isLfsPointerFile } from '../lerobot/fix/draft.ts';
import { planLeRobot } from '../lerobot/fix/plan-lerobot.ts';
import { planMcap } from '../mcap/fix-mcap.ts';
import { planRosbag } from '../rosbag/fix-rosbag.ts';
import { isDatabase, isMcap, planBags, planDatabase } from '../rosbag2/fix-bags.ts';
import type { FileFix, FixOptions, FixPlan, Unfixed } from '../shared/fix/fix.ts';
import { exists } from '../shared/fix/journal-files.ts';
import { type UnreadableFiles, unreadableFileFindings } from '../shared/unreadable-files.ts';

/**
 * Plans the fixes of a LeRobot dataset, a recording, or all recordings and COCO files below a folder, without writing
 * to it; throws `not_recognised` if it holds nothing that can be fixed. The caller must call `close` of the plan.
 * @throws AssayError `not_recognised`, or the error of the first file that cannot be read.
 */
export async function planFixes(target: FixTarget, options: FixOptions): Promise<FixPlan> {
  const { root, file } = target;
  if (file === null && (await exists(join(root, 'meta/info.json')))) return planLeRobot(root, options);
  const found = file === null ? await listRecordings(root) : [file];
  const away = await findUnreadableFiles(root, found);
  const unreadable = new Set([...away.pointers, ...away.empty]);
  const paths = found.filter((path) => !unreadable.has(path));
  const repairs: FileFix[] = [];
  for (const path of paths) {
    if (file === null && isDatabase(path)) continue;
    const repair = await planFile(root, path).catch((thrown) => {
      throw wrapReadError(thrown, path, permissionAdvice);
    });
    if (repair !== null) repairs.push(repair);
  }
  if (file === null) repairs.push(...(await planBags(root, paths, away.pointers)));
  if (repairs.length === 0) throw nothingToFixError(target, away);
  return {
    format: detectFormats(paths),
    root,
    changes: repairs.flatMap(({ changes }) => changes),
    unfixed: [...repairs.flatMap(({ unfixed }) => unfixed), ...toUnfixed(away)],
    files: repairs.flatMap(({ files }) => files),
    close: async () => undefined,
  };
}

/** Returns unreadable files as unfixed problems; empty JSON files are ignored, since other programs may leave them. */
function toUnfixed({ pointers, empty, closed }: UnreadableFiles): Unfixed[] {
  const recordings = empty.filter((path) => !isJson(path));
  return unreadableFileFindings({ pointers, empty: recordings, closed }).map(
    ({ code, path, message, advice }) => ({
      ...{ code, path, episode: null, message, advice },
    }),
  );
}

function nothingToFixError({ root, file }: FixTarget, away: UnreadableFiles): AssayError {
  const path = file === null ? root : join(root, file);
  const findings = unreadableFileFindings(away);
  const why = findings.map(({ message }) => message).join('; ');
  return new AssayError(
    'not_recognised',
    `assay fix cannot repair ${path}${why === '' ? ': no LeRobot dataset, MCAP file, ROS bag or COCO file found' : `: ${why}`}`,
    { path, advice: findings[0]?.advice ?? targetAdvice },
  );
}

const targetAdvice =
  'pass a LeRobot dataset (the folder that contains meta/), an MCAP file, ROS bag or COCO file, or a folder of them';

async function planFile(root: string, path: string): Promise<FileFix | null> {
  if (isMcap(path)) return planMcap(root, path);
  if (isBag(path)) return planRosbag(root, path);
  if (isDatabase(path)) return (await planDatabase(root, path))?.repair ?? null;
  const { size } = await stat(join(root, path));
  return size > maxJsonBytes ? null : planCocoFixes(root, path).catch(() => null);
}

function detectFormats(paths: readonly string[]): string {
  const kinds = paths.map((path) =>
    isMcap(path) ? 'mcap' : isBag(path) ? 'rosbag' : isDatabase(path) ? 'rosbag2' : 'coco',
  );
  return [...new Set(kinds)].join(', ');
}

const maxJsonBytes = 256 * 1024 * 1024;

const isBag = (path: string): boolean => /\.bag(\.active)?$/i.test(path);
const isJson = (path: string): boolean => /\.json$/i.test(path);

/** Advice for a file without read permission. */
const permissionAdvice = 'get read permission for the file (chmod a+r), or copy it';

/** LFS pointers are about 130 bytes. */
const maxPointerBytes = 1024;

/** Finds empty files and LFS pointers. @throws AssayError `not_permitted` for a file without read permission. */
async function findUnreadableFiles(root: string, paths: readonly string[]): Promise<UnreadableFiles> {
  const pointers: string[] = [];
  const empty: string[] = [];
  for (const path of paths) {
    try {
      const { size } = await stat(join(root, path));
      if (size === 0) empty.push(path);
      else if (size <= maxPointerBytes && isLfsPointerFile(join(root, path))) pointers.push(path);
    } catch (thrown) {
      throw wrapReadError(thrown, path, permissionAdvice);
    }
  }
  return { pointers, empty, closed: [] };
}

/** Target of fixes: the folder of the journal, and the file to fix; `null` for the whole folder. */
export interface FixTarget {
  readonly root: string;
  readonly file: string | null;
}

const recordings = /\.(mcap|bag|bag\.active|db3|json)$/i;

/**
 * Resolves a path to a fix target with absolute path: a folder with `file` null, or a recording or JSON file with its
 * folder as `root`; throws for other and missing files.
 * @throws AssayError `usage` for files with other extensions, `not_found` if there is nothing at the path.
 */
export async function resolveFixTarget(path: string): Promise<FixTarget> {
  try {
    const found = await realpath(path);
    if ((await stat(found)).isDirectory()) return { root: found, file: null };
    if (recordings.test(found)) return { root: dirname(found), file: basename(found) };
  } catch (thrown) {
    throw wrapReadError(thrown, path);
  }
  throw new AssayError('usage', `${path} is not a folder, MCAP file, ROS bag or COCO file`, {
    path,
    advice: 'pass the folder of the dataset',
  });
}

/**
 * Lists the recordings and JSON files of a folder, without hidden ones.
 * @throws AssayError `not_permitted` if a folder in it cannot be read.
 */
async function listRecordings(root: string): Promise<string[]> {
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch((thrown: unknown) => {
    const path = thrown instanceof Error && 'path' in thrown ? String(thrown.path) : root;
    throw wrapReadError(
      thrown,
      relative(root, path) || root,
      'get read permission for the folder (chmod -R a+rX)',
    );
  });
  return found
    .filter((entry) => entry.isFile() && recordings.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort();
}
