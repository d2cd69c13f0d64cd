import type { Finding } from '#core/episode';
import type { RuleViolation } from '#formats/rules';

/** Counts, per finding or flag code, the episodes of a dataset that have it. */
export class ViolationCounts {
  readonly #episodes = new Map<string, number>();

  /** Adds the findings and flags of one episode. */
  add(...lists: readonly (readonly { readonly code: string }[])[]): void {
    const codes = new Set(lists.flatMap((list) => list.map(({ code }) => code)));
    for (const code of codes) this.#episodes.set(code, (this.#episodes.get(code) ?? 0) + 1);
  }

  /**
   * Returns all violations: the dataset's own (for all episodes, `episodes: null`) and those of episodes with their
   * counts.
   */
  toViolations(findings: readonly Pick<Finding, 'code'>[]): RuleViolation[] {
    const ofSet = new Set(findings.map(({ code }) => code));
    const ofEpisodes = [...this.#episodes].filter(([code]) => !ofSet.has(code));
    return [
      ...[...ofSet].map((code) => ({ code, episodes: null })),
      ...ofEpisodes.map(([code, episodes]) => ({ code, episodes })),
    ];
  }
}
