import { AssayError } from '#core';
import type { DecodeRequest, MediaService } from './media-port.ts';

/** Samples of a PNG of 16 bits a pixel, rows from the top, decoded in a child. Throws `media_failed`, `unfinished`. */
export async function decodeSamples(
  media: Pick<MediaService, 'decode'>,
  png: Uint8Array,
): Promise<Uint16Array> {
  for await (const frames of media.decode(requestOf(png)))
    for (const frame of frames) {
      if ('reason' in frame) throw new AssayError('media_failed', frame.reason);
      if (frame.distances?.values instanceof Uint16Array) return frame.distances.values;
    }
  throw new AssayError('media_failed', 'it holds no samples of 16 bits');
}

/** One picture that is at hand. */
const requestOf = (bytes: Uint8Array): DecodeRequest => ({
  root: '/',
  frames: {
    locator: { type: 'embedded', path: '', channel: '', encoding: 'png' },
    kept: [{ index: 0, time_s: 0, bytes }],
    ...{ declared_size_px: null, declared_codec: null },
  },
  plan: [{ row: 0, time_s: 0, wishes: [0] }],
  wishes: [{ rate_hz: 1, longest_side_px: Number.POSITIVE_INFINITY }],
  ...{ distances: true, declared_rate_hz: null, stamps_s: null },
});
