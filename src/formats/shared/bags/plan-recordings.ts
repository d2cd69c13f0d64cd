import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { folderOf } from '../divide-folders.ts';
import { lookBytesOf } from '../look.ts';
import type { WorkUnit } from '../reader.ts';
import { type BagMetadata, parseBagMetadata } from './bag-metadata.ts';
import { inRecordingOrder } from './recording-order.ts';
import { inFolder, isSidecar, sidecarName, uncompressedName } from './sidecar.ts';

/** One recording: a file, or the files of a ROS 2 bag in the order of recording. */
export interface RecordingSelector {
  readonly id: string;
  readonly files: readonly string[];
  /** metadata.yaml of the bag; null for a file that stands alone. */
  readonly sidecar: string | null;
  readonly missing: readonly string[];
}

export interface RecordingPlan {
  readonly units: readonly WorkUnit[];
  /** What the units select, in the same order. */
  readonly selectors: readonly RecordingSelector[];
  readonly findings: readonly Finding[];
  readonly bags: ReadonlyMap<string, BagMetadata>;
}

/**
 * One unit a recording. A folder whose metadata.yaml lists its files is one recording, its files joined in the order
 * they were written (a recorder splits by size, not by meaning); every other file is a recording of its own.
 * `storage`: what metadata.yaml should call these files. `isLog`: tells them from what lies beside them.
 */
export async function planRecordings(
  tree: SourceTree,
  storage: 'mcap' | 'sqlite3',
  isLog: (path: string) => boolean,
): Promise<RecordingPlan> {
  const findings: Finding[] = [];
  const bags = new Map<string, BagMetadata>();
  for (const { path } of tree.files) {
    if (!isSidecar(path)) continue;
    const bag = await readSidecar(tree, path, findings);
    if (bag === null) continue;
    bags.set(path, bag);
    findings.push(...metadataFindings(bag, storage, path));
  }
  const logs = tree.files.flatMap(({ path }) => (isLog(path) ? [path] : []));
  return planOf(tree, selectorsOf(tree, logs, bags, findings), findings, bags);
}

/** One unit a selector; recordings that would have one name are named by their first file. */
export function planOf(
  tree: SourceTree,
  named: readonly RecordingSelector[],
  findings: readonly Finding[] = [],
  bags: ReadonlyMap<string, BagMetadata> = new Map(),
): RecordingPlan {
  const selectors = withUniqueIds(named);
  const units = selectors.map((selector, index) => {
    const bytes = selector.files.reduce((sum, path) => sum + (tree.entry(path)?.bytes ?? 0), 0);
    return {
      id: selector.id,
      expected_episodes: 1,
      first_index: index,
      bytes,
      look_bytes: lookBytesOf(bytes),
      selector,
    };
  });
  return { units, selectors, findings, bags };
}

async function readSidecar(tree: SourceTree, path: string, findings: Finding[]): Promise<BagMetadata | null> {
  try {
    return await parseBagMetadata(await tree.text(path), path);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    const advice = 'reindex the bag (ros2 bag reindex); its files are read one by one';
    findings.push({
      code: 'metadata_unreadable',
      severity: 'warning',
      path,
      message: thrown.message,
      advice,
    });
    return null;
  }
}

function selectorsOf(
  tree: SourceTree,
  logs: readonly string[],
  bags: ReadonlyMap<string, BagMetadata>,
  findings: Finding[],
): RecordingSelector[] {
  const selectors: RecordingSelector[] = [];
  const taken = new Set<string>();
  for (const path of logs) {
    if (taken.has(path)) continue;
    const folder = folderOf(path);
    const sidecar = inFolder(folder, sidecarName);
    const bag = bags.get(sidecar);
    const listed = [...new Set(bag?.files.map((name) => storedName(tree, inFolder(folder, name))))];
    const present = inRecordingOrder(listed.filter((file) => tree.has(file)));
    if (bag !== undefined && present.includes(path)) {
      for (const file of present) taken.add(file);
      const missing = listed.filter((file) => !tree.has(file));
      selectors.push({ id: bagId(folder, present), files: present, sidecar, missing });
    } else {
      if (bag !== undefined) findings.push(unlistedFile(path, sidecar));
      selectors.push({ id: withoutExtension(path), files: [path], sidecar: null, missing: [] });
    }
  }
  return selectors;
}

/** Where a recorder compresses or somebody unpacks a file afterwards, the list keeps its other name. */
function storedName(tree: SourceTree, path: string): string {
  const bare = uncompressedName(path);
  return [path, bare, `${bare}.zstd`, `${bare}.zst`].find((name) => tree.has(name)) ?? path;
}

