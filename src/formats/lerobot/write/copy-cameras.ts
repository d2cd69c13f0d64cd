import type { SetFeatures } from './features.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import type { CameraEncoding, LeRobotLayout } from './layout.ts';
import { moved } from './piece-videos.ts';

/** By camera: where the frames of each episode lie, in the order of the episodes. */
export type PlacedVideos = ReadonlyMap<string, readonly PlacedVideo[]>;

interface CopyCamerasOptions {
  readonly folder: string;
  readonly layout: LeRobotLayout;
  readonly signal: AbortSignal;
  /** Null: packets are copied. */
  readonly encoding: CameraEncoding | null;
  /** Rows a second of the new set, where it is another than the source's. */
  readonly resampled_hz: number | null;
  /** Hears of how many more episodes the frames are written; 0: it is still at one. */
  readonly step: (episodes: number) => void;
}

/** Writes the videos of every camera of the new set. */
export async function copyCameras(
  { cameras, rate_hz }: Pick<SetFeatures, 'cameras' | 'rate_hz'>,
  kept: readonly KeptEpisode[],
  { layout, folder, signal, encoding, resampled_hz, step }: CopyCamerasOptions,
): Promise<PlacedVideos> {
  const videos = new Map<string, readonly PlacedVideo[]>();
  const options = {
    ...{ folder, signal, encoding, rate_hz: resampled_hz ?? rate_hz },
    onEpisode: () => step(1),
    onStep: () => step(0),
  };
  for (const { key, source, shift } of cameras) {
    const episodes = kept.map((episode) => ({
      ...episode,
      videos: episode.videos
        .filter((video) => video.key === source)
        .map((video) => moved(video, key, -shift / rate_hz)),
    }));
    videos.set(key, await layout.copyVideos(key, episodes, options));
  }
  return videos;
}
