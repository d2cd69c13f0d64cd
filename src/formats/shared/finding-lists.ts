import { countPhrase } from '#core';
import type { Finding, Severity } from '#core/episode';

const maxPerCode = 4;

/**
 * Collects findings of one file. Keeps the first four of each code and counts the others, so that a broken file cannot
 * flood a receipt.
 */
export class FindingList {
  readonly path: string;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    this.path = path;
  }

  /** Adds a finding about the file; after four of one code, further ones are only counted. */
  report(
    code: string,
    severity: Finding['severity'],
    message: string,
    advice: string,
    evidence?: Finding['evidence'],
  ): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > maxPerCode) return;
    const finding = { code, severity, path: this.path, message, advice };
    this.#findings.push(evidence === undefined ? finding : { ...finding, evidence });
  }

  /** Returns the retained findings, then one summary finding per code that had more. */
  all(): Finding[] {
    const more = [...this.#counts].filter(([, count]) => count > maxPerCode);
    return [
      ...this.#findings,
      ...more.map(([code, count]) => this.#overflowFinding(code, count - maxPerCode)),
    ];
  }

  #overflowFinding(code: string, count: number): Finding {
    const message = `${count} more ${count === 1 ? 'finding' : 'findings'} of this kind`;
    return {
      code,
      severity: 'warning',
      path: this.path,
      message,
      advice: 'see the findings listed for this file',
    };
  }
}

/** Issue kinds of a label format: severity, description, advice. */
export type IssueTable<Kind extends string> = Readonly<Record<Kind, readonly [Severity, string, string]>>;

const maxExamples = 3;

/** Counts issues in the labels of a set by kind, with up to three examples of each. */
export class IssueCounter<Kind extends string> {
  readonly #prefix: string;
  readonly #table: IssueTable<Kind>;
  readonly #found = new Map<Kind, { count: number; examples: string[] }>();

  /** Finding codes are `${prefix}_${kind}`. */
  constructor(prefix: string, table: IssueTable<Kind>) {
    this.#prefix = prefix;
    this.#table = table;
  }

  /** Counts an issue of a kind; the first three examples are shown in its finding. */
  add(kind: Kind, example: string): void {
    const entry = this.#found.get(kind) ?? { count: 0, examples: [] };
    entry.count++;
    if (entry.examples.length < maxExamples) entry.examples.push(example);
    this.#found.set(kind, entry);
  }

  /** Returns one finding per kind that occurred, in table order. `path` is null for issues of the whole set. */
  findings(path: string | null): Finding[] {
    const order = Object.keys(this.#table) as Kind[];
    return order.flatMap((kind) => {
      const found = this.#found.get(kind);
      if (found === undefined) return [];
      const [severity, what, advice] = this.#table[kind];
      const more = found.count > found.examples.length ? ', …' : '';
      const where = path === null ? '' : `${path}: `;
      const message = `${where}${countPhrase(found.count, what)} (${found.examples.join(', ')}${more})`;
      const evidence = { count: found.count };
      return [{ code: `${this.#prefix}_${kind}`, severity, path, message, advice, evidence }];
    });
  }
}
