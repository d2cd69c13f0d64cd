import { AssayError } from '#core';
import type { RgbFrame } from '#io/video';

/** Decodes the pictures at these places, which rise. */
export type DecodePlaces = (
  places: ReadonlySet<number>,
) => AsyncIterable<readonly [place: number, picture: RgbFrame]>;

/** One decoded picture a row, in order; null where the place is -1. The same object again where a row shows the same. */
export async function* framesOfRows(
  places: Int32Array,
  decode: DecodePlaces,
  { episode, camera }: { readonly episode: string; readonly camera: string },
): AsyncGenerator<RgbFrame | null> {
  const wanted = new Set(places);
  wanted.delete(-1);
  let at = -1;
  let current: RgbFrame | null = null;
  const pictures = decode(wanted)[Symbol.asyncIterator]();
  try {
    for (const place of places) {
      while (at < place) {
        const next = await pictures.next();
        if (next.done === true) break;
        [at, current] = next.value;
      }
      if (place >= 0 && at !== place)
        throw new AssayError(
          'unreadable_input',
          `${episode}: picture ${place} of ${camera} does not come in order`,
          {
            advice: `leave the episode out with --without ${episode}`,
          },
        );
      yield place < 0 ? null : current;
    }
  } finally {
    await pictures.return?.();
  }
}
