import { counted } from '#core';
import type { Finding, Severity } from '#core/episode';

/** What can be odd: how grave, what happens because of it, what to do. */
export type OddityTable<Kind extends string> = Readonly<Record<Kind, readonly [Severity, string, string]>>;

const examplesKept = 3;

/** Counts what is odd in the labels of a set, with a few examples of each. */
export class OddityCount<Kind extends string> {
  readonly #prefix: string;
  readonly #table: OddityTable<Kind>;
  readonly #found = new Map<Kind, { count: number; examples: string[] }>();

  /** Codes are `prefix_kind`. */
  constructor(prefix: string, table: OddityTable<Kind>) {
    this.#prefix = prefix;
    this.#table = table;
  }

  add(kind: Kind, example: string): void {
    const entry = this.#found.get(kind) ?? { count: 0, examples: [] };
    entry.count++;
    if (entry.examples.length < examplesKept) entry.examples.push(example);
    this.#found.set(kind, entry);
  }

  /** In the order of the table. `path` null: of the set as a whole. */
  findings(path: string | null): Finding[] {
    const order = Object.keys(this.#table) as Kind[];
    return order.flatMap((kind) => {
      const found = this.#found.get(kind);
      if (found === undefined) return [];
      const [severity, what, advice] = this.#table[kind];
      const more = found.count > found.examples.length ? ', …' : '';
      const where = path === null ? '' : `${path}: `;
      const message = `${where}${counted(found.count, what)} (${found.examples.join(', ')}${more})`;
      const evidence = { count: found.count };
      return [{ code: `${this.#prefix}_${kind}`, severity, path, message, advice, evidence }];
    });
  }
}
