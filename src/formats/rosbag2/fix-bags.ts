import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { stringify } from 'yaml';
import { AssayError, listText } from '#core';
import { Fields, magic, opcode, prefixBytes } from '../mcap/fix-records.ts';
import { type McapScan, readAt, scanMcap } from '../mcap/fix-scan.ts';
import {
  type BagMetadata,
  orderSplitFiles,
  parseBagMetadata,
  parseSplitName,
} from '../shared/bags/bag-metadata.ts';
import type { Change, FileFix, PlannedFile, Unfixed } from '../shared/fix/fix.ts';
import { exists } from '../shared/fix/journal-files.ts';
import {
  type BagFile,
  type BagTopic,
  companionSuffixes,
  countDatabase,
  listDamage,
  withDatabase,
  writeDatabase,
} from './write-database.ts';

/**
 * Plans repairs of ROS 2 bags: of damaged databases among `paths`, and of a metadata.yaml that is missing or wrong;
 * changes nothing. No metadata.yaml is planned for a folder with one of the Git LFS `pointers`, since a part of the bag
 * is missing.
 */
export async function planBags(
  root: string,
  paths: readonly string[],
  pointers: readonly string[] = [],
): Promise<readonly FileFix[]> {
  const awaited = new Set(pointers.filter(isBagPart).map((path) => dirname(path)));
  const repairs: FileFix[] = [];
  const parts = paths.filter(isBagPart);
  for (const [folder, files] of Map.groupBy(parts, dirname)) {
    const facts: BagFile[] = [];
    for (const path of files.filter(isDatabase)) {
      const plan = await planDatabase(root, path);
      if (plan === null) continue;
      repairs.push(plan.repair);
      if (plan.facts !== null) facts.push(plan.facts);
    }
    const metadata = folder === '.' ? 'metadata.yaml' : `${folder}/metadata.yaml`;
    const described = await exists(join(root, metadata));
    if (awaited.has(folder) || (!described && !areOneBag(files))) continue;
    for (const path of files.filter(isMcap)) {
      const counted = await countMcap(root, path);
      if (counted !== null) facts.push(counted);
    }
    if (facts.length === 0 || new Set(facts.map(({ storage }) => storage)).size > 1) continue;
    repairs.push(await planMetadata(root, metadata, sortByRecordingOrder(facts)));
  }
  return repairs;
}

/** True for names of SQLite bag files (`.db3`). */
export const isDatabase = (path: string): boolean => /\.db3$/i.test(path);
/** True for names of MCAP files (`.mcap`). */
export const isMcap = (path: string): boolean => /\.mcap$/i.test(path);
const isBagPart = (path: string): boolean => isDatabase(path) || isMcap(path);

/** Returns true for a single database, and for files that are numbered as the parts of one bag. */
function areOneBag(files: readonly string[]): boolean {
  if (files.length === 1 && isDatabase(files[0])) return true;
  const parts = files.map((path) => parseSplitName(path));
  return new Set(parts.map(({ stem }) => stem)).size === 1 && parts.every(({ number }) => number !== null);
}

function sortByRecordingOrder(facts: readonly BagFile[]): readonly BagFile[] {
  const byPath = new Map(facts.map((file) => [file.path, file]));
  return orderSplitFiles([...byPath.keys()].sort()).flatMap((path) => byPath.get(path) ?? []);
}

/** Summarises the intact content of an MCAP file; null if it is not an MCAP file with the ROS 2 profile. */
async function countMcap(root: string, path: string): Promise<BagFile | null> {
  const file = await open(join(root, path), 'r');
  try {
    const scan = (await hasRos2Profile(file)) ? await scanMcap(file) : null;
    return scan === null ? null : summarizeMcap(path, scan);
  } finally {
    await file.close();
  }
}

/** Returns true if the header record names the profile `ros2`. */
async function hasRos2Profile(file: FileHandle): Promise<boolean> {
  const head = await readAt(file, magic.length, prefixBytes + 256);
  const lengthBytes = 4;
  if (head.length < prefixBytes + lengthBytes || head[0] !== opcode.header) return false;
  const profile = 'ros2';
  const end = prefixBytes + lengthBytes + profile.length;
  const isLong = head.readUInt32LE(prefixBytes) !== profile.length;
  return !isLong && head.toString('latin1', prefixBytes + lengthBytes, end) === profile;
}

