/** What keeps a database, or one of its tables, from being read. */
export type SqliteErrorKind = 'damaged' | 'no_table' | 'not_run' | 'unsupported_table';

/** The only error that this package throws for what a file says; errors of the source pass as they are. */
export class SqliteError extends Error {
  /**
   * `damaged`: no SQLite file, or one whose header cannot be. `no_table`: nothing has the name. `not_run`: it has, and
   * is a view or a table of an extension. `unsupported_table`: its rows are stored in a way that is not read.
   */
  readonly kind: SqliteErrorKind;
  /** The file; null where a definition alone was read. */
  readonly path: string | null;
  /** What whoever has the file can do next; null: nothing to say. */
  readonly advice: string | null;

  constructor(kind: SqliteErrorKind, message: string, path: string | null, advice: string | null) {
    super(message);
    this.name = 'SqliteError';
    this.kind = kind;
    this.path = path;
    this.advice = advice;
  }
}

/** What to do with a table that is not read. */
export const plainTable = 'write the rows to an ordinary table';
