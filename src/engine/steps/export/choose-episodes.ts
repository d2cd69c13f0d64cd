import { AssayError } from '#core';
import type { TrimSpan } from '#formats/write';
import type { EpisodeVerdict } from '../judge/verdict.ts';

/** Which episodes to export. */
export interface EpisodeChoice {
  /** Includes episodes that need review. */
  readonly with_review?: boolean;
  /** Includes only these episodes, by id or index in the source, whatever their decision. */
  readonly only?: readonly string[];
  /** Reason for leaving out each other episode, by id, if a plan chose. */
  readonly reasons?: ReadonlyMap<string, string>;
  /** Parts that a plan keeps of trimmed episodes, by id. */
  readonly trims?: Readonly<Record<string, TrimSpan>>;
  /** Excludes these episodes, by id or index in the source. */
  readonly without?: readonly string[];
}

/** An episode and whether it is exported. */
export interface ChosenEpisode {
  readonly verdict: EpisodeVerdict;
  /** Reason why it is left out; `null`: it is exported. */
  readonly dropped: string | null;
}

/**
 * Returns for each episode, in order, why it is not exported (null if it is): excluded by `without`, not in `only`, or without
 * `only` rejected or in need of review.
 * @throws `usage` if a named episode does not exist
 */
export function chooseEpisodes(verdicts: readonly EpisodeVerdict[], choice: EpisodeChoice): ChosenEpisode[] {
  const only = choice.only === undefined ? null : resolveNames(verdicts, choice.only);
  const without = resolveNames(verdicts, choice.without ?? []);
  return verdicts.map((verdict) => ({ verdict, dropped: dropReason(verdict) }));

  function dropReason({ id, decision }: EpisodeVerdict): string | null {
    if (without.has(id)) return 'excluded by --without';
    if (only !== null) return only.has(id) ? null : (choice.reasons?.get(id) ?? 'not selected by --only');
    if (decision === 'reject') return 'rejected';
    return decision === 'review' && choice.with_review !== true ? 'needs review' : null;
  }
}

function resolveNames(verdicts: readonly EpisodeVerdict[], names: readonly string[]): Set<string> {
  const byName = new Map(
    verdicts.flatMap(({ id, index }) => [[id, id] as const, [String(index), id] as const]),
  );
  return new Set(
    names.map((name) => {
      const id = byName.get(name);
      if (id !== undefined) return id;
      throw new AssayError('usage', `no episode named ${name}`, {
        advice: `use an episode name from assay assess --all, such as ${verdicts[0]?.id ?? 'episode_000000'}`,
      });
    }),
  );
}
