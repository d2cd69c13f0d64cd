import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { BagDatabase, BagTableScan } from '../bag-database.ts';
import { integerOf } from './count-database.ts';
import { withDatabase } from './database-files.ts';

/** The tables of rosbag2 and how it declares their columns, in every version; a file has those that it had. */
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

/** Copies every row that is whole into a new database, under its own number. */
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

/** Rows that lack what their table demands are not copied. */
async function copyTable(source: BagDatabase, copy: DatabaseSync, { table, columns }: Table): Promise<void> {
  const had = new Set(source.columns(table));
  const kept = Object.entries(columns).filter(([name]) => had.has(name));
  const names = kept.map(([name]) => name);
  copy.exec(`CREATE TABLE ${table}(${kept.map((column) => column.join(' ')).join(', ')})`);
  const insert = copy.prepare(
    `INSERT OR IGNORE INTO ${table}(${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const scan = source.scan(table, names);
  while (await scan.more()) {
    while (scan.next())
      insert.run(...kept.map(([, declared], slot) => cellOf(source, scan, { slot, declared })));
  }
}

function cellOf(
  source: BagDatabase,
  scan: BagTableScan,
  { slot, declared }: { readonly slot: number; readonly declared: string },
): SQLInputValue {
  const { row } = scan;
  if (declared.startsWith('TEXT')) return source.text(scan, slot);
  if (declared.startsWith('BLOB'))
    return row.isBytes(slot) ? row.bytes.subarray(row.start(slot), row.end(slot)) : null;
  if (row.isInteger(slot)) return integerOf(scan, slot);
  return declared.includes('PRIMARY KEY') ? scan.rowid : null;
}