/** The folder's name; where the bag lies at the root, what its files' names share. */
function bagId(folder: string, files: readonly string[]): string {
  if (folder !== '') return folder;
  return withoutExtension(files[0]).replace(/_\d+$/, '');
}

function withoutExtension(path: string): string {
  return path.replace(/(\.mcap|\.bag|\.db3)?(\.zstd|\.zst|\.active)?$/i, '');
}

function withUniqueIds(selectors: readonly RecordingSelector[]): readonly RecordingSelector[] {
  const uses = new Map<string, number>();
  for (const { id } of selectors) uses.set(id, (uses.get(id) ?? 0) + 1);
  return selectors.map((selector) =>
    uses.get(selector.id) === 1 ? selector : { ...selector, id: selector.files[0] },
  );
}

/** What a bag's findings start with: files that are listed and not there. */
export function selectorFindings({ sidecar, missing, files }: RecordingSelector): Finding[] {
  return sidecar === null ? [] : missingFiles(missing, files.length + missing.length, sidecar);
}

const newestVersion = 9;

/** What a bag's metadata.yaml says of its storage that is empty, wrong or unknown. */
function metadataFindings(bag: BagMetadata, storage: 'mcap' | 'sqlite3', path: string): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string): void => {
    findings.push({ code, severity, path, message, advice });
  };
  if (bag.storage !== storage) {
    const said = bag.storage === '' ? 'names no storage' : `says the storage is ${bag.storage}`;
    const advice = 'nothing to do for reading; reindex the bag (ros2 bag reindex) before playing it';
    add(
      'storage_misnamed',
      bag.storage === '' ? 'info' : 'warning',
      `${path} ${said}; the files are ${storage}`,
      advice,
    );
  }
  if (bag.version !== null && bag.version > newestVersion) {
    const message = `${path} is of version ${bag.version}, newer than ${newestVersion}; what it has more was not read`;
    add('metadata_version_unknown', 'info', message, 'nothing to do: the messages themselves are read');
  }
  const isCompressed = bag.compressionMode === 'file' || bag.compressionMode === 'message';
  if (isCompressed && bag.compressionFormat !== '' && bag.compressionFormat !== 'zstd') {
    const message = `${path} says each ${bag.compressionMode} is compressed with ${bag.compressionFormat}; only zstd is read`;
    add(
      'compression_unsupported',
      'error',
      message,
      'convert the bag with compression_format zstd (ros2 bag convert)',
    );
  }
  return findings;
}

/** What was counted while the files of a bag were read. */
interface BagCounts {
  readonly messages: number;
  readonly byFile: ReadonlyMap<string, number>;
  readonly byTopic: ReadonlyMap<string, number>;
}

/** Holds what rosbag2 says of a bag against what is in it. `where` names where it says so. */
export function compareBag(said: BagMetadata, counted: BagCounts, path: string, where: string): Finding[] {
  const findings: Finding[] = [];
  if (said.messages !== null && said.messages !== counted.messages) {
    const topics = [...said.topicMessages].filter(([topic, n]) => n !== (counted.byTopic.get(topic) ?? 0));
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'error',
      path,
      message: `${where} says ${said.messages} messages; ${counted.messages} were found`,
      advice: 'find the missing files, or reindex the bag (ros2 bag reindex)',
      evidence: {
        declared: said.messages,
        counted: counted.messages,
        topics: Object.fromEntries(
          topics
            .slice(0, 16)
            .map(([topic, declared]) => [topic, { declared, counted: counted.byTopic.get(topic) ?? 0 }]),
        ),
      },
    });
  }
  for (const [file, declared] of said.fileMessages) {
    const found = counted.byFile.get(uncompressedName(file));
    if (found === undefined || found === declared) continue;
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'warning',
      path,
      message: `${where} says ${declared} messages for ${file}; ${found} were found`,
      advice: 'reindex the bag (ros2 bag reindex)',
    });
  }
  return findings.slice(0, 8);
}

/** Files that a bag's metadata lists and that are not there. */
function missingFiles(missing: readonly string[], listed: number, path: string): Finding[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, 16).join(', ');
  return [
    {
      code: 'bag_file_missing',
      severity: 'error',
      path,
      message: `${missing.length} of the ${listed} files that metadata.yaml lists are missing: ${shown}${missing.length > 16 ? ', …' : ''}`,
      advice: 'copy the whole bag folder; what is there was read as one recording',
    },
  ];
}

/** A recording beside a bag's files that its metadata does not know. */
function unlistedFile(path: string, sidecar: string): Finding {
  return {
    code: 'bag_file_unlisted',
    severity: 'warning',
    path,
    message: `${sidecar} does not list ${path}; it was read as a recording of its own`,
    advice: 'reindex the bag (ros2 bag reindex), or take the file out of the folder',
  };
}
