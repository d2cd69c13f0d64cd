import { type FileHandle, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import { stringify } from 'yaml';
import { AssayError } from '#core';
import { Fields, magic, opcode, prefixBytes } from '../../mcap/fix/records.ts';
import { type McapScan, readAt, scanMcap } from '../../mcap/fix/scan.ts';
import { type BagMetadata, parseBagMetadata } from '../../shared/bags/bag-metadata.ts';
import { inRecordingOrder, splitNumber } from '../../shared/bags/recording-order.ts';
import type { Change, FileRepair, PlannedFile, Unfixed } from '../../shared/fix/fix.ts';
import { exists } from '../../shared/fix/journal/files.ts';
import type { BagFile, BagTopic } from './write-database.ts';
import { companionSuffixes, countDatabase, damageOf, withDatabase, writeDatabase } from './write-database.ts';

/**
 * What there is to mend in ROS 2 bags: the databases among `paths`, and what metadata.yaml says of each folder. None is
 * written where a part of the bag is one of the `pointers` of Git LFS.
 */
export async function planBags(
  root: string,
  paths: readonly string[],
  pointers: readonly string[] = [],
): Promise<readonly FileRepair[]> {
  const awaited = new Set(pointers.filter(isPart).map((path) => dirname(path)));
  const repairs: FileRepair[] = [];
  const parts = paths.filter(isPart);
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
    repairs.push(await planMetadata(root, metadata, inOrder(facts)));
  }
  return repairs;
}

export const isDatabase = (path: string): boolean => /\.db3$/i.test(path);
export const isMcap = (path: string): boolean => /\.mcap$/i.test(path);
const isPart = (path: string): boolean => isDatabase(path) || isMcap(path);

/** Named as a recorder names the parts of one bag, or a database on its own. */
function areOneBag(files: readonly string[]): boolean {
  if (files.length === 1 && isDatabase(files[0])) return true;
  const parts = files.map((path) => splitNumber(path));
  return new Set(parts.map(({ stem }) => stem)).size === 1 && parts.every(({ number }) => number !== null);
}

function inOrder(facts: readonly BagFile[]): readonly BagFile[] {
  const byPath = new Map(facts.map((file) => [file.path, file]));
  return inRecordingOrder([...byPath.keys()].sort()).flatMap((path) => byPath.get(path) ?? []);
}

/** Counts what is whole in an MCAP file of a ROS 2 bag; null where it is none. */
async function countMcap(root: string, path: string): Promise<BagFile | null> {
  const file = await open(join(root, path), 'r');
  try {
    const scan = (await isOfRos2(file)) ? await scanMcap(file) : null;
    return scan === null ? null : factsOf(path, scan);
  } finally {
    await file.close();
  }
}

/** By the profile that the first record names. */
async function isOfRos2(file: FileHandle): Promise<boolean> {
  const head = await readAt(file, magic.length, prefixBytes + 256);
  const lengthBytes = 4;
  if (head.length < prefixBytes + lengthBytes || head[0] !== opcode.header) return false;
  return new Fields(head.subarray(prefixBytes)).text() === 'ros2';
}

function factsOf(path: string, scan: McapScan): BagFile {
  const { first_ns, last_ns } = scan;
  const topics = [...scan.channels].map(([id, content]) => topicOf(id, content, scan));
  const messages = topics.reduce((sum, topic) => sum + topic.messages, 0);
  return { path, storage: 'mcap', messages, first_ns, last_ns, topics, compressed: false };
}

function topicOf(id: number, content: Buffer, { schemas, messages }: McapScan): BagTopic {
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

interface DatabasePlan {
  readonly repair: FileRepair;
  /** What the file holds, or will hold; null where it is no bag or nothing of it can be read. */
  readonly facts: BagFile | null;
}

/** A database that SQLite cannot read as a whole is written again, with every row that can be read; null: it is no bag. */
export async function planDatabase(root: string, path: string): Promise<DatabasePlan | null> {
  try {
    return await withDatabase(root, path, async (database) => {
      if (database.typeOf('topics') === null && damageOf(database).length === 0) return null;
      const facts = await countDatabase(database, path);
      const damage = damageOf(database);
      const changes = damage.map(({ code, message }) => ({
        ...{ fix: 'bag-database', answers: [code], path, what: 'messages', episode: null },
        ...{ before: message, after: `${facts.messages} messages that are whole` },
      }));
      if (damage.length === 0) return { repair: { changes, unfixed: [], files: [] }, facts };
      if (facts.messages === 0) return { repair: lost(path, damage[0].message), facts: null };
      return { repair: { changes, unfixed: [], files: await rewritten(root, path) }, facts };
    });
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { repair: lost(path, thrown.message), facts: null };
  }
}

/** The new database holds what the log or journal beside the old one had to say. */
async function rewritten(root: string, path: string): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [
    { does: 'write', path, write: (target) => writeDatabase(root, path, target) },
  ];
  for (const suffix of companionSuffixes)
    if (await exists(join(root, `${path}${suffix}`)))
      files.push({ does: 'remove', path: `${path}${suffix}` });
  return files;
}

