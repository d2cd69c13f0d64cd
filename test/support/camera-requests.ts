import { basename, dirname } from 'node:path';
import type { CameraRequest } from '../../src/io/media/media-port.ts';

/** A request for a span of a video file, the whole of it by default. */
export function videoRequest(
  file: string,
  span: { from_s?: number; to_s?: number | null; thumbnails?: number } = {},
): CameraRequest {
  const { from_s = 0, to_s = null, thumbnails = 0 } = span;
  return {
    root: dirname(file),
    frames: {
      locator: { type: 'video', path: basename(file), from_s, to_s, expected_frames: null },
      declared_size_px: null,
      declared_codec: null,
    },
    declared_rate_hz: null,
    expected_frames: null,
    thumbnails,
  };
}

/** A request for picture files of one folder. */
export function picturesRequest(root: string, paths: readonly string[], thumbnails = 0): CameraRequest {
  return {
    root,
    frames: { locator: { type: 'image-files', paths }, declared_size_px: null, declared_codec: null },
    declared_rate_hz: null,
    expected_frames: null,
    thumbnails,
  };
}
