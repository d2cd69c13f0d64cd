import { AssayError } from '#core';
import type { DecodeRequest, MediaService } from './media-port.ts';

/**
 * Decodes a PNG with 16 bits per pixel in a child process and returns its samples, rows from the top; throws
 * `media_failed` or `unfinished`.
 */
export async function decodeSamples(
  media: Pick<MediaService, 'decode'>,
  png: Uint8Array,
): Promise<Uint16Array> {
  for await (const frames of media.decode(pngRequest(png)))
    for (const frame of frames) {
      if ('reason' in frame) throw new AssayError('media_failed', frame.reason);
      if (frame.distances?.values instanceof Uint16Array) return frame.distances.values;
    }
  throw new AssayError('media_failed', 'it has no 16-bit samples');
}

/** Creates a decode request for a single PNG in memory. */
const pngRequest = (bytes: Uint8Array): DecodeRequest => ({
  root: '/',
  frames: {
    locator: { type: 'embedded', path: '', channel: '', encoding: 'png' },
    kept: [{ index: 0, time_s: 0, bytes }],
    ...{ declared_size_px: null, declared_codec: null },
  },
  plan: [{ row: 0, time_s: 0, needs: [0] }],
  needs: [{ rate_hz: 1, longest_side_px: Number.POSITIVE_INFINITY }],
  ...{ distances: true, declared_rate_hz: null, stamps_s: null },
});
