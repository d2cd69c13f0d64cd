import { join } from 'node:path';
import type { RgbPicture } from '#io/media';
import { makeFolder } from '#io/sources';
import { openVideoWriter, rgbToYuv420 } from '#io/video';
import { composePng, composeRgb, type OverlayCanvas, type OverlaySize } from '#labels/annotation';
import { writeWhole } from '../judge/receipt-files.ts';
import type { FilmRequest } from '../messages.ts';

/** Takes pictures in order of time. */
interface Sink {
  /** `picture`: null: there is none to draw over. */
  add(time_s: number, picture: RgbPicture | null, canvas: OverlayCanvas): Promise<void>;
  /** Answers how many pictures there are. */
  close(): Promise<number>;
}

/** Throws `output_unwritable`. */
export async function openSink(to: FilmRequest['to'], size: OverlaySize, rate_hz: number): Promise<Sink> {
  return to.kind === 'mp4' ? mp4Sink(to.path, size, rate_hz) : pngSink(to.path);
}

/** A longer time without pictures is shortened to it; each picture says its own time. */
const longestGap_s = 10;

/** A picture stands until the next one was taken. */
async function mp4Sink(path: string, [width_px, height_px]: OverlaySize, rate_hz: number): Promise<Sink> {
  const settings = { width_px, height_px, rate_hz, quality: 22, keyframe_every: 2 * rate_hz };
  const writer = await openVideoWriter(path, settings);
  let before: { readonly yuv: Uint8Array; readonly time_s: number } | null = null;
  /** How far rounding to whole frames has left the film behind. */
  let owed = 0;
  return {
    add: async (time_s, picture, canvas) => {
      if (before !== null) {
        owed += Math.min(longestGap_s, Math.max(0, time_s - before.time_s)) * rate_hz;
        for (; owed >= 0.5; owed--) await writer.write(before.yuv);
      }
      const rgb = await composeRgb(picture, canvas);
      before = { yuv: rgbToYuv420({ rgb, width_px, height_px }), time_s };
    },
    close: async () => {
      if (before !== null) await writer.write(before.yuv);
      await writer.close();
      return writer.frames;
    },
  };
}

/** Named by when they were taken: `000012.345s.png`. */
function pngSink(folder: string): Sink {
  makeFolder(folder);
  let pictures = 0;
  return {
    add: async (time_s, picture, canvas) => {
      const name = `${Math.max(0, time_s).toFixed(3).padStart(10, '0')}s.png`;
      writeWhole(join(folder, name), await composePng(picture, canvas));
      pictures++;
    },
    close: async () => pictures,
  };
}
