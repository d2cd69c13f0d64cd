import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { KeptEpisode, PlacedVideo } from '../lerobot/kept-episode.ts';
import type { CopyVideosOptions } from '../lerobot/layout.ts';
import { type CodedVideo, openCodedVideo } from '../video/coded-video.ts';
import { PacketCopier, type VideoSpan } from '../video/packet-copier.ts';
import { spansOfFiles } from '../video/spans-of-files.ts';
import { chunkAndFile, videoFile_bytes } from './place-files.ts';

/** Copies the frames of one camera, episode after episode. Gives where each episode's lie, by the order of `episodes`. */
export async function copyVideos(
  camera: string,
  episodes: readonly KeptEpisode[],
  options: CopyVideosOptions,
): Promise<PlacedVideo[]> {
  const writer = new CameraWriter(camera, options.folder);
  const placed: PlacedVideo[] = [];
  try {
    for (const group of spansOfFiles(camera, episodes)) {
      options.signal.throwIfAborted();
      const video = await openCodedVideo(group.path);
      try {
        const { file, from_s } = await writer.append(video, group.spans);
        for (const [place, { rows }] of group.episodes.entries()) {
          const to_s = from_s[place] + rows / options.rate_hz;
          placed.push({ file, from_s: from_s[place], to_s, hidden_frames: 0 });
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

  async append(video: CodedVideo, spans: readonly VideoSpan[]) {
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
