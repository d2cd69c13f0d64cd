import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copySpans, openCodedVideo } from '#io/video';
import { groupSpansByFile } from '../../../shared/write/training-episode.ts';
import { EncodedVideos } from '../encoded-videos.ts';
import { encodeEpisode, mustEncode } from '../encoding.ts';
import { LineSpool } from '../line-spool.ts';
import { type FeatureStatistics, StatisticsPool } from '../statistics.ts';
import type {
  CameraEncoding,
  CopiedEpisode,
  CopyVideosOptions,
  LeRobotLayout,
  MetadataWriter,
  PlacedEpisode,
  SetSummary,
  VideoPlacement,
} from './layout.ts';

/** Episodes per chunk folder. */
const episodesPerChunk = 1000;

const chunkName = (episode: number) =>
  `chunk-${String(Math.floor(episode / episodesPerChunk)).padStart(3, '0')}`;
const episodeName = (episode: number) => `episode_${String(episode).padStart(6, '0')}`;

const dataPath = (episode: number) => `data/${chunkName(episode)}/${episodeName(episode)}.parquet`;
/** Returns the path of an episode's video in the set, 1000 episodes per chunk folder. */
export const videoPath = (camera: string, episode: number) =>
  `videos/${chunkName(episode)}/${camera}/${episodeName(episode)}.mp4`;

/**
 * Copies the frames of one camera into one file per episode, whose first frame is shown at 0. If it is not a key
 * frame, the frames from the previous key frame precede it, hidden by the file's edit list.
 */
async function copyVideos(
  camera: string,
  episodes: readonly CopiedEpisode[],
  options: CopyVideosOptions,
): Promise<VideoPlacement[]> {
  const placed: VideoPlacement[] = [];
  for (const group of groupSpansByFile(camera, episodes)) {
    options.signal.throwIfAborted();
    const paths = group.episodes.map(({ index }) => join(options.folder, videoPath(camera, index)));
    for (const folder of new Set(paths.map((path) => dirname(path))))
      await mkdir(folder, { recursive: true });
    const video = await openCodedVideo(group.path);
    try {
      if (mustEncode(video, options.encoding)) {
        placed.push(
          ...(await encodeEach(camera, group.episodes, { ...options, encoding: options.encoding })),
        );
        continue;
      }
      const hidden = await copySpans(video, group.spans, paths);
      for (const [place, { index, rows }] of group.episodes.entries()) {
        const to_s = rows / options.rate_hz;
        placed.push({ file: index, from_s: 0, to_s, hidden_frames: hidden[place] });
        options.onEpisode();
      }
    } finally {
      await video.close();
    }
  }
  return placed;
}

/** Encodes the frames of one camera into one file per episode. */
async function encodeEach(
  camera: string,
  episodes: readonly CopiedEpisode[],
  options: CopyVideosOptions & { readonly encoding: CameraEncoding },
): Promise<VideoPlacement[]> {
  const { encoding } = options;
  const { decode: _decode, resampled: _resampled, ...settings } = encoding;
  let next = 0;
  const videos = new EncodedVideos(camera, {
    ...options,
    ...settings,
    file_bytes: 0,
    nextFile: () => next,
    pathOf: (file) => videoPath(camera, file),
  });
  const placed: VideoPlacement[] = [];
  try {
    for (const episode of episodes) {
      next = episode.index;
      placed.push(await encodeEpisode(camera, episode, { videos, encoding }));
      options.onEpisode();
    }
  } finally {
    await videos.close();
  }
  return placed;
}

/** Layout of LeRobot v2.1: one table and one video per camera for each episode. */
export const layoutV21: LeRobotLayout = {
  assignFiles: (episodes) => episodes.map((_, index) => index),
  dataPath,
  copyVideos,
  openMetadata: (folder) => MetadataV21.open(folder),
};

/**
 * Writes meta/episodes.jsonl, episodes_stats.jsonl, tasks.jsonl and info.json; also stats.json of the whole set, which
 * this version of the library does not read but other tools do (GR00T, lerobot-doctor).
 */
class MetadataV21 implements MetadataWriter {
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
    const stats = Object.entries(statistics).map(([feature, own]) => [feature, withoutQuantiles(own)]);
    await this.#statistics.add({ episode_index: index, stats: Object.fromEntries(stats) });
  }

  async finish(summary: SetSummary): Promise<void> {
    await Promise.all([this.#episodes, this.#statistics].map((spool) => spool.flush()));
    const tasks = summary.tasks.map((task, task_index) => `${JSON.stringify({ task_index, task })}\n`);
    await writeFile(join(this.#folder, 'meta/tasks.jsonl'), tasks.join(''));
    const statistics = `${JSON.stringify(this.#pool.result(), null, 4)}\n`;
    await writeFile(join(this.#folder, 'meta/stats.json'), statistics);
    await writeFile(
      join(this.#folder, 'meta/info.json'),
      `${JSON.stringify(createInfo(summary), null, 4)}\n`,
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.#episodes, this.#statistics].map((spool) => spool.close()));
  }
}

/** Removes quantiles, which v2.1 does not have. */
function withoutQuantiles({ min, max, mean, std, count }: FeatureStatistics): FeatureStatistics {
  return { min, max, mean, std, count };
}

/** Creates info.json from the source's with the new values. */
function createInfo({ info: source, episodes, frames, cameras, tasks, splits }: SetSummary) {
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
