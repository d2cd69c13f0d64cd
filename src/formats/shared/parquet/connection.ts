import duckdb, { type DataChunk, type Connection as Handle, type Result } from '@duckdb/node-bindings';

/**
 * The engine by its bindings: the classes of `@duckdb/node-api` around them are nearly two hundred modules, which every
 * thread would load anew.
 */
export class Connection {
  readonly #handle: Handle;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  /** Runs a query and holds its whole answer. */
  async run(sql: string): Promise<Answer> {
    return new Answer(await duckdb.query(this.#handle, sql));
  }

  /** Runs a query whose rows come as they are fetched. */
  async stream(sql: string): Promise<Answer> {
    const { extracted_statements } = await duckdb.extract_statements(this.#handle, sql);
    const prepared = await duckdb.prepare_extracted_statement(this.#handle, extracted_statements, 0);
    try {
      return new Answer(await duckdb.execute_prepared_streaming(prepared));
    } finally {
      duckdb.destroy_prepare_sync(prepared);
    }
  }

  /** Ends the query under way, which then fails. */
  interrupt(): void {
    duckdb.interrupt(this.#handle);
  }

  close(): void {
    duckdb.disconnect_sync(this.#handle);
  }
}

/** An in-memory database. */
export interface Database {
  connect(): Promise<Connection>;
  /** Frees its memory, once its connections are closed. */
  close(): void;
}

/** A column of an answer; types are numbers of the engine's own list. */
export interface AnswerColumn {
  readonly name: string;
  readonly type: number;
  /** Type of the entries of a list; null where it is none. */
  readonly entryType: number | null;
}

export class Answer {
  readonly #result: Result;
  readonly columns: readonly AnswerColumn[];

  constructor(result: Result) {
    this.#result = result;
    const count = duckdb.column_count(result);
    this.columns = Array.from({ length: count }, (_, at) => columnOf(result, at));
  }

  /** The next rows, at most 2,048; null at the end. */
  async fetch(): Promise<DataChunk | null> {
    const chunk = await duckdb.fetch_chunk(this.#result);
    return chunk === null || duckdb.data_chunk_get_size(chunk) === 0 ? null : chunk;
  }
}

function columnOf(result: Result, at: number): AnswerColumn {
  const type = duckdb.column_type(result, at);
  const name = duckdb.column_name(result, at);
  if (type !== duckdb.Type.LIST) return { name, type, entryType: null };
  const entry = duckdb.list_type_child_type(duckdb.column_logical_type(result, at));
  return { name, type, entryType: duckdb.get_type_id(entry) };
}

/** A new in-memory database with the given settings. */
export async function openDatabase(settings: Readonly<Record<string, string>>): Promise<Database> {
  const config = duckdb.create_config();
  for (const [name, value] of Object.entries(settings)) duckdb.set_config(config, name, value);
  const database = await duckdb.open(':memory:', config);
  return {
    connect: async () => new Connection(await duckdb.connect(database)),
    close: () => duckdb.close_sync(database),
  };
}
