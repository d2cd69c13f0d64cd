import { AssayError, messageOf } from '#core';
import { baseName } from './sidecar.ts';

/** What rosbag2 wrote of a bag: metadata.yaml beside the files, or the same text in a metadata record. */
export interface BagMetadata {
  readonly version: number | null;
  readonly storage: string;
  readonly messages: number | null;
  /** Base names, in the order of recording. */
  readonly files: readonly string[];
  readonly fileMessages: ReadonlyMap<string, number>;
  readonly topicMessages: ReadonlyMap<string, number>;
  /** `cdr`, by topic. */
  readonly topicFormats: ReadonlyMap<string, string>;
  /** What the recorder was told to write down with it (since version 6). */
  readonly custom: ReadonlyMap<string, string>;
  /** `none`, `file`, `message`, or empty. */
  readonly compressionMode: string;
  /** `zstd`, or empty. */
  readonly compressionFormat: string;
  readonly rosDistro: string | null;
}

const maxCharacters = 4 * 1024 * 1024;

/** Throws `unreadable_input` when the text is no YAML or does not describe a bag. */
export async function parseBagMetadata(text: string, path: string): Promise<BagMetadata> {
  if (text.length > maxCharacters) {
    throw new AssayError('limit_exceeded', `${path} is longer than ${maxCharacters} characters`, { path });
  }
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 16, schema: 'core', logLevel: 'error' });
  } catch (thrown) {
    throw new AssayError('unreadable_input', `${path} is no YAML: ${messageOf(thrown)}`, { path });
  }
  const bag = field(document, 'rosbag2_bagfile_information') ?? document;
  if (field(bag, 'message_count') === undefined && field(bag, 'relative_file_paths') === undefined) {
    throw new AssayError('unreadable_input', `${path} does not describe a ROS 2 bag`, { path });
  }
  return {
    version: number(field(bag, 'version')),
    storage: string(field(bag, 'storage_identifier')),
    messages: number(field(bag, 'message_count')),
    // Old versions put the bag's folder in front.
    files: list(field(bag, 'relative_file_paths')).map((item) => baseName(string(item))),
    fileMessages: counts(field(bag, 'files'), (row) => baseName(string(field(row, 'path')))),
    topicMessages: counts(field(bag, 'topics_with_message_count'), (row) =>
      string(field(field(row, 'topic_metadata'), 'name')),
    ),
    topicFormats: new Map(
      list(field(bag, 'topics_with_message_count'))
        .map((row) => field(row, 'topic_metadata'))
        .map((topic) => [string(field(topic, 'name')), string(field(topic, 'serialization_format'))]),
    ),
    custom: texts(field(bag, 'custom_data')),
    compressionMode: string(field(bag, 'compression_mode')).toLowerCase(),
    compressionFormat: string(field(bag, 'compression_format')).toLowerCase(),
    rosDistro: string(field(bag, 'ros_distro')) || null,
  };
}

function counts(rows: unknown, key: (row: unknown) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of list(rows)) {
    const count = number(field(row, 'message_count'));
    if (count !== null) found.set(key(row), (found.get(key(row)) ?? 0) + count);
  }
  return found;
}

function texts(value: unknown): Map<string, string> {
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
