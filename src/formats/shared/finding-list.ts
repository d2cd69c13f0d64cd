import type { Finding } from '#core/episode';

const shownOfACode = 4;

/** Findings of one file; of each code only the first few are kept, so that a broken file cannot flood a receipt. */
export class FindingList {
  readonly path: string;
  readonly #kept: Finding[] = [];
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    this.path = path;
  }

  report(
    code: string,
    severity: Finding['severity'],
    message: string,
    advice: string,
    evidence?: Finding['evidence'],
  ): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > shownOfACode) return;
    const finding = { code, severity, path: this.path, message, advice };
    this.#kept.push(evidence === undefined ? finding : { ...finding, evidence });
  }

  all(): Finding[] {
    const more = [...this.#counts].filter(([, count]) => count > shownOfACode);
    return [...this.#kept, ...more.map(([code, count]) => this.#surplus(code, count - shownOfACode))];
  }

  #surplus(code: string, count: number): Finding {
    const message = `${count} more findings of this kind`;
    return { code, severity: 'warning', path: this.path, message, advice: 'see the first ones' };
  }
}
