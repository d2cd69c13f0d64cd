import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Finding } from '#core/episode';
import { exists } from '../shared/fix/journal-files.ts';
import { type BagDatabase, type BagTableScan, openDatabase as openBagDatabase } from './bag-database.ts';

/** Tables and column types of rosbag2 of all versions; a rewritten file gets those that its source has. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  schema: { schema_version: 'INTEGER PRIMARY KEY', ros_distro: 'TEXT NOT NULL' },
  metadata: {
    id: 'INTEGER PRIMARY KEY',
    metadata_version: 'INTEGER NOT NULL',
    metadata: 'TEXT NOT NULL',
  },
  topics: {
    id: 'INTEGER PRIMARY KEY',
    name: 'TEXT NOT NULL',
    type: 'TEXT NOT NULL',
    serialization_format: 'TEXT NOT NULL',
    offered_qos_profiles: 'TEXT NOT NULL',
    type_description_hash: 'TEXT NOT NULL',
  },
  message_definitions: {
    id: 'INTEGER PRIMARY KEY',
    topic_type: 'TEXT NOT NULL',
    encoding: 'TEXT NOT NULL',
    encoded_message_definition: 'TEXT NOT NULL',
    type_description_hash: 'TEXT NOT NULL',
  },
  messages: {
    id: 'INTEGER PRIMARY KEY',
    topic_id: 'INTEGER NOT NULL',
    timestamp: 'INTEGER NOT NULL',
    data: 'BLOB NOT NULL',
  },
};

/**
 * Writes a new database to `target` with every intact row of the source under its own row id, except messages of
 * unknown topics.
 */
export async function writeDatabase(root: string, path: string, target: string): Promise<void> {
  await withDatabase(root, path, async (source) => {
    const copy = new DatabaseSync(target);
    try {
      copy.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
      for (const [table, columns] of Object.entries(tables))
        if (source.typeOf(table) === 'table') await copyTable(source, copy, { table, columns });
      copy.exec(
        `DELETE FROM messages WHERE topic_id NOT IN (SELECT id FROM topics);
         CREATE INDEX timestamp_idx ON messages (timestamp ASC); COMMIT`,
      );
    } finally {
      copy.close();
    }
  });
}

