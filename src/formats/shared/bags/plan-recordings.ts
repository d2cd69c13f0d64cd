import { AssayError, listText } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { computeLookBytes } from '../episode-cuts.ts';
import { folderOf } from '../file-names.ts';
import type { WorkUnit } from '../reader.ts';
import {
  type BagMetadata,
  isSidecar,
  joinFolder,
  orderSplitFiles,
  parseBagMetadata,
  sidecarName,
  uncompressedName,
} from './bag-metadata.ts';

/** One recording: a single file, or the files of a ROS 2 bag in recording order. */
export interface RecordingSelector {
  readonly id: string;
  readonly files: readonly string[];
  /** Path of the bag's metadata.yaml; `null` for a single file. */
  readonly sidecar: string | null;
  readonly missing: readonly string[];
}

/** Work units of a set of recordings, with the findings of planning. */
export interface RecordingPlan {
  readonly units: readonly WorkUnit[];
  /** Selectors of the units, in the same order. */
  readonly selectors: readonly RecordingSelector[];
  readonly findings: readonly Finding[];
  readonly bags: ReadonlyMap<string, BagMetadata>;
}

/**
 * Plans one work unit per recording: the files listed by a folder's metadata.yaml form one recording, every other file
 * is one of its own.
 *
 * Listed files are joined in the order they were written (a recorder splits by size, not by meaning). `storage`:
 * storage id that metadata.yaml should name. `isLog`: true for paths of recording files.
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
  return buildPlan(tree, buildSelectors(tree, logs, bags, findings), findings, bags);
}

/** Builds one work unit per selector; recordings with the same id are named by their first file. */
export function buildPlan(
  tree: SourceTree,
  requested: readonly RecordingSelector[],
  findings: readonly Finding[] = [],
  bags: ReadonlyMap<string, BagMetadata> = new Map(),
): RecordingPlan {
  const selectors = withUniqueIds(requested);
  const units = selectors.map((selector, index) => {
    const bytes = selector.files.reduce((sum, path) => sum + (tree.entry(path)?.bytes ?? 0), 0);
    return {
      id: selector.id,
      expected_episodes: 1,
      first_index: index,
      bytes,
      look_bytes: computeLookBytes(bytes),
      selector,
    };
  });
  return { units, selectors, findings, bags };
}

async function readSidecar(tree: SourceTree, path: string, findings: Finding[]): Promise<BagMetadata | null> {
  try {
    return await parseBagMetadata(await tree.read(path), path);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    const advice =
      'reindex the bag (ros2 bag reindex); until then, each file is read as a separate recording';
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

function buildSelectors(
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
    const sidecar = joinFolder(folder, sidecarName);
    const bag = bags.get(sidecar);
    const listed = [...new Set(bag?.files.map((name) => resolveStoredName(tree, joinFolder(folder, name))))];
    const present = orderSplitFiles(listed.filter((file) => tree.has(file)));
    if (bag !== undefined && present.includes(path)) {
      for (const file of present) taken.add(file);
      const missing = listed.filter((file) => !tree.has(file));
      selectors.push({ id: bagId(folder, present), files: present, sidecar, missing });
    } else {
      if (bag !== undefined) findings.push(unlistedFileFinding(path, sidecar));
      selectors.push({ id: withoutExtension(path), files: [path], sidecar: null, missing: [] });
    }
  }
  return selectors;
}

/**
 * Returns the path under which a listed file exists: files may be compressed or unpacked later while metadata.yaml
 * keeps the old name.
 */
function resolveStoredName(tree: SourceTree, path: string): string {
  const bare = uncompressedName(path);
  return [path, bare, `${bare}.zstd`, `${bare}.zst`].find((name) => tree.has(name)) ?? path;
}

/** Returns the folder's path; for a bag at the root, the common stem of its file names. */
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

/** Returns a finding about files that metadata.yaml lists and that do not exist; empty if there are none. */
export function selectorFindings({ sidecar, missing, files }: RecordingSelector): Finding[] {
  return sidecar === null ? [] : missingFilesFinding(missing, files.length + missing.length, sidecar);
}

const newestKnownVersion = 9;

/** Returns findings about missing, wrong or unknown storage, version and compression in metadata.yaml. */
function metadataFindings(bag: BagMetadata, storage: 'mcap' | 'sqlite3', path: string): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding['severity'], message: string, advice: string): void => {
    findings.push({ code, severity, path, message, advice });
  };
  if (bag.storage !== storage) {
    const description = bag.storage === '' ? 'declares no storage' : `declares storage ${bag.storage}`;
    const advice = 'nothing to do for Assay; reindex the bag (ros2 bag reindex) before playing it';
    add(
      'storage_misnamed',
      bag.storage === '' ? 'info' : 'warning',
      `${path} ${description}, but the files are ${storage}`,
      advice,
    );
  }
  if (bag.absentKeys.length > 0)
    add(
      'metadata_incomplete',
      'warning',
      `${path} has no ${listText(bag.absentKeys)}; readers of ROS 2 bags refuse it`,
      'reindex the bag (ros2 bag reindex)',
    );
  if (bag.version !== null && bag.version > newestKnownVersion) {
    const message = `${path} has version ${bag.version}, but only versions up to ${newestKnownVersion} are supported; newer fields were ignored`;
    add('metadata_version_unknown', 'info', message, 'nothing to do: the messages were read');
  }
  const isCompressed = bag.compressionMode === 'file' || bag.compressionMode === 'message';
  if (isCompressed && bag.compressionFormat !== '' && bag.compressionFormat !== 'zstd') {
    const message = `${path} declares ${bag.compressionFormat} compression per ${bag.compressionMode}; only zstd is supported`;
    add(
      'compression_unsupported',
      'error',
      message,
      'convert the bag with compression_format zstd (ros2 bag convert)',
    );
  }
  return findings;
}

