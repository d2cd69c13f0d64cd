import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CodedVideo, openCodedVideo } from '../../video/coded-video.ts';
import { PacketCopier } from '../../video/packet-copier.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import { chunkAndFile, videoFile_bytes } from './place-files.ts';

export interface CopyVideosOptions {
  readonly folder: string;
  readonly rate_hz: number;
  readonly signal: AbortSignal;
  /** Hears of each episode whose frames of one camera are copied. */
  readonly onEpisode: () => void;
}

/** Copies the frames of one camera, episode after episode. Gives where each episode's lie, by the order of `episodes`. */
export async function copyVideos(
  camera: string,
  episodes: readonly KeptEpisode[],
  options: CopyVideosOptions,
): Promise<PlacedVideo[]> {
  const writer = new CameraWriter(camera, options.folder);
  const placed: PlacedVideo[] = [];
  try {
    for (const group of byFile(camera, episodes)) {
      options.signal.throwIfAborted();
      const video = await openCodedVideo(group.path);
      try {
        const { file, from_s } = await writer.append(video, group.spans);
        for (const [place, { rows }] of group.episodes.entries()) {
          placed.push({ file, from_s: from_s[place], to_s: from_s[place] + rows / options.rate_hz });
          options.onEpisode();
        }
      } finally {
        await video.close();
      }
    }
  } finally {
    await writer.close();
  }
  return placed;
}

interface FileGroup {
  readonly path: string;
  readonly episodes: KeptEpisode[];
  readonly spans: { readonly from_s: number; readonly until_s: number }[];
}

/** Episodes that follow each other in one file of the source, so that it is read once for all of them. */
function byFile(camera: string, episodes: readonly KeptEpisode[]): FileGroup[] {
  const groups: FileGroup[] = [];
  for (const episode of episodes) {
    const video = episode.videos.find(({ key }) => key === camera);
    if (video === undefined) continue;
    let group = groups.at(-1);
    const follows =
      group !== undefined && group.path === video.path && group.spans.at(-1)!.from_s < video.from_s;
    if (group === undefined || !follows) {
      group = { path: video.path, episodes: [], spans: [] };
      groups.push(group);
    }
    group.episodes.push(episode);
    group.spans.push({ from_s: video.from_s, until_s: video.until_s });
  }
  return groups;
}

/** The files of a camera: a new one where the coding changes, or the last is full. */
class CameraWriter {
  readonly #camera: string;
  readonly #folder: string;
  #file = -1;
  #copier: PacketCopier | null = null;

  constructor(camera: string, folder: string) {
    this.#camera = camera;
    this.#folder = folder;
  }

  async append(video: CodedVideo, spans: FileGroup['spans']) {
    const full = (this.#copier?.bytes ?? 0) >= videoFile_bytes;
    if (this.#copier === null || full || this.#copier.coding !== video.coding) await this.#next(video);
    const { from_s } = await this.#copier!.append(video, spans);
    return { file: this.#file, from_s };
  }

  async close(): Promise<void> {
    const copier = this.#copier;
    this.#copier = null;
    await copier?.close();
  }

  async #next(video: CodedVideo): Promise<void> {
    await this.close();
    this.#file += 1;
    const path = join(this.#folder, `videos/${this.#camera}/${chunkAndFile(this.#file)}.mp4`);
    await mkdir(dirname(path), { recursive: true });
    this.#copier = await PacketCopier.open(path, video);
  }
}
