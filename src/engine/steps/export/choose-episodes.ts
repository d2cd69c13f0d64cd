import { AssayError } from '#core';
import type { KeptSpan } from '#formats/write';
import type { EpisodeVerdict } from '../judge/verdict.ts';

export interface EpisodeChoice {
  /** Also those that need review. */
  readonly with_review?: boolean;
  /** Only these, by id or place in the source; their decision does not count. */
  readonly only?: readonly string[];
  /** Why each of the others goes, by id, where a plan chose. */
  readonly reasons?: ReadonlyMap<string, string>;
  /** What a plan leaves of some of them, by id. */
  readonly trims?: Readonly<Record<string, KeptSpan>>;
  /** Not these, by id or place in the source. */
  readonly without?: readonly string[];
}

/** An episode that stays or goes, and why. */
export interface ChosenEpisode {
  readonly verdict: EpisodeVerdict;
  /** Null: it is kept. */
  readonly dropped: string | null;
}

/** Decides over every episode, in order. Throws `usage` where a named episode is not there. */
export function chooseEpisodes(verdicts: readonly EpisodeVerdict[], choice: EpisodeChoice): ChosenEpisode[] {
  const only = choice.only === undefined ? null : named(verdicts, choice.only);
  const without = named(verdicts, choice.without ?? []);
  return verdicts.map((verdict) => ({ verdict, dropped: reasonOf(verdict) }));

  function reasonOf({ id, decision }: EpisodeVerdict): string | null {
    if (without.has(id)) return 'left out by --without';
    if (only !== null) return only.has(id) ? null : (choice.reasons?.get(id) ?? 'not named by --only');
    if (decision === 'reject') return 'rejected';
    return decision === 'review' && choice.with_review !== true ? 'needs review' : null;
  }
}

function named(verdicts: readonly EpisodeVerdict[], names: readonly string[]): Set<string> {
  const byName = new Map(
    verdicts.flatMap(({ id, index }) => [[id, id] as const, [String(index), id] as const]),
  );
  return new Set(
    names.map((name) => {
      const id = byName.get(name);
      if (id !== undefined) return id;
      throw new AssayError('usage', `there is no episode ${name}`, {
        advice: `name an episode as assay assess --all lists it, such as ${verdicts[0]?.id ?? 'episode_000000'}`,
      });
    }),
  );
}
