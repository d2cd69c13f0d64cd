import type { VideoFacts } from '#io/video';
import { framesOfRows } from '../../../shared/write/set/frames-of-rows.ts';
import type { KeptEpisode, PlacedVideo } from '../kept-episode.ts';
import type { CameraEncoding } from '../layout.ts';
import type { EncodedVideos } from './encoded-videos.ts';

/** Whether a file's frames cannot stay as they are. */
export function mustEncode(video: VideoFacts, encoding: CameraEncoding | null): encoding is CameraEncoding {
  if (encoding === null) return false;
  if (encoding.resampled || video.codec !== encoding.codec || !video.is_yuv420p) return true;
  const [width, height] = encoding.size ?? video.size_px;
  return width !== video.size_px[0] || height !== video.size_px[1];
}

/** Encodes what a camera shows in an episode. */
export function encodeEpisode(
  camera: string,
  episode: KeptEpisode,
  { videos, encoding }: { readonly videos: EncodedVideos; readonly encoding: CameraEncoding },
): Promise<PlacedVideo> {
  const { id, rows, first, picked } = episode;
  const [video] = episode.videos.filter(({ key }) => key === camera);
  const places = Int32Array.from({ length: rows }, (_, row) => (picked === null ? row : picked[row] - first));
  const decode = (wanted: ReadonlySet<number>) => encoding.decode(video, wanted);
  return videos.add({ id, rows, frames: framesOfRows(places, decode, { episode: id, camera }) });
}
