import { isUtf8 } from 'node:buffer';
import { AssayError, messageOf } from '#core';
import type { SourceTree } from '#io/sources';
import { folderOf } from '../file-names.ts';

/**
 * Metadata of a ROS 2 bag as rosbag2 writes it: metadata.yaml next to the files, or the same text in a metadata record.
 */
export interface BagMetadata {
  readonly version: number | null;
  readonly storage: string;
  readonly messages: number | null;
  /** Base names of the bag's files, in recording order. */
  readonly files: readonly string[];
  readonly fileMessages: ReadonlyMap<string, number>;
  readonly topicMessages: ReadonlyMap<string, number>;
  /** Serialization format by topic, such as `cdr`. */
  readonly topicFormats: ReadonlyMap<string, string>;
  /** Custom data of the recorder (since version 6). */
  readonly custom: ReadonlyMap<string, string>;
  /** `none`, `file`, `message` or empty. */
  readonly compressionMode: string;
  /** `zstd` or empty. */
  readonly compressionFormat: string;
  readonly rosDistro: string | null;
  /** Keys that readers of bags require and that are absent. */
  readonly absentKeys: readonly string[];
}

const maxCharacters = 4 * 1024 * 1024;
/** Digits of the longest integer that Python parses. */
const maxDigits = 4300;
/** Nesting that `rosbags` 0.11 still loads is 491 levels (measured). */
const maxNesting = 490;
/** Keys without which `rosbags` does not open a bag. */
const requiredKeys = [
  'version',
  'storage_identifier',
  'relative_file_paths',
  'duration',
  'starting_time',
  'message_count',
  'topics_with_message_count',
];

/**
 * Parses the metadata.yaml of a ROS 2 bag, with absent fields as `null` or empty; throws `unreadable_input` if readers
 * of bags refuse it as YAML or it does not describe a bag. It is given as bytes, or as text if it is part of another
 * file.
 * @throws AssayError `limit_exceeded` above 4 MiB
 */
export async function parseBagMetadata(source: string | Uint8Array, path: string): Promise<BagMetadata> {
  if (source.length > maxCharacters) {
    throw new AssayError('limit_exceeded', `${path} is longer than ${maxCharacters} characters`, { path });
  }
  const document = await parseYaml(source, path);
  const bag = field(document, 'rosbag2_bagfile_information') ?? document;
  if (field(bag, 'message_count') === undefined && field(bag, 'relative_file_paths') === undefined) {
    throw new AssayError('unreadable_input', `${path} does not describe a ROS 2 bag`, { path });
  }
  return {
    absentKeys: requiredKeys.filter((key) => field(bag, key) === undefined),
    version: number(field(bag, 'version')),
    storage: string(field(bag, 'storage_identifier')),
    messages: number(field(bag, 'message_count')),
    // Old versions prefix the names with the bag's folder.
    files: list(field(bag, 'relative_file_paths')).map((item) => baseName(string(item))),
    fileMessages: sumCounts(field(bag, 'files'), (row) => baseName(string(field(row, 'path')))),
    topicMessages: sumCounts(field(bag, 'topics_with_message_count'), (row) =>
      string(field(field(row, 'topic_metadata'), 'name')),
    ),
    topicFormats: new Map(
      list(field(bag, 'topics_with_message_count'))
        .map((row) => field(row, 'topic_metadata'))
        .map((topic) => [string(field(topic, 'name')), string(field(topic, 'serialization_format'))]),
    ),
    custom: stringMap(field(bag, 'custom_data')),
    compressionMode: string(field(bag, 'compression_mode')).toLowerCase(),
    compressionFormat: string(field(bag, 'compression_format')).toLowerCase(),
    rosDistro: string(field(bag, 'ros_distro')) || null,
  };
}

