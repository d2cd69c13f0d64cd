import type { DatabaseFiles } from '@assay/sqlite-reader';
import { isSqlite } from '@assay/sqlite-reader';
import { AssayError } from '#core';
import { fileOfBytes, inflatedHead, type SourceTree } from '#io/sources';
import { baseName, closedParts, inFolder, isSidecar, sidecarName } from '../../shared/bags/sidecar.ts';
import { divideByFolder, folderOf } from '../../shared/divide-folders.ts';
import { isZstd } from '../../shared/messages/decoders/message-compression.ts';
import type { DividedRecognition, Recognition } from '../../shared/reader.ts';
import { BagFiles, companionsOf, isCompanion } from './bag-files.ts';

/** Names under which bags are met; a lone file is looked at whatever its name. */
const plausible = /\.(db3|db|sqlite|sqlite3)(\.zstd|\.zst)?$|^[^.]*$/i;
const promised = /\.db3(\.zstd|\.zst)?$/i;
/** The list of tables lies in the first pages. */
const schemaBytes = 256 * 1024;
const atOnce = 16;

/** `tables`: those of a bag were seen. `name`: they were not, but the file is damaged and its name promises a bag. */
type Sign = 'tables' | 'name';

interface BagRecognition extends Recognition {
  /** Of its files, those taken for their names. */
  readonly byName: ReadonlySet<string>;
}

/** Takes every SQLite file with the tables of a bag, what SQLite left beside it, and its metadata.yaml. */
export async function recogniseRosbag2(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<BagRecognition | null> {
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    lone || misnamed?.has(path) || plausible.test(baseName(path)) ? [path] : [],
  );
  const bags = new Map<string, Sign>();
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const signs = await Promise.all(batch.map((path) => signOf(tree, path)));
    for (const [i, sign] of signs.entries()) if (sign !== null) bags.set(batch[i], sign);
  }
  if (bags.size === 0) return null;
  const paths = [...bags.keys()];
  const sidecars = [...new Set(paths.map((path) => inFolder(folderOf(path), sidecarName)))];
  const beside = paths.flatMap((path) => companionsOf(tree, path));
  const closed = closedParts(tree, sidecars, promised);
  const files = [...paths, ...closed, ...beside, ...sidecars.filter((path) => tree.has(path))];
  return recognition(files, new Set(paths.filter((path) => bags.get(path) === 'name')));
}

/** One dataset a folder; a bag folder, and one that holds a single file, is one recording of the folder above. */
export function divideRosbag2(whole: Recognition): readonly DividedRecognition[] {
  const isRecording = (files: readonly string[]) => files.some(isSidecar) || files.filter(isLog).length === 1;
  const byName = 'byName' in whole ? (whole as BagRecognition).byName : new Set<string>();
  return divideByFolder(whole, isRecording, (files, folder) =>
    recognition(files, new Set(files.filter((path) => byName.has(inFolder(folder, path))))),
  );
}

/** Of the files of a dataset: those that hold messages. */
export function isLog(path: string): boolean {
  return !isSidecar(path) && !isCompanion(path);
}

function recognition(files: readonly string[], byName: ReadonlySet<string>): BagRecognition {
  const bags = files.filter(isSidecar).length;
  return {
    format: 'rosbag2',
    evidence: [
      ...said(
        files.filter((path) => isLog(path) && !byName.has(path)),
        'is an SQLite database with the tables topics and messages',
        'are SQLite databases with the tables topics and messages',
      ),
      ...said(
        [...byName],
        'starts as an SQLite database does and is named as a bag is; the tables topics and messages could not be found in it',
        'start as SQLite databases do and are named as bags are; the tables topics and messages could not be found in them',
      ),
      ...(bags === 0
        ? []
        : [`${bags === 1 ? 'a folder holds' : `${bags} folders hold`} the metadata.yaml of a ROS 2 bag`]),
    ],
    files,
    byName,
  };
}

function said(paths: readonly string[], ofOne: string, ofSeveral: string): string[] {
  if (paths.length === 0) return [];
  const named = `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
  return [`${named} ${paths.length === 1 ? ofOne : ofSeveral}`];
}

/** null: it is no bag. */
async function signOf(tree: SourceTree, path: string): Promise<Sign | null> {
  const head = await tree.head(path, 16).catch(() => new Uint8Array(0));
  if (isZstd(head)) {
    const bytes = await inflatedHead(tree, path, schemaBytes);
    const main = { file: fileOfBytes(bytes), bytes: bytes.length };
    return isSqlite(bytes) ? signIn({ path, main, wal: null, journal: null }) : null;
  }
  if (!isSqlite(head)) return null;
  await using opened = await BagFiles.open(tree, path, false);
  const { files } = opened;
  // The tables themselves may still be in the write-ahead log.
  const isLogged = files.wal !== null || files.journal !== null;
  const sign = await signIn({ ...files, wal: null, journal: null });
  return sign === 'tables' || !isLogged ? sign : ((await signIn(files)) ?? sign);
}

/** A database that is damaged is taken too where its name promises a bag, so that reading it says why. */
async function signIn(files: DatabaseFiles): Promise<Sign | null> {
  const { openDatabase } = await import('../bag-database.ts');
  const promise = promised.test(files.path) ? 'name' : null;
  try {
    const database = await openDatabase(files);
    if (database.typeOf('topics') !== null && database.typeOf('messages') !== null) return 'tables';
    return database.problems.all().some(({ severity }) => severity === 'error') ? promise : null;
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return promise;
  }
}

/** By its first bytes; whether it holds a bag is seen when it is opened. */
export function startsAsDatabase(head: Uint8Array): boolean {
  return isSqlite(head);
}