/** Message counts from reading a bag. */
interface BagCounts {
  readonly messages: number;
  readonly byFile: ReadonlyMap<string, number>;
  readonly byTopic: ReadonlyMap<string, number>;
}

/**
 * Returns findings where the message counts that metadata declares differ from the counted ones, at most eight.
 * `where`: name of the declaring source, for messages.
 */
export function compareBagCounts(
  bagMetadata: BagMetadata,
  counted: BagCounts,
  path: string,
  where: string,
): Finding[] {
  const findings: Finding[] = [];
  if (bagMetadata.messages !== null && bagMetadata.messages !== counted.messages) {
    const topics = [...bagMetadata.topicMessages].filter(
      ([topic, n]) => n !== (counted.byTopic.get(topic) ?? 0),
    );
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'error',
      path,
      message: `${where} declares ${bagMetadata.messages} messages, but ${counted.messages} were found`,
      advice: 'find the missing files, or reindex the bag (ros2 bag reindex)',
      evidence: {
        declared: bagMetadata.messages,
        counted: counted.messages,
        topics: Object.fromEntries(
          topics
            .slice(0, 16)
            .map(([topic, declared]) => [topic, { declared, counted: counted.byTopic.get(topic) ?? 0 }]),
        ),
      },
    });
  }
  for (const [file, declared] of bagMetadata.fileMessages) {
    const found = counted.byFile.get(uncompressedName(file));
    if (found === undefined || found === declared) continue;
    findings.push({
      code: 'metadata_count_mismatch',
      severity: 'warning',
      path,
      message: `${where} declares ${declared} messages for ${file}, but ${found} were found`,
      advice: 'reindex the bag (ros2 bag reindex)',
    });
  }
  return findings.slice(0, 8);
}

/** Returns a finding if listed files are missing. */
function missingFilesFinding(missing: readonly string[], listed: number, path: string): Finding[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, 16).join(', ');
  return [
    {
      code: 'bag_file_missing',
      severity: 'error',
      path,
      message: `${missing.length} of ${listed} files listed in metadata.yaml are missing: ${shown}${missing.length > 16 ? ', …' : ''}`,
      advice: 'copy the whole bag folder; the existing files were read as one recording',
    },
  ];
}

/** Returns the finding about a file next to a bag that its metadata.yaml does not list. */
function unlistedFileFinding(path: string, sidecar: string): Finding {
  return {
    code: 'bag_file_unlisted',
    severity: 'warning',
    path,
    message: `${path} is not listed in ${sidecar}; it was read as a separate recording`,
    advice: 'reindex the bag (ros2 bag reindex), or move the file out of the folder',
  };
}
