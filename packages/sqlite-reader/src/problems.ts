/** Something a file gets wrong that does not keep the rest of it from being read. */
export interface SqliteProblem {
  /** `file_truncated`, `page_damaged`, `wal_applied`, `wal_unusable`, `journal_applied`, `journal_unusable`. */
  readonly code: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly path: string | null;
  readonly message: string;
  readonly advice: string;
}

/** Where problems go; a program may give a list of its own. */
export interface Problems {
  /** The database's file, for messages. */
  readonly path: string;
  report(code: string, severity: SqliteProblem['severity'], message: string, advice: string): void;
  all(): readonly { readonly message: string }[];
}

const keptOfACode = 4;

/** Problems of one file; of each code only the first few are kept, so that a broken file cannot fill memory. */
export class ProblemList implements Problems {
  readonly path: string;
  readonly #kept: SqliteProblem[] = [];
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    this.path = path;
  }

  report(code: string, severity: SqliteProblem['severity'], message: string, advice: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= keptOfACode) this.#kept.push({ code, severity, path: this.path, message, advice });
  }

  all(): readonly SqliteProblem[] {
    return this.#kept;
  }

  /** How often a code was reported, kept or not. */
  count(code: string): number {
    return this.#counts.get(code) ?? 0;
  }
}
