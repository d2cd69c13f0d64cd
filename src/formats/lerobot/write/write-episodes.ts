import type { DuckDBConnection } from '@duckdb/node-api';
import type { PlacedVideos } from './copy-cameras.ts';
import type { CopiedData } from './copy-data.ts';
import type { SetFeatures } from './features.ts';
import type { MetadataWriter } from './layout.ts';
import type { SourceTables } from './source-tables.ts';
import { encodedStatistics, givenStatistics } from './statistics/picture-statistics.ts';
import type { StatisticsByFeature } from './statistics/statistics-lines.ts';
import { numericColumns, writtenEpisodes } from './written-episodes.ts';

/** Episodes whose statistics are looked up in the source together. */
const batch = 128;

interface WritingParts {
  /** By source. */
  readonly tables: readonly SourceTables[];
  readonly features: SetFeatures;
  readonly data: CopiedData;
  readonly videos: PlacedVideos;
  readonly metadata: MetadataWriter;
  readonly signal: AbortSignal;
}

/** Tells the metadata of each episode: its tasks, places and statistics, read from the rows that were written. */
export async function writeEpisodes(
  connection: DuckDBConnection,
  { tables, features, data, videos, metadata, signal }: WritingParts,
): Promise<void> {
  const columns = numericColumns(features.declaration);
  for (const file of data.files) {
    let given = new Map<number, StatisticsByFeature>();
    const written = writtenEpisodes(connection, file, columns, data.taskColumns);
    for await (const [episode, { tasks, statistics }] of written) {
      signal.throwIfAborted();
      const place = episode.index - file.episodes[0].index;
      if (place % batch === 0)
        given = await givenStatistics(tables, features, file.episodes.slice(place, place + batch));
      await metadata.add({
        ...episode,
        tasks: tasks.map((task) => data.texts[task]),
        data_file: file.file,
        placed: Object.fromEntries([...videos].map(([camera, all]) => [camera, all[episode.index]])),
        // Rows of a file are of one source, so that its index tells an episode.
        statistics: {
          ...statistics,
          ...given.get(episode.source_index),
          ...encodedStatistics(videos, episode),
        },
      });
    }
  }
}
