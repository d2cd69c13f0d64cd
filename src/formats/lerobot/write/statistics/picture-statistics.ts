import type { SetFeatures } from '../features.ts';
import type { KeptEpisode, PlacedVideo } from '../kept-episode.ts';
import type { SourceTables } from '../source-tables.ts';
import { numericColumns } from '../written-episodes.ts';
import type { FeatureStatistics } from './aggregate-statistics.ts';
import type { StatisticsByFeature } from './statistics-lines.ts';

/** Of pictures that were encoded on the way. */
export function encodedStatistics(
  videos: ReadonlyMap<string, readonly PlacedVideo[]>,
  { index }: KeptEpisode,
): Record<string, FeatureStatistics> {
  return Object.fromEntries(
    [...videos].flatMap(([camera, placed]) => {
      const { statistics } = placed[index];
      return statistics === undefined ? [] : [[camera, { ...statistics }]];
    }),
  );
}

/** Of what is not in the rows, pictures, as the source says it; of episodes of one source. */
export async function givenStatistics(
  tables: readonly SourceTables[],
  features: SetFeatures,
  episodes: readonly KeptEpisode[],
): Promise<Map<number, StatisticsByFeature>> {
  const own = new Set(numericColumns(features.declaration).map(({ key }) => key));
  const rest = features.all.filter(({ key }) => !own.has(key));
  const given = await tables[episodes[0].source].statistics(
    rest.map(({ source }) => source),
    [...new Set(episodes.map(({ source_index }) => source_index))],
  );
  const renamed = (statistics: StatisticsByFeature) =>
    Object.fromEntries(
      rest.flatMap(({ key, source }) => (source in statistics ? [[key, statistics[source]]] : [])),
    );
  return new Map([...given].map(([episode, statistics]) => [episode, renamed(statistics)]));
}
