/**
 * The limit: the same columns of the same files, scanned by DuckDB and copied into typed arrays, nothing more.
 * Run as a process of its own: bare-scan.ts FOLDER.
 */
import { DuckDBInstance } from '@duckdb/node-api';

const folder = process.argv[2];
const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const columns = 'episode_index, timestamp, "observation.state", action';
const result = await connection.stream(`SELECT ${columns} FROM read_parquet('${folder}/data/*/*.parquet')`);
let rows = 0;
let kept = 0;
for (;;) {
  const chunk = await result.fetchChunk();
  if (chunk === null || chunk.rowCount === 0) break;
  rows += chunk.rowCount;
  for (const column of [2, 3]) {
    const floats: Float32Array = Reflect.get(
      Reflect.get(chunk.getColumnVector(column), 'childData'),
      'items',
    );
    kept += floats.slice(0, chunk.rowCount * 6).length;
  }
  const times: Float32Array = Reflect.get(chunk.getColumnVector(1), 'items');
  kept += times.slice(0, chunk.rowCount).length;
}
console.log(JSON.stringify({ rows, kept }));
