import { significant } from '#core';
import type { CurationEpisode } from './curation-episode.ts';
import type { Frame } from './report-frame.ts';

/** Episodes that share a value; `value` is null if unknown. */
export interface Part {
  readonly value: string | null;
  readonly episodes: number;
  readonly duration_s: number;
}

/** Number of covered cells, or the reason why they could not be counted. */
export type Coverage =
  | {
      readonly status: 'measured';
      /** Cells that these episodes visit, out of the cells (`of`) that the original set visits. */
      readonly covered: number;
      readonly of: number;
      readonly share: number;
      /** Episodes with the data that is counted. */
      readonly episodes: number;
    }
  | { readonly status: 'not_assessable'; readonly reason: string };

/** Composition of a set of episodes, as counts. */
export interface Composition {
  readonly episodes: number;
  readonly duration_s: number;
  readonly by_decision: readonly Part[];
  readonly by_task: readonly Part[];
  readonly by_robot: readonly Part[];
  readonly by_operator: readonly Part[];
  readonly by_outcome: readonly Part[];
  /** Histogram of durations; the last bin includes its upper edge. */
  readonly by_duration: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly episodes: number;
  }[];
  readonly action_coverage: Coverage;
  readonly scene_coverage: Coverage;
  /** Number of less frequent values that are not listed. */
  readonly unlisted_values: number;
}

const maxListed = 50;

/**
 * Computes the composition of a set: episodes and durations by decision, task, robot, operator and outcome (the 50
 * most frequent values of each), and coverage. Bins and cells are those of the set that it was selected from
 * (`frame`).
 */
export function computeComposition(episodes: readonly CurationEpisode[], frame: Frame): Composition {
  let unlisted_values = 0;
  const by = (named: (episode: CurationEpisode) => string | null): Part[] => {
    const parts = countParts(episodes, named);
    unlisted_values += Math.max(0, parts.length - maxListed);
    return parts.slice(0, maxListed);
  };
  return {
    episodes: episodes.length,
    duration_s: significant(
      episodes.reduce((sum, { duration_s }) => sum + duration_s, 0),
      9,
    ),
    by_decision: by(({ decision }) => decision),
    by_task: by(({ task }) => task),
    by_robot: by(({ robot }) => robot),
    by_operator: by(({ operator }) => operator),
    by_outcome: by(({ outcome }) => (outcome === 'unknown' ? null : outcome)),
    by_duration: durationBins(episodes, frame.duration_edges_s),
    action_coverage: actionCoverage(episodes, frame),
    scene_coverage: sceneCoverage(episodes, frame),
    unlisted_values,
  };
}

function countParts(
  episodes: readonly CurationEpisode[],
  named: (episode: CurationEpisode) => string | null,
): Part[] {
  const parts = new Map<string | null, { episodes: number; duration_s: number }>();
  for (const episode of episodes) {
    const value = named(episode);
    const part = parts.get(value) ?? { episodes: 0, duration_s: 0 };
    part.episodes++;
    part.duration_s += episode.duration_s;
    parts.set(value, part);
  }
  return [...parts]
    .map(([value, part]) => ({ value, episodes: part.episodes, duration_s: significant(part.duration_s, 9) }))
    .sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
}

function durationBins(episodes: readonly CurationEpisode[], edges: readonly number[]) {
  const bins = edges.slice(1).map((to_s, i) => ({ from_s: edges[i], to_s, episodes: 0 }));
  for (const { duration_s } of episodes) {
    if (!(duration_s > 0)) continue;
    const bin = bins.find(({ to_s }) => duration_s < to_s) ?? bins.at(-1);
    if (bin !== undefined) bin.episodes++;
  }
  return bins.map(({ from_s, to_s, episodes }) => ({
    from_s: significant(from_s),
    to_s: significant(to_s),
    episodes,
  }));
}

function actionCoverage(episodes: readonly CurationEpisode[], { regions }: Frame): Coverage {
  const allRegions = new Set([...regions.values()].flatMap((visited) => [...visited]));
  if (allRegions.size === 0)
    return { status: 'not_assessable', reason: 'no episode has stored action samples' };
  const episodeRegions = episodes.flatMap(({ id }) => regions.get(id) ?? []);
  const covered = new Set(episodeRegions.flatMap((visited) => [...visited]));
  return measured(covered.size, allRegions.size, episodeRegions.length);
}

function sceneCoverage(episodes: readonly CurationEpisode[], { scenes }: Frame): Coverage {
  const allScenes = new Set(scenes.values());
  if (allScenes.size === 0)
    return { status: 'not_assessable', reason: 'fewer than two episodes have an image descriptor' };
  const episodeScenes = episodes.flatMap(({ id }) => scenes.get(id) ?? []);
  return measured(new Set(episodeScenes).size, allScenes.size, episodeScenes.length);
}

const measured = (covered: number, of: number, episodes: number): Coverage => ({
  status: 'measured',
  covered,
  of,
  share: significant(covered / of, 4),
  episodes,
});