function summarizeMcap(path: string, scan: McapScan): BagFile {
  const { first_ns, last_ns } = scan;
  const topics = [...scan.channels].map(([id, content]) => parseTopic(id, content, scan));
  const messages = topics.reduce((sum, topic) => sum + topic.messages, 0);
  return { path, storage: 'mcap', messages, first_ns, last_ns, topics, compressed: false };
}

function parseTopic(id: number, content: Buffer, { schemas, messages }: McapScan): BagTopic {
  const fields = new Fields(content.subarray(2));
  const schema = schemas.get(fields.u16());
  const [name, serialization_format] = [fields.text(), fields.text()];
  const metadata = fields.map();
  return {
    ...{ name, serialization_format, messages: messages.get(id) ?? 0 },
    type: schema === undefined ? '' : new Fields(schema.subarray(2)).text(),
    offered_qos_profiles: metadata.get('offered_qos_profiles') ?? '',
    type_description_hash: metadata.get('topic_type_hash') ?? '',
  };
}

/** Planned repair of a database, and its content. */
interface DatabasePlan {
  readonly repair: FileFix;
  /** Content of the file after the repair; null if it is not a bag or nothing can be read. */
  readonly facts: BagFile | null;
}

/**
 * Plans to rewrite a damaged database with every readable row; an intact one gets an empty repair, and `null` means
 * that it is not a bag.
 */
