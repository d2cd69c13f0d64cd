import type { Finding } from '#core/episode';
import type { SeenBreach } from '#formats/rules';

/** Counts the episodes of a dataset that each finding and flag was seen in. */
export class SeenBreaches {
  readonly #episodes = new Map<string, number>();

  /** Takes one episode's findings and flags. */
  add(...lists: readonly (readonly { readonly code: string }[])[]): void {
    const codes = new Set(lists.flatMap((list) => list.map(({ code }) => code)));
    for (const code of codes) this.#episodes.set(code, (this.#episodes.get(code) ?? 0) + 1);
  }

  /** Those of the dataset, which speak for all of it, and those of episodes. */
  with(findings: readonly Pick<Finding, 'code'>[]): SeenBreach[] {
    const ofSet = new Set(findings.map(({ code }) => code));
    const ofEpisodes = [...this.#episodes].filter(([code]) => !ofSet.has(code));
    return [
      ...[...ofSet].map((code) => ({ code, episodes: null })),
      ...ofEpisodes.map(([code, episodes]) => ({ code, episodes })),
    ];
  }
}
