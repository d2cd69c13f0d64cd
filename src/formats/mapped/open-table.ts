import type { SourceTree } from '#io/sources';
import { openCsv } from './csv-table.ts';
import type { Mapping } from './mapping.ts';
import { openParquet } from './parquet-table.ts';
import type { Table } from './table.ts';

/**
 * Opens a table: as Parquet if its first bytes are those of one, else as CSV.
 * @throws AssayError `unreadable_input` or `limit_exceeded`
 */
export async function openTable(tree: SourceTree, path: string, csv: Mapping['csv']): Promise<Table> {
  const head = await tree.head(path, 4);
  const isParquet = Buffer.from(head).toString('latin1') === 'PAR1';
  return isParquet ? openParquet(tree, path) : openCsv(tree, path, csv);
}