export async function planDatabase(root: string, path: string): Promise<DatabasePlan | null> {
  try {
    return await withDatabase(root, path, async (database) => {
      if (database.typeOf('topics') === null && listDamage(database).length === 0) return null;
      const facts = await countDatabase(database, path);
      const damage = listDamage(database);
      const changes = damage.map(({ code, message }) => ({
        ...{ fix: 'bag-database', answers: [code], path, what: 'messages', episode: null },
        ...{ before: message, after: `${facts.messages} intact messages` },
      }));
      if (damage.length === 0) return { repair: { changes, unfixed: [], files: [] }, facts };
      if (facts.messages === 0) return { repair: reportUnreadable(path, damage[0].message), facts: null };
      return { repair: { changes, unfixed: [], files: await planRewrite(root, path) }, facts };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { repair: reportUnreadable(path, thrown.message), facts: null };
  }
}

/** Plans the rewritten database and the removal of its log and journal, whose content it includes. */
async function planRewrite(root: string, path: string): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [
    { does: 'write', path, write: (target) => writeDatabase(root, path, target) },
  ];
  for (const suffix of companionSuffixes)
    if (await exists(join(root, `${path}${suffix}`)))
      files.push({ does: 'remove', path: `${path}${suffix}` });
  return files;
}

function reportUnreadable(path: string, why: string): FileFix {
  const unfixed: Unfixed = {
    ...{ code: 'file_unreadable', path, episode: null },
    message: `no message of ${path} can be read: ${why}`,
    advice: 'Copy the file again from where it was recorded, or record again.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}

/** Codes of findings that a new metadata.yaml resolves. */
const metadataFindingCodes = [
  'metadata_absent',
  'metadata_unreadable',
  'metadata_incomplete',
  'metadata_count_mismatch',
  'bag_file_unlisted',
  'storage_misnamed',
];

/** Plans a metadata.yaml that matches the files of a bag, if it is missing, unreadable or differs from them. */
async function planMetadata(root: string, path: string, files: readonly BagFile[]): Promise<FileFix> {
  const { metadata, fault } = await readMetadata(root, path);
  if (metadata !== null) {
    const missing = metadata.files.filter((name) => !files.some((file) => basename(file.path) === name));
    if (missing.length > 0) return reportMissingFiles(path, missing);
  }
  const before = metadata === null ? fault : findDisagreement(metadata, files);
  if (before === null) return { changes: [], unfixed: [], files: [] };
  const after = `${countMessages(files)} messages in ${files.map((file) => basename(file.path)).join(', ')}`;
  const change: Change = {
    ...{
      fix: 'bag-metadata',
      answers: metadataFindingCodes,
      path,
      what: 'the bag',
      before,
      after,
      episode: null,
    },
  };
  const write = (target: string) => writeFile(target, formatMetadata(files, metadata));
  return { changes: [change], unfixed: [], files: [{ does: 'write', path, write }] };
}

/** Result of reading a metadata.yaml. */
interface MetadataReading {
  readonly metadata: BagMetadata | null;
  /** Reason why there is no metadata; null if it was read. */
  readonly fault: string | null;
}

async function readMetadata(root: string, path: string): Promise<MetadataReading> {
  if (!(await exists(join(root, path))))
    return { metadata: null, fault: 'missing: the recorder was stopped' };
  try {
    return { metadata: await parseBagMetadata(await readFile(join(root, path)), path), fault: null };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'unreadable_input')
      return { metadata: null, fault: thrown.message };
    throw thrown;
  }
}

/** Describes the first difference between metadata and files; null if they agree. */
function findDisagreement(current: BagMetadata, files: readonly BagFile[]): string | null {
  const total = countMessages(files);
  if (current.absentKeys.length > 0) return `no ${listText(current.absentKeys)}`;
  if (current.storage !== files[0].storage) return `storage is ${current.storage || 'not declared'}`;
  if (current.messages !== total) return `${current.messages ?? 'no'} messages`;
  for (const { path } of files)
    if (!current.files.includes(basename(path))) return `does not list ${basename(path)}`;
  for (const { path, messages } of files) {
    const declared = current.fileMessages.get(basename(path));
    if (declared !== undefined && declared !== messages) return `${declared} messages in ${basename(path)}`;
  }
  for (const { name, messages } of mergeTopics(files)) {
    const declared = current.topicMessages.get(name) ?? 0;
    if (declared !== messages) return `${declared} messages of ${name}`;
  }
  return null;
}

function reportMissingFiles(path: string, missing: readonly string[]): FileFix {
  return {
    changes: [],
    unfixed: [
      {
        ...{ code: 'bag_file_missing', path, episode: null },
        message: `${path} lists ${missing.join(', ')}, missing in this folder or not readable`,
        advice:
          'Copy the whole bag folder again. If those files are lost, delete metadata.yaml and run assay fix once more.',
      },
    ],
    files: [],
  };
}

/** Start time that rosbag2 writes for a bag without messages, in ns. */
const emptyBagStart_ns = 0x7fffffffffffffffn;

/** Formats the metadata.yaml of a bag in the oldest version that can hold all its fields. */
function formatMetadata(files: readonly BagFile[], before: BagMetadata | null): string {
  const topics = mergeTopics(files);
  const custom = Object.fromEntries(before?.custom ?? []);
  const distro = before?.rosDistro ?? null;
  const hashed = topics.some(({ type_description_hash }) => type_description_hash !== '');
  const version = distro !== null ? 8 : hashed ? 7 : Object.keys(custom).length > 0 ? 6 : 5;
  const compressed = files.some((file) => file.compressed);
  const bag = {
    ...{ version, storage_identifier: files[0].storage },
    ...computeSpan(files),
    message_count: countMessages(files),
    topics_with_message_count: topics.map(({ messages, type_description_hash, ...topic }) => ({
      topic_metadata: { ...topic, ...(version >= 7 && { type_description_hash }) },
      message_count: messages,
    })),
    compression_format: compressed ? 'zstd' : '',
    compression_mode: compressed ? 'MESSAGE' : '',
    relative_file_paths: files.map(({ path }) => basename(path)),
    files: files.map((file) => ({
      path: basename(file.path),
      ...computeSpan([file]),
      message_count: file.messages,
    })),
    ...(version >= 6 && { custom_data: Object.keys(custom).length > 0 ? custom : null }),
    ...(version >= 8 && { ros_distro: distro }),
  };
  return stringify(
    { rosbag2_bagfile_information: bag },
    {
      lineWidth: 0,
      doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
    },
  );
}

function countMessages(files: readonly BagFile[]): number {
  return files.reduce((sum, { messages }) => sum + messages, 0);
}

/** Merges the topics of all files by name and sums their message counts. */
function mergeTopics(files: readonly BagFile[]): readonly BagTopic[] {
  const topics = new Map<string, BagTopic>();
  for (const topic of files.flatMap((file) => file.topics)) {
    const known = topics.get(topic.name);
    if (known === undefined) topics.set(topic.name, { ...topic });
    else known.messages += topic.messages;
  }
  return [...topics.values()];
}

/** Returns start time and duration of the files, as metadata.yaml has them. */
function computeSpan(files: readonly BagFile[]) {
  const first_ns = minTime(files.map((file) => file.first_ns));
  const last_ns = maxTime(files.map((file) => file.last_ns));
  return {
    duration: { nanoseconds: first_ns === null || last_ns === null ? 0n : last_ns - first_ns },
    starting_time: { nanoseconds_since_epoch: first_ns ?? emptyBagStart_ns },
  };
}

type NullableTimes = readonly (bigint | null)[];
const minTime = (times: NullableTimes) =>
  times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
const maxTime = (times: NullableTimes) =>
  times.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