interface Table {
  readonly table: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** Copies one table; rows that violate its NOT NULL constraints are skipped. */
async function copyTable(source: BagDatabase, copy: DatabaseSync, { table, columns }: Table): Promise<void> {
  const had = new Set(source.columns(table));
  const copied = Object.entries(columns).filter(([name]) => had.has(name));
  const names = copied.map(([name]) => name);
  copy.exec(`CREATE TABLE ${table}(${copied.map((column) => column.join(' ')).join(', ')})`);
  const insert = copy.prepare(
    `INSERT OR IGNORE INTO ${table}(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const scan = source.scan(table, names);
  while (await scan.more()) {
    while (scan.next())
      insert.run(...copied.map(([, declared], slot) => readCell(source, scan, { slot, declared })));
  }
}

/** Returns the value of a cell by its declared column type; null if it has another type. */
function readCell(
  source: BagDatabase,
  scan: BagTableScan,
  { slot, declared }: { readonly slot: number; readonly declared: string },
): SQLInputValue {
  const { row } = scan;
  if (declared.startsWith('TEXT')) return source.text(scan, slot);
  if (declared.startsWith('BLOB'))
    return row.isBytes(slot) ? row.bytes.subarray(row.start(slot), row.end(slot)) : null;
  if (row.isInteger(slot)) return readInteger(scan, slot);
  return declared.includes('PRIMARY KEY') ? scan.rowid : null;
}

/** Suffixes of the files that SQLite keeps beside an open database. */
export const companionSuffixes = ['-wal', '-journal', '-shm'] as const;

/**
 * Opens a database with its write-ahead log or journal, returns the result of `use`, and closes all files afterwards.
 */
export async function withDatabase<T>(
  root: string,
  path: string,
  use: (database: BagDatabase) => Promise<T>,
): Promise<T> {
  const opened: FileHandle[] = [];
  const sized = async (name: string) => {
    const file = await open(join(root, name), 'r');
    opened.push(file);
    return { file, bytes: (await file.stat()).size };
  };
  const beside = async (suffix: string) =>
    (await exists(join(root, `${path}${suffix}`))) ? sized(`${path}${suffix}`) : null;
  try {
    const [wal, journal] = [await beside('-wal'), await beside('-journal')];
    return await use(await openBagDatabase({ path, main: await sized(path), wal, journal }));
  } finally {
    for (const file of opened) await file.close();
  }
}

/** Returns the findings that keep SQLite from reading the whole database. */
export function listDamage({ problems }: BagDatabase): readonly Finding[] {
  return problems.all().filter(({ severity }) => severity === 'error');
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/**
 * Counts the intact messages of a database by topic, with their time range; damage is collected in its `problems`.
 * Throws `unreadable_input` if the tables cannot be read.
 */
export async function countDatabase(database: BagDatabase, path: string): Promise<BagFile> {
  const topics = await readTopics(database);
  const times = new TimeRange();
  let messages = 0;
  let framed = 0;
  const scan = database.scan('messages', ['topic_id', 'timestamp', 'data']);
  while (await scan.more()) {
    while (scan.next()) {
      const topic = isMessage(scan) ? topics.get(scan.row.number(0)) : undefined;
      if (topic === undefined) continue;
      topic.messages++;
      messages++;
      times.add(scan);
      const start = scan.row.start(2);
      if (zstdMagic.equals(scan.row.bytes.subarray(start, Math.min(start + 4, scan.row.end(2))))) framed++;
    }
  }
  return {
    ...{ path, storage: 'sqlite3', messages, topics: [...topics.values()] },
    ...{ first_ns: times.first_ns, last_ns: times.last_ns, compressed: messages > 0 && framed === messages },
  };
}

/** Returns true if a row of `topic_id, timestamp, data` has the types of a message. */
function isMessage({ row }: BagTableScan): boolean {
  return row.isInteger(0) && row.isInteger(1) && row.isBytes(2);
}

function readInteger({ row }: BagTableScan, slot: number): bigint {
  return (BigInt(row.high(slot)) << 32n) + BigInt(row.low(slot));
}

async function readTopics(database: BagDatabase): Promise<Map<number, BagTopic>> {
  const columns = [
    'id',
    'name',
    'type',
    'serialization_format',
    'offered_qos_profiles',
    'type_description_hash',
  ];
  const scan = database.scan('topics', columns);
  const topics = new Map<number, BagTopic>();
  while (await scan.more()) {
    while (scan.next()) {
      const [name, type, serialization_format, offered_qos_profiles, type_description_hash] = [
        1, 2, 3, 4, 5,
      ].map((slot) => database.text(scan, slot) ?? '');
      const id = scan.row.isNull(0) ? scan.rowid : scan.row.number(0);
      topics.set(id, {
        ...{ name, type, serialization_format, offered_qos_profiles, type_description_hash, messages: 0 },
      });
    }
  }
  return topics;
}

/** First and last time of the added rows, exact to the nanosecond. */
class TimeRange {
  first_ns: bigint | null = null;
  last_ns: bigint | null = null;
  #nearestFirst = Number.POSITIVE_INFINITY;
  #nearestLast = Number.NEGATIVE_INFINITY;

  add(scan: BagTableScan): void {
    const nearest = scan.row.number(1);
    if (nearest > this.#nearestFirst && nearest < this.#nearestLast) return;
    const time_ns = readInteger(scan, 1);
    if (this.first_ns === null || time_ns < this.first_ns) this.first_ns = time_ns;
    if (this.last_ns === null || time_ns > this.last_ns) this.last_ns = time_ns;
    this.#nearestFirst = Math.min(this.#nearestFirst, nearest);
    this.#nearestLast = Math.max(this.#nearestLast, nearest);
  }
}

/** A topic of one bag file, with the fields of metadata.yaml. */
export interface BagTopic {
  readonly name: string;
  readonly type: string;
  readonly serialization_format: string;
  /** QoS profiles as the recorder stored them (YAML text); empty if the file has none. */
  readonly offered_qos_profiles: string;
  readonly type_description_hash: string;
  messages: number;
}

/** Content of one bag file, counted in the file itself, as metadata.yaml describes it. */
export interface BagFile {
  /** Path relative to the dataset. */
  readonly path: string;
  readonly storage: 'mcap' | 'sqlite3';
  readonly messages: number;
  /** Log times of the first and last message; null without messages. */
  readonly first_ns: bigint | null;
  readonly last_ns: bigint | null;
  readonly topics: readonly BagTopic[];
  /** True if every message is a zstd frame. */
  readonly compressed: boolean;
}
