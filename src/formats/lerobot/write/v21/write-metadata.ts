import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MetadataWriter, PlacedEpisode, SetSummary } from '../layout.ts';
import { LineSpool } from '../line-spool.ts';
import { type FeatureStatistics, StatisticsPool } from '../statistics/aggregate-statistics.ts';
import { episodesPerChunk } from './place-files.ts';

/**
 * meta/episodes.jsonl, episodes_stats.jsonl, tasks.jsonl and info.json; and stats.json of the whole set, which the library
 * does not read in this version and others (GR00T, lerobot-doctor) look for.
 */
export class MetadataV21 implements MetadataWriter {
  readonly #folder: string;
  readonly #episodes: LineSpool;
  readonly #statistics: LineSpool;
  readonly #pool = new StatisticsPool();

  private constructor(folder: string, episodes: LineSpool, statistics: LineSpool) {
    this.#folder = folder;
    this.#episodes = episodes;
    this.#statistics = statistics;
  }

  static async open(folder: string): Promise<MetadataV21> {
    const [episodes, statistics] = await Promise.all(
      ['episodes', 'episodes_stats'].map((name) => LineSpool.open(join(folder, `meta/${name}.jsonl`))),
    );
    return new MetadataV21(folder, episodes, statistics);
  }

  async add({ index, tasks, rows, statistics }: PlacedEpisode): Promise<void> {
    await this.#episodes.add({ episode_index: index, tasks, length: rows });
    this.#pool.add(statistics);
    const stats = Object.entries(statistics).map(([feature, own]) => [feature, fiveOf(own)]);
    await this.#statistics.add({ episode_index: index, stats: Object.fromEntries(stats) });
  }

  async finish(summary: SetSummary): Promise<void> {
    await Promise.all([this.#episodes, this.#statistics].map((spool) => spool.flush()));
    const tasks = summary.tasks.map((task, task_index) => `${JSON.stringify({ task_index, task })}\n`);
    await writeFile(join(this.#folder, 'meta/tasks.jsonl'), tasks.join(''));
    const statistics = `${JSON.stringify(this.#pool.result(), null, 4)}\n`;
    await writeFile(join(this.#folder, 'meta/stats.json'), statistics);
    await writeFile(join(this.#folder, 'meta/info.json'), `${JSON.stringify(infoOf(summary), null, 4)}\n`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#episodes, this.#statistics].map((spool) => spool.close()));
  }
}

/** Version 2.1 knows no quantiles. */
function fiveOf({ min, max, mean, std, count }: FeatureStatistics): FeatureStatistics {
  return { min, max, mean, std, count };
}

/** The source's, with what has changed. */
function infoOf({ info: source, episodes, frames, cameras, tasks, splits }: SetSummary) {
  const { data_files_size_in_mb: _data, video_files_size_in_mb: _video, ...info } = source;
  return {
    ...info,
    codebase_version: 'v2.1',
    total_episodes: episodes,
    total_frames: frames,
    total_tasks: tasks.length,
    total_videos: episodes * cameras,
    total_chunks: Math.ceil(episodes / episodesPerChunk),
    chunks_size: episodesPerChunk,
    splits,
    data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
    video_path:
      cameras > 0 ? 'videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4' : null,
  };
}
