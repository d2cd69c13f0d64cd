import type { DatabaseSync } from 'node:sqlite';
import { type StoredDatabase, storedDatabase } from '@assay/sqlite-reader/testing';

interface TestTopic {
  readonly name: string;
  readonly type: string;
  /** `cdr` when absent. */
  readonly format?: string;
  readonly qos?: string;
  /** Kept from schema version 4 on. */
  readonly definition?: string;
}

export interface TestBag {
  /** Layout of the tables, 1 to 4; 4 when absent. */
  readonly schema?: number;
  readonly topics: readonly TestTopic[];
  /** Topics by their place in the list. */
  readonly messages: readonly (readonly [topic: number, time_ns: bigint, data: Uint8Array])[];
  /** Run before anything is written, and after everything is. */
  readonly before?: string;
  readonly after?: string;
}

/** The tables as rosbag2 creates them, by version. */
function fillBag(database: DatabaseSync, { schema = 4, topics, messages, before, after }: TestBag): void {
  if (before !== undefined) database.exec(before);
  const qos = schema >= 2 ? ', offered_qos_profiles TEXT NOT NULL' : '';
  const hash = schema >= 4 ? ', type_description_hash TEXT NOT NULL' : '';
  database.exec(
    `CREATE TABLE topics(id INTEGER PRIMARY KEY,name TEXT NOT NULL,type TEXT NOT NULL,serialization_format TEXT NOT NULL${qos}${hash});
     CREATE TABLE messages(id INTEGER PRIMARY KEY,topic_id INTEGER NOT NULL,timestamp INTEGER NOT NULL, data BLOB NOT NULL);
     CREATE INDEX timestamp_idx ON messages (timestamp ASC)`,
  );
  if (schema >= 3) {
    database.exec(
      `CREATE TABLE schema(schema_version INTEGER PRIMARY KEY,ros_distro TEXT NOT NULL);
       INSERT INTO schema VALUES (${schema}, 'rolling');
       CREATE TABLE metadata(id INTEGER PRIMARY KEY,metadata_version INTEGER NOT NULL,metadata TEXT NOT NULL)`,
    );
  }
  if (schema >= 4) {
    database.exec(
      'CREATE TABLE message_definitions(id INTEGER PRIMARY KEY,topic_type TEXT NOT NULL,encoding TEXT NOT NULL,encoded_message_definition TEXT NOT NULL,type_description_hash TEXT NOT NULL)',
    );
  }
  for (const [i, topic] of topics.entries()) {
    const values = [
      i + 1,
      topic.name,
      topic.type,
      topic.format ?? 'cdr',
      ...(schema >= 2 ? [topic.qos ?? ''] : []),
      ...(schema >= 4 ? ['RIHS01_0'] : []),
    ];
    database.prepare(`INSERT INTO topics VALUES (${values.map(() => '?').join(',')})`).run(...values);
    if (schema < 4 || topic.definition === undefined) continue;
    database
      .prepare('INSERT INTO message_definitions VALUES (NULL, ?, ?, ?, ?)')
      .run(topic.type, 'ros2msg', topic.definition, 'RIHS01_0');
  }
  const insert = database.prepare('INSERT INTO messages VALUES (NULL, ?, ?, ?)');
  database.exec('BEGIN');
  for (const [topic, time_ns, data] of messages) insert.run(topic + 1, time_ns, data);
  database.exec('COMMIT');
  if (after !== undefined) database.exec(after);
}

export function bagBytes(bag: TestBag): Uint8Array {
  return storedBag(bag).main;
}

/** Returns the files of a bag; with `open` as after a killed recorder, including SQLite's journal files. */
export function storedBag(bag: TestBag, when: 'closed' | 'open' = 'closed'): StoredDatabase {
  return storedDatabase((database) => fillBag(database, bag), when);
}

const start_ns = 1_700_000_000_000_000_000n;

/** `std_msgs/msg/Float64` in CDR. */
export function float64Message(value: number): Uint8Array {
  const bytes = new Uint8Array(12);
  bytes[1] = 1;
  new DataView(bytes.buffer).setFloat64(4, value, true);
  return bytes;
}

/** A bag of `count` numbers on `/level`, 100 a second, from `from` on. */
export function levels(count: number, from = 0, settings: Partial<TestBag> = {}): TestBag {
  return {
    topics: [{ name: '/level', type: 'std_msgs/msg/Float64' }],
    messages: Array.from(
      { length: count },
      (_, i) => [0, levelTime(from + i), float64Message(from + i)] as const,
    ),
    ...settings,
  };
}

export const levelTime = (i: number): bigint => start_ns + BigInt(i) * 10_000_000n;

export interface TestMetadata {
  readonly version: number;
  readonly files: readonly string[];
  readonly messages: number;
  readonly storage?: string;
  readonly compression?: 'file' | 'message';
  readonly format?: string;
  readonly custom?: Readonly<Record<string, string>>;
}

/** metadata.yaml with the fields that its version has, about a bag of `/level`. */
export function bagMetadata(bag: TestMetadata): string {
  const { version, files, messages } = bag;
  const qos =
    version >= 9
      ? '\n        - history: keep_last\n          durability: volatile'
      : ' "- history: 3\\n  durability: 2"';
  const lines = [
    'rosbag2_bagfile_information:',
    `  version: ${version}`,
    `  storage_identifier: ${bag.storage ?? 'sqlite3'}`,
    `  duration:\n    nanoseconds: 1000`,
    `  starting_time:\n    nanoseconds_since_epoch: ${start_ns}`,
    `  message_count: ${messages}`,
    '  topics_with_message_count:',
    '    - topic_metadata:',
    '        name: /level\n        type: std_msgs/msg/Float64',
    `        serialization_format: ${bag.format ?? 'cdr'}`,
    ...(version >= 4 ? [`        offered_qos_profiles:${qos}`] : []),
    ...(version >= 7 ? ['        type_description_hash: RIHS01_0'] : []),
    `      message_count: ${messages}`,
    ...(version >= 3
      ? [
          `  compression_format: "${bag.compression === undefined ? '' : 'zstd'}"`,
          `  compression_mode: "${(bag.compression ?? '').toUpperCase()}"`,
        ]
      : []),
    '  relative_file_paths:',
    ...files.map((file) => `    - ${file}`),
    ...(version >= 5
      ? [
          '  files:',
          ...files.map((file) => `    - path: ${file}\n      message_count: ${messages / files.length}`),
        ]
      : []),
    ...(version >= 6 && bag.custom !== undefined
      ? ['  custom_data:', ...Object.entries(bag.custom).map(([key, text]) => `    ${key}: ${text}`)]
      : []),
    ...(version >= 8 ? ['  ros_distro: rolling'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
