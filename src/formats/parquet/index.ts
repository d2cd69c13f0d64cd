/** Reading Parquet by DuckDB, for those who mend files. */
export { type Chunk, chunks, rows } from './chunks.ts';
export { parquetSource, sqlName, sqlText } from './duck.ts';
export { type ParquetColumn, parquetColumns, parquetKeyValues } from './footer.ts';
