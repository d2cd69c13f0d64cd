import { AssayError } from '#core';
import type { BagDatabase } from '../bag-database.ts';

/** The newest layout of tables that rosbag2 writes, and all that is known of. */
export const newestSchema = 4;

/** Which layout of tables a file has: kept in it since version 3, told by its columns before. */
export async function schemaVersion(database: BagDatabase): Promise<number> {
  if (database.typeOf('schema') === 'table') {
    const scan = database.scan('schema', ['schema_version']);
    while (await scan.more()) {
      if (scan.next()) return scan.row.isNull(0) ? scan.rowid : scan.row.number(0);
    }
  }
  return database.columns('topics').includes('offered_qos_profiles') ? 2 : 1;
}

/** The copy of metadata.yaml that the recorder keeps in the file since version 3; the last one written counts. */
export async function embeddedMetadata(database: BagDatabase): Promise<string | null> {
  if (database.typeOf('metadata') !== 'table') return null;
  const scan = database.scan('metadata', ['metadata']);
  let last: string | null = null;
  for (let rows = 0; rows < 1024 && (await scan.more()); ) {
    while (scan.next()) {
      last = database.text(scan, 0) ?? last;
      rows++;
    }
  }
  return last;
}

/** Throws `unreadable_input` where the tables lack a column without which no message can be read. */
export function demandColumns(database: BagDatabase): void {
  const { path } = database.problems;
  for (const [table, columns] of [
    ['topics', ['name', 'type', 'serialization_format']],
    ['messages', ['topic_id', 'timestamp', 'data']],
  ] as const) {
    const missing = columns.filter((column) => !database.columns(table).includes(column));
    if (missing.length === 0) continue;
    throw new AssayError('unreadable_input', `${path}: its table ${table} has no ${missing.join(', ')}`, {
      path,
      advice: 'fetch the file again; a bag of rosbag2 has these columns',
    });
  }
}
