import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copySpans, openCodedVideo } from '#io/video';
import { spansOfFiles } from '../../../shared/write/spans-of-files.ts';
import { encodeEpisode, mustEncode } from '../encode/encode-episodes.ts';
import { EncodedVideos } from '../encode/encoded-videos.ts';
import type { KeptEpisode, PlacedVideo } from '../kept-episode.ts';
import type { CameraEncoding, CopyVideosOptions } from '../layout.ts';
import { videoPath } from './place-files.ts';

/**
 * Copies the frames of one camera into a file for each episode, whose first frame is shown at 0. Where it is no key
 * frame, the frames from the key before it on lie ahead of it, and the file's edit list leaves them out.
 */
export async function copyVideos(
  camera: string,
  episodes: readonly KeptEpisode[],
  options: CopyVideosOptions,
): Promise<PlacedVideo[]> {
  const placed: PlacedVideo[] = [];
  for (const group of spansOfFiles(camera, episodes)) {
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

/** Encodes the frames of one camera into a file for each episode. */
async function encodeEach(
  camera: string,
  episodes: readonly KeptEpisode[],
  options: CopyVideosOptions & { readonly encoding: CameraEncoding },
): Promise<PlacedVideo[]> {
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
  const placed: PlacedVideo[] = [];
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