async function parseYaml(source: string | Uint8Array, path: string): Promise<unknown> {
  const refuse = (why: string) => new AssayError('unreadable_input', `${path} ${why}`, { path });
  if (typeof source !== 'string' && !isUtf8(source)) throw refuse('is not valid UTF-8');
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  const { parseDocument } = await import('yaml');
  try {
    // The parser does not end lines at a lone \r, as YAML does.
    const document = parseDocument(text.replace(/\r\n?/g, '\n'), { schema: 'core', logLevel: 'error' });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    const value: unknown = document.toJS({ maxAliasCount: 16 });
    if (isNestedDeeper(value, maxNesting)) throw new Error(`nested more than ${maxNesting} levels deep`);
    if (new RegExp(`(?<![\\d.eE+])\\d{${maxDigits + 1}}(?![\\d.eE])`).test(text))
      throw new Error(`an integer with more than ${maxDigits} digits`);
    return value;
  } catch (thrown) {
    throw refuse(`is not valid YAML: ${messageOf(thrown)}`);
  }
}

/** Returns whether lists and objects are nested deeper than `levels`. */
function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function sumCounts(rows: unknown, key: (row: unknown) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of list(rows)) {
    const count = number(field(row, 'message_count'));
    if (count !== null) found.set(key(row), (found.get(key(row)) ?? 0) + count);
  }
  return found;
}

function stringMap(value: unknown): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  return new Map(Object.entries(value).map(([key, text]) => [key, string(text)]));
}

function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * Returns the files of a split bag by the recorder's file number (`…_2` before `…_10`), or in the given order if stems
 * differ or numbers are absent or repeated.
 *
 * Lists of reindexed bags are often alphabetical.
 */
export function orderSplitFiles(files: readonly string[]): string[] {
  const numbered = files.map((path) => ({ path, ...parseSplitName(path) }));
  const stems = new Set(numbered.map(({ stem }) => stem));
  const numbers = new Set(numbered.map(({ number }) => number));
  if (stems.size !== 1 || numbers.size !== files.length || numbers.has(null)) return [...files];
  return numbered.sort((a, b) => Number(a.number) - Number(b.number)).map(({ path }) => path);
}

/**
 * Splits a file name into stem and number: `talk_12.db3.zstd` gives `talk` and 12; without a number, `stem` is the path
 * and `number` is `null`.
 */
export function parseSplitName(path: string): { readonly stem: string; readonly number: number | null } {
  const match = /^(.*)_(\d{1,9})((?:\.[a-z0-9]+)*)$/i.exec(baseName(path));
  return match === null ? { stem: path, number: null } : { stem: match[1], number: Number(match[2]) };
}

/**
 * True if the offered QoS profiles of a topic have durability `transient_local`, so that late subscribers, including
 * the recorder, receive the last message. Before metadata version 9 the value is a number of
 * rmw_qos_durability_policy_e.
 */
export function isLatched(offeredQosProfiles: string): boolean {
  return /\bdurability:\s*(1|transient_local)\b/.test(offeredQosProfiles);
}

/** Name of the metadata file of a ROS 2 bag, next to its recordings. */
export const sidecarName = 'metadata.yaml';

/** True if the path is a metadata.yaml. */
export function isSidecar(path: string): boolean {
  return baseName(path) === sidecarName;
}

/** Joins a folder ('' for the root) and a file name. */
export function joinFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Returns the last part of a path: all of it if it has no slash. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the path without a `.zstd` or `.zst` extension. */
export function uncompressedName(path: string): string {
  return path.replace(/\.(zstd|zst)$/i, '');
}

/**
 * Returns the files without read permission that match `pattern` and lie in the folder of an existing metadata.yaml.
 */
export function findClosedBagFiles(tree: SourceTree, sidecars: readonly string[], pattern: RegExp): string[] {
  const bags = new Set(sidecars.filter((path) => tree.has(path)).map(folderOf));
  return tree.files.flatMap(({ path, closed }) =>
    closed === true && pattern.test(path) && bags.has(folderOf(path)) ? [path] : [],
  );
}
