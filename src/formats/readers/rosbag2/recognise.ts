import { AssayError } from '#kernel';
import { baseName, inFolder, isSidecar, sidecarName } from '../../bags/sidecar.ts';
import { inflatedHead } from '../../bytes/inflated-head.ts';
import { fileOfBytes } from '../../bytes/memory-file.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { divideByFolder, folderOf } from '../../divide-folders.ts';
import { isZstd } from '../../messages/message-compression.ts';
import type { DividedRecognition, Recognition } from '../../reader.ts';
import { Database, type DatabaseFiles } from '../../sqlite/database.ts';
import { isSqlite } from '../../sqlite/file-header.ts';
import { BagFiles, companionsOf, isCompanion } from './bag-files.ts';

/** Names under which bags are met; a lone file is looked at whatever its name. */
const plausible = /\.(db3|db|sqlite|sqlite3)(\.zstd|\.zst)?$|^[^.]*$/i;
const promised = /\.db3(\.zstd|\.zst)?$/i;
/** The list of tables lies in the first pages. */
const schemaBytes = 256 * 1024;
const atOnce = 16;

/** Takes every SQLite file with the tables of a bag, what SQLite left beside it, and its metadata.yaml. */
export async function recogniseRosbag2(tree: SourceTree): Promise<Recognition | null> {
  const lone = tree.files.length === 1;
  const candidates = tree.files.flatMap(({ path }) => (lone || plausible.test(baseName(path)) ? [path] : []));
  const bags: string[] = [];
  for (let from = 0; from < candidates.length; from += atOnce) {
    const batch = candidates.slice(from, from + atOnce);
    const found = await Promise.all(batch.map((path) => isBag(tree, path)));
    bags.push(...batch.filter((_, i) => found[i]));
  }
  if (bags.length === 0) return null;
  const sidecars = [...new Set(bags.map((path) => inFolder(folderOf(path), sidecarName)))];
  const beside = bags.flatMap((path) => companionsOf(tree, path));
  return recognition([...bags, ...beside, ...sidecars.filter((path) => tree.has(path))]);
}

/** One dataset a folder; a bag folder, and one that holds a single file, is one recording of the folder above. */
export function divideRosbag2(whole: Recognition): readonly DividedRecognition[] {
  const isRecording = (files: readonly string[]) => files.some(isSidecar) || files.filter(isLog).length === 1;
  return divideByFolder(whole, isRecording, recognition);
}

/** Of the files of a dataset: those that hold messages. */
export function isLog(path: string): boolean {
  return !isSidecar(path) && !isCompanion(path);
}

function recognition(files: readonly string[]): Recognition {
  const logs = files.filter(isLog);
  const named = `${logs.slice(0, 3).join(', ')}${logs.length > 3 ? ` and ${logs.length - 3} more` : ''}`;
  const verb = logs.length === 1 ? 'is an SQLite database' : 'are SQLite databases';
  const bags = files.filter(isSidecar).length;
  return {
    format: 'rosbag2',
    evidence: [
      `${named} ${verb} with the tables topics and messages`,
      ...(bags === 0
        ? []
        : [`${bags === 1 ? 'a folder holds' : `${bags} folders hold`} the metadata.yaml of a ROS 2 bag`]),
    ],
    files,
  };
}

async function isBag(tree: SourceTree, path: string): Promise<boolean> {
  const head = await tree.head(path, 16).catch(() => new Uint8Array(0));
  if (isZstd(head)) {
    const bytes = await inflatedHead(tree, path, schemaBytes);
    const main = { file: fileOfBytes(bytes), bytes: bytes.length };
    return isSqlite(bytes) && (await holdsBag({ path, main, wal: null, journal: null }));
  }
  if (!isSqlite(head)) return false;
  await using opened = await BagFiles.open(tree, path, false);
  const { files } = opened;
  // The tables themselves may still be in the write-ahead log.
  const isLogged = files.wal !== null || files.journal !== null;
  return (await holdsBag({ ...files, wal: null, journal: null })) || (isLogged && (await holdsBag(files)));
}

/** A database that is damaged is taken too where its name promises a bag, so that reading it says why. */
async function holdsBag(files: DatabaseFiles): Promise<boolean> {
  try {
    const database = await Database.open(files);
    if (database.typeOf('topics') !== null && database.typeOf('messages') !== null) return true;
    return promised.test(files.path) && database.problems.all().some(({ severity }) => severity === 'error');
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return promised.test(files.path);
  }
}
