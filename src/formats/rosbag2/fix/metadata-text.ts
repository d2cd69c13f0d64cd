import { basename } from 'node:path/posix';
import { stringify } from 'yaml';
import type { BagMetadata } from '../../shared/bags/bag-metadata.ts';
import type { BagFile, BagTopic } from './bag-file.ts';

/** What rosbag2 writes where a bag has no message. */
const noTime_ns = 0x7fffffffffffffffn;

/** metadata.yaml of a bag with these files, in the oldest version that holds all that is known of it. */
export function metadataText(files: readonly BagFile[], before: BagMetadata | null): string {
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

export function sumOf(files: readonly BagFile[]): number {
  return files.reduce((sum, { messages }) => sum + messages, 0);
}

/** Topics of all files by name, their messages added up. */
export function topicsOf(files: readonly BagFile[]): readonly BagTopic[] {
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
