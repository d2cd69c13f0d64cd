import { reduceLuma } from '../luma.ts';
import { mostPixels, NotPicture, type ReadPicture } from '../pictures/decode-picture.ts';
import { thumbnailWidth } from '../thumbnail-keeper.ts';
import { decodeFrames } from './decode-frames.ts';
import { decoderWords } from './decoder-words.ts';
import { LumaReader, pixelFormatName } from './read-luma.ts';
import { rgbOf } from './rgb.ts';
import { NotVideo, VideoFile } from './video-file.ts';

/** Decodes a picture file through FFmpeg, to be shown at most `width` px wide. Throws NotPicture. */
export async function decodeStill(path: string, width = thumbnailWidth): Promise<ReadPicture> {
  decoderWords.clear();
  const read = decodeFirst(path, width);
  if (typeof read !== 'string') return read;
  const words = await decoderWords.first();
  throw new NotPicture(words === null ? read : `${read} (${words})`);
}

function decodeFirst(path: string, width: number): ReadPicture | string {
  let file: VideoFile;
  try {
    file = new VideoFile(path, mostPixels);
  } catch (thrown) {
    if (thrown instanceof NotVideo) return thrown.message;
    throw thrown;
  }
  try {
    let read: ReadPicture | null = null;
    const outcome = decodeFrames(file, file.index.shown.length > 0 ? [0] : [], (_, frame) => {
      const luma = reduceLuma(new LumaReader().read(frame));
      const picture = {
        luma,
        format: file.codecName,
        width_px: frame.width,
        height_px: frame.height,
        pixel_format: pixelFormatName(frame.format),
        rotation_deg: 0,
        damage: null,
      };
      read = { picture, source: rgbOf(frame, width, 0) };
    });
    return read ?? outcome.problems[0]?.text ?? 'the decoder gives no picture';
  } finally {
    file.close();
  }
}
