import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CodedVideo, openCodedVideo, PacketCopier, type VideoSpan } from '#io/video';
import { spansOfFiles } from '../../../shared/write/spans-of-files.ts';
import { encodeEpisode, mustEncode } from '../encode/encode-episodes.ts';
import { EncodedVideos } from '../encode/encoded-videos.ts';
import type { KeptEpisode, PlacedVideo } from '../kept-episode.ts';
import type { CameraEncoding, CopyVideosOptions } from '../layout.ts';
import { chunkAndFile, videoFile_bytes } from './place-files.ts';

/** Copies or encodes the frames of one camera, episode after episode. Gives where each episode's lie, by the order of `episodes`. */
export async function copyVideos(
  camera: string,
  episodes: readonly KeptEpisode[],
  options: CopyVideosOptions,
): Promise<PlacedVideo[]> {
  const writer = new CameraWriter(camera, options);
  const placed: PlacedVideo[] = [];
  try {
    for (const group of spansOfFiles(camera, episodes)) {
      options.signal.throwIfAborted();
      const video = await openCodedVideo(group.path);
      try {
        if (mustEncode(video, options.encoding)) {
          for (const episode of group.episodes) {
            placed.push(await writer.encode(episode, options.encoding));
            options.onEpisode();
          }
          continue;
        }
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

const pathOf = (camera: string, file: number) => `videos/${camera}/${chunkAndFile(file)}.mp4`;

/** The files of a camera: a new one where the coding changes, or the last is full. */
class CameraWriter {
  readonly #camera: string;
  readonly #options: CopyVideosOptions;
  #file = -1;
  #copier: PacketCopier | null = null;
  #encoded: EncodedVideos | null = null;

  constructor(camera: string, options: CopyVideosOptions) {
    this.#camera = camera;
    this.#options = options;
  }

  async encode(episode: KeptEpisode, encoding: CameraEncoding): Promise<PlacedVideo> {
    await this.#endCopy();
    const { decode: _decode, resampled: _resampled, ...settings } = encoding;
    this.#encoded ??= new EncodedVideos(this.#camera, {
      ...this.#options,
      ...settings,
      file_bytes: videoFile_bytes,
      nextFile: () => ++this.#file,
      pathOf: (file) => pathOf(this.#camera, file),
    });
    return encodeEpisode(this.#camera, episode, { videos: this.#encoded, encoding });
  }

  async append(video: CodedVideo, spans: readonly VideoSpan[]) {
    await this.#encoded?.close();
    this.#encoded = null;
    const full = (this.#copier?.bytes ?? 0) >= videoFile_bytes;
    if (this.#copier === null || full || this.#copier.coding !== video.coding) await this.#next(video);
    const { from_s } = await this.#copier!.append(video, spans);
    return { file: this.#file, from_s };
  }

  async close(): Promise<void> {
    await this.#endCopy();
    await this.#encoded?.close();
  }

  async #endCopy(): Promise<void> {
    const copier = this.#copier;
    this.#copier = null;
    await copier?.close();
  }

  async #next(video: CodedVideo): Promise<void> {
    await this.#endCopy();
    this.#file += 1;
    const path = join(this.#options.folder, pathOf(this.#camera, this.#file));
    await mkdir(dirname(path), { recursive: true });
    this.#copier = await PacketCopier.open(path, video);
  }
}
