import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type FoundEpisode, indexEpisodes } from '#engine/local';
import { descriptors, searchEpisodes } from '#quality/search';
import type { Bench, BenchOptions } from '../bench.ts';

/** Real recordings of several tasks, or folders whose sets differ in task: what is alike is what is of one task. */
const sets = ['rlds/bridge', 'video'];
const data = '../shared/data';

/**
 * Measures how often `more like this` finds the same task (without tasks, the same dataset) compared with chance,
 * on recordings that nobody made for it. Says figures; nothing passes or fails.
 */
export const alikeBench: Bench = {
  id: 'search-alike',
  title: 'More like this: how often the most alike episode is of the same task, beside chance',
  run: async (options) => {
    const figures: Record<string, unknown> = {};
    for (const set of sets) {
      const path = join(data, set);
      if (!existsSync(path)) options.print(`  ${set}: not on this machine`);
      else figures[set] = await measure(set, path, options);
    }
    return { passed: true, figures };
  },
};

async function measure(set: string, path: string, { print }: BenchOptions) {
  const { episodes } = await indexEpisodes(path, {});
  const tasks = new Set(episodes.flatMap(({ tasks: [task] }) => (task === undefined ? [] : [task])));
  const [what, labelOf] =
    tasks.size > 1
      ? ['task', ({ tasks: [task] }: FoundEpisode) => task ?? null]
      : ['dataset', ({ dataset }: FoundEpisode) => dataset];
  return descriptors.rows.map(({ id }) => {
    const result = nearest(episodes, id, labelOf);
    const share = (part: number) => `${Math.round((100 * part) / Math.max(1, result.asked))} %`;
    print(
      result.asked === 0
        ? `  ${set}, ${id}: nothing to compare`
        : `  ${set}, ${id}: the nearest of ${result.asked} episodes is of the same ${what} in ${share(result.same)}, by chance in ${share(result.chance)}`,
    );
    return { descriptor: id, what, ...result };
  });
}

/** Returns the rate at which the nearest episode has the same label, over episodes that share their label with another. */
function nearest(
  episodes: readonly FoundEpisode[],
  descriptor: string,
  labelOf: (episode: FoundEpisode) => string | null,
) {
  const sums = { asked: 0, same: 0, chance: 0 };
  for (const episode of episodes) {
    const label = labelOf(episode);
    if (label === null || !episode.vectors.some((one) => one.descriptor === descriptor)) continue;
    const { hits } = searchEpisodes(episodes, {}, { by: 'like', descriptor, episode, span: null });
    const alike = hits.filter((hit) => labelOf(hit.episode) === label).length;
    if (alike === 0 || alike === hits.length) continue;
    sums.asked++;
    sums.chance += alike / hits.length;
    if (labelOf(hits[0].episode) === label) sums.same++;
  }
  return sums;
}