function lost(path: string, why: string): FileRepair {
  const unfixed: Unfixed = {
    ...{ code: 'file_unreadable', path, episode: null },
    message: `no message of ${path} can be read: ${why}`,
    advice: 'Fetch the file again from where it was recorded, or record again.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}

/** Codes of findings that a new metadata.yaml answers. */
const answers = [
  'metadata_absent',
  'metadata_unreadable',
  'metadata_count_mismatch',
  'bag_file_unlisted',
  'storage_misnamed',
];

/** A metadata.yaml that says what the files of a bag hold, where it is missing, no YAML, or says otherwise. */
async function planMetadata(root: string, path: string, files: readonly BagFile[]): Promise<FileRepair> {
  const { said, fault } = await readSaid(root, path);
  if (said !== null) {
    const missing = said.files.filter((name) => !files.some((file) => basename(file.path) === name));
    if (missing.length > 0) return incomplete(path, missing);
  }
  const before = said === null ? fault : disagreement(said, files);
  if (before === null) return { changes: [], unfixed: [], files: [] };
  const after = `${sumOf(files)} messages in ${files.map((file) => basename(file.path)).join(', ')}`;
  const change: Change = {
    ...{ fix: 'bag-metadata', answers, path, what: 'the bag', before, after, episode: null },
  };
  const write = (target: string) => writeFile(target, metadataText(files, said));
  return { changes: [change], unfixed: [], files: [{ does: 'write', path, write }] };
}

interface Said {
  readonly said: BagMetadata | null;
  /** Why nothing is said. */
  readonly fault: string | null;
}

async function readSaid(root: string, path: string): Promise<Said> {
  if (!(await exists(join(root, path)))) return { said: null, fault: 'none: the recorder was stopped' };
  try {
    return { said: await parseBagMetadata(await readFile(join(root, path), 'utf8'), path), fault: null };
  } catch (thrown) {
    if (thrown instanceof AssayError && thrown.code === 'unreadable_input')
      return { said: null, fault: thrown.message };
    throw thrown;
  }
}

/** The first thing that is said otherwise than it is; null where all agrees. */
function disagreement(said: BagMetadata, files: readonly BagFile[]): string | null {
  const total = sumOf(files);
  if (said.storage !== files[0].storage) return `storage is ${said.storage || 'not named'}`;
  if (said.messages !== total) return `${said.messages ?? 'no'} messages`;
  for (const { path } of files)
    if (!said.files.includes(basename(path))) return `does not list ${basename(path)}`;
  for (const { path, messages } of files) {
    const declared = said.fileMessages.get(basename(path));
    if (declared !== undefined && declared !== messages) return `${declared} messages in ${basename(path)}`;
  }
  for (const { name, messages } of topicsOf(files)) {
    const declared = said.topicMessages.get(name) ?? 0;
    if (declared !== messages) return `${declared} messages of ${name}`;
  }
  return null;
}

function incomplete(path: string, missing: readonly string[]): FileRepair {
  return {
    changes: [],
    unfixed: [
      {
        ...{ code: 'bag_file_missing', path, episode: null },
        message: `${path} lists ${missing.join(', ')}: not in this folder, or not readable`,
        advice:
          'Copy the whole bag folder again. If those files are lost, delete metadata.yaml and run assay fix once more.',
      },
    ],
    files: [],
  };
}

/** What rosbag2 writes where a bag has no message. */
const noTime_ns = 0x7fffffffffffffffn;

/** metadata.yaml of a bag with these files, in the oldest version that holds all that is known of it. */
function metadataText(files: readonly BagFile[], before: BagMetadata | null): string {
  const topics = topicsOf(files);
  const custom = Object.fromEntries(before?.custom ?? []);
  const distro = before?.rosDistro ?? null;
  const hashed = topics.some(({ type_description_hash }) => type_description_hash !== '');
  const version = distro !== null ? 8 : hashed ? 7 : Object.keys(custom).length > 0 ? 6 : 5;
  const compressed = files.some((file) => file.compressed);
  const bag = {
    ...{ version, storage_identifier: files[0].storage },
    ...spanOf(files),
    message_count: sumOf(files),
    topics_with_message_count: topics.map(({ messages, type_description_hash, ...topic }) => ({
      topic_metadata: { ...topic, ...(version >= 7 && { type_description_hash }) },
      message_count: messages,
    })),
    compression_format: compressed ? 'zstd' : '',
    compression_mode: compressed ? 'MESSAGE' : '',
    relative_file_paths: files.map(({ path }) => basename(path)),
    files: files.map((file) => ({
      path: basename(file.path),
      ...spanOf([file]),
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

function sumOf(files: readonly BagFile[]): number {
  return files.reduce((sum, { messages }) => sum + messages, 0);
}

/** Topics of all files by name, their messages added up. */
function topicsOf(files: readonly BagFile[]): readonly BagTopic[] {
  const topics = new Map<string, BagTopic>();
  for (const topic of files.flatMap((file) => file.topics)) {
    const known = topics.get(topic.name);
    if (known === undefined) topics.set(topic.name, { ...topic });
    else known.messages += topic.messages;
  }
  return [...topics.values()];
}

function spanOf(files: readonly BagFile[]) {
  const first_ns = smallest(files.map((file) => file.first_ns));
  const last_ns = largest(files.map((file) => file.last_ns));
  return {
    duration: { nanoseconds: first_ns === null || last_ns === null ? 0n : last_ns - first_ns },
    starting_time: { nanoseconds_since_epoch: first_ns ?? noTime_ns },
  };
}

type Times = readonly (bigint | null)[];
const smallest = (times: Times) =>
  times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
const largest = (times: Times) => times.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
