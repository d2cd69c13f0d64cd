import { type Issue, saysLess } from './issue.ts';

/** One thing that is said of an episode. */
export type Said = Pick<Issue, 'code' | 'severity' | 'source' | 'advice'> & {
  /** Null where words were not kept. */
  readonly message: string | null;
};

type Growing = Omit<Issue, 'example' | 'episodes'> & { example: string | null; readonly episodes: number[] };

/** Gathers what is said of episodes, added in the order of their numbers, each code once a dataset. */
export class IssueTally {
  readonly #issues = new Map<string, Growing>();

  add(dataset: number, index: number, all: readonly Said[]): void {
    for (const { message, ...said } of all) {
      const key = `${dataset} ${said.code}`;
      const known = this.#issues.get(key);
      if (known === undefined)
        this.#issues.set(key, { ...said, dataset, episodes: [index], example: message });
      else if (known.episodes.at(-1) !== index) known.episodes.push(index);
      if (known?.example === null) known.example = message;
    }
  }

  /** Most episodes first. */
  list(): Issue[] {
    const all = [...this.#issues.values()];
    return all
      .filter((issue) => !all.some((other) => isEcho(issue, other)))
      .sort((a, b) => b.episodes.length - a.episodes.length || (a.code < b.code ? -1 : 1));
  }
}

/** A finding of the same episodes that says no more than a flag does: that a file is missing, say. */
function isEcho(issue: Issue, other: Issue): boolean {
  return (
    issue.source === 'finding' &&
    other.source === 'flag' &&
    issue.dataset === other.dataset &&
    saysLess(issue.example, other.example) &&
    issue.episodes.length === other.episodes.length &&
    issue.episodes.every((episode, at) => episode === other.episodes[at])
  );
}
