import duckdb, { type DataChunk, type Connection as Handle, type Result } from '@duckdb/node-bindings';

/**
 * Connection to DuckDB through its bindings: the classes of `@duckdb/node-api` are nearly two hundred modules, which
 * every thread would load again.
 */
export class Connection {
  readonly #handle: Handle;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Runs a query and materialises its result. */
  async run(sql: string): Promise<QueryResult> {
    return new QueryResult(await duckdb.query(this.#handle, sql));
  }

  /** Runs a query whose rows are produced as they are fetched. */
  async stream(sql: string): Promise<QueryResult> {
    const { extracted_statements } = await duckdb.extract_statements(this.#handle, sql);
    const prepared = await duckdb.prepare_extracted_statement(this.#handle, extracted_statements, 0);
    try {
      return new QueryResult(await duckdb.execute_prepared_streaming(prepared));
    } finally {
      duckdb.destroy_prepare_sync(prepared);
    }
  }

  /** Interrupts the running query, which then fails. */
  interrupt(): void {
    duckdb.interrupt(this.#handle);
  }

  close(): void {
    duckdb.disconnect_sync(this.#handle);
  }
}

/** An in-memory DuckDB database. */
export interface Database {
  connect(): Promise<Connection>;
  /** Frees its memory; all connections must be closed. */
  close(): void;
}

/** Column of a query result; types are DuckDB type ids. */
export interface ResultColumn {
  readonly name: string;
  readonly type: number;
  /** Element type of a list column; `null` for other columns. */
  readonly entryType: number | null;
}

/** Result of a query, fetched chunk by chunk. */
export class QueryResult {
  readonly #result: Result;
  readonly columns: readonly ResultColumn[];

  constructor(result: Result) {
    this.#result = result;
    const count = duckdb.column_count(result);
    this.columns = Array.from({ length: count }, (_, at) => readColumn(result, at));
  }

  /** Returns the next chunk of at most 2,048 rows; `null` at the end. */
  async fetch(): Promise<DataChunk | null> {
    const chunk = await duckdb.fetch_chunk(this.#result);
    return chunk === null || duckdb.data_chunk_get_size(chunk) === 0 ? null : chunk;
  }
}

function readColumn(result: Result, at: number): ResultColumn {
  const type = duckdb.column_type(result, at);
  const name = duckdb.column_name(result, at);
  if (type !== duckdb.Type.LIST) return { name, type, entryType: null };
  const entry = duckdb.list_type_child_type(duckdb.column_logical_type(result, at));
  return { name, type, entryType: duckdb.get_type_id(entry) };
}

/** Opens a new DuckDB database in memory with these DuckDB settings; the caller closes it. */
export async function openDatabase(settings: Readonly<Record<string, string>>): Promise<Database> {
  const config = duckdb.create_config();
  for (const [name, value] of Object.entries(settings)) duckdb.set_config(config, name, value);
  const database = await duckdb.open(':memory:', config);
  return {
    connect: async () => new Connection(await duckdb.connect(database)),
    close: () => duckdb.close_sync(database),
  };
}
