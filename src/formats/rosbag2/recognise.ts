import { type DatabaseFiles, isSqlite } from '@assay/sqlite-reader';
import { AssayError } from '#core';
import { inflateHead, memoryFile, type SourceTree } from '#io/sources';
import {
  baseName,
  findClosedBagFiles,
  isSidecar,
  joinFolder,
  sidecarName,
} from '../shared/bags/bag-metadata.ts';
import { divideByFolder } from '../shared/divide-folders.ts';
import { folderOf } from '../shared/file-names.ts';
import { isZstd } from '../shared/messages/decoders/message-compression.ts';
import type { DividedRecognition, Recognition } from '../shared/reader.ts';
import { BagFiles, companionsOf, isCompanion } from './bag-files.ts';

/** Names that are checked for bag content; a single file is checked whatever its name. */
const candidateNames = /\.(db3|db|sqlite|sqlite3)(\.zstd|\.zst)?$|^[^.]*$/i;
/** Names of bag files, used for damaged files. */
const bagNames = /\.db3(\.zstd|\.zst)?$/i;
/** Bytes that are decompressed to read the table list, which lies in the first pages. */
const schemaHeadBytes = 256 * 1024;
/** Files that are checked concurrently. */
const batchSize = 16;

/**
 * Evidence for a bag. `tables`: it has the tables of a bag. `name`: the file is damaged, and has the name of a bag.
 */
type BagEvidence = 'tables' | 'name';

interface BagRecognition extends Recognition {
  /** Files recognised by their names alone. */
  readonly byName: ReadonlySet<string>;
}

/**
 * Recognises SQLite bags that are named like one, are in `misnamed`, or are the only file, damaged ones by their names;
 * `null` if there are none. Includes their companion files and metadata.yaml.
 */
export async function recogniseRosbag2(
  tree: SourceTree,
  misnamed?: ReadonlySet<string>,
): Promise<BagRecognition | null> {
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) =>
    lone || misnamed?.has(path) || candidateNames.test(baseName(path)) ? [path] : [],
  );
  const bags = new Map<string, BagEvidence>();
  for (let from = 0; from < candidates.length; from += batchSize) {
    const batch = candidates.slice(from, from + batchSize);
    const signs = await Promise.all(batch.map((path) => inspectFile(tree, path)));
    for (const [i, sign] of signs.entries()) if (sign !== null) bags.set(batch[i], sign);
  }
  if (bags.size === 0) return null;
  const paths = [...bags.keys()];
  const sidecars = [...new Set(paths.map((path) => joinFolder(folderOf(path), sidecarName)))];
  const beside = paths.flatMap((path) => companionsOf(tree, path));
  const closed = findClosedBagFiles(tree, sidecars, bagNames);
  const files = [...paths, ...closed, ...beside, ...sidecars.filter((path) => tree.has(path))];
  return recognition(files, new Set(paths.filter((path) => bags.get(path) === 'name')));
}

/**
 * Divides the files into one dataset per folder; a bag folder, or a folder with a single file, counts as one recording
 * of its parent.
 */
export function divideRosbag2(whole: Recognition): readonly DividedRecognition[] {
  const isRecording = (files: readonly string[]) => files.some(isSidecar) || files.filter(isLog).length === 1;
  const byName = 'byName' in whole ? (whole as BagRecognition).byName : new Set<string>();
  return divideByFolder(whole, isRecording, (files, folder) =>
    recognition(files, new Set(files.filter((path) => byName.has(joinFolder(folder, path))))),
  );
}

/** True unless the file is a metadata.yaml or a companion file of SQLite. */
export function isLog(path: string): boolean {
  return !isSidecar(path) && !isCompanion(path);
}

function recognition(files: readonly string[], byName: ReadonlySet<string>): BagRecognition {
  const bags = files.filter(isSidecar).length;
  return {
    format: 'rosbag2',
    evidence: [
      ...describeFiles(
        files.filter((path) => isLog(path) && !byName.has(path)),
        'is an SQLite database with the tables topics and messages',
        'are SQLite databases with the tables topics and messages',
      ),
      ...describeFiles(
        [...byName],
        'starts like an SQLite database and has a bag file name, but the tables topics and messages were not found',
        'start like SQLite databases and have bag file names, but the tables topics and messages were not found',
      ),
      ...(bags === 0
        ? []
        : [`${bags === 1 ? 'a folder has' : `${bags} folders have`} the metadata.yaml of a ROS 2 bag`]),
    ],
    files,
    byName,
  };
}

/** Returns the evidence sentence for some files; empty if there are none. */
function describeFiles(paths: readonly string[], ofOne: string, ofSeveral: string): string[] {
  if (paths.length === 0) return [];
  const named = `${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`;
  return [`${named} ${paths.length === 1 ? ofOne : ofSeveral}`];
}

/** Checks whether a file is a bag; null if it is not. */
async function inspectFile(tree: SourceTree, path: string): Promise<BagEvidence | null> {
  const head = await tree.head(path, 16).catch(() => new Uint8Array(0));
  if (isZstd(head)) {
    const bytes = await inflateHead(tree, path, schemaHeadBytes);
    const main = { file: memoryFile(bytes), bytes: bytes.length };
    return isSqlite(bytes) ? inspectTables({ path, main, wal: null, journal: null }) : null;
  }
  if (!isSqlite(head)) return null;
  await using opened = await BagFiles.open(tree, path, false);
  const { files } = opened;
  // The tables may still be in the write-ahead log.
  const isLogged = files.wal !== null || files.journal !== null;
  const sign = await inspectTables({ ...files, wal: null, journal: null });
  return sign === 'tables' || !isLogged ? sign : ((await inspectTables(files)) ?? sign);
}

/**
 * Checks a database for the tables of a bag. A damaged one with the name of a bag is accepted, so that reading it
 * reports why.
 */
async function inspectTables(files: DatabaseFiles): Promise<BagEvidence | null> {
  const { openDatabase } = await import('./bag-database.ts');
  const nameEvidence = bagNames.test(files.path) ? 'name' : null;
  try {
    const database = await openDatabase(files);
    if (database.typeOf('topics') !== null && database.typeOf('messages') !== null) return 'tables';
    return database.problems.all().some(({ severity }) => severity === 'error') ? nameEvidence : null;
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return nameEvidence;
  }
}

/** True if the bytes start like an SQLite database; its tables are checked when it is opened. */
export function startsAsDatabase(head: Uint8Array): boolean {
  return isSqlite(head);
}
