import { thumbnailWidth } from '../evidence-builder.ts';
import { reduceLuma } from '../frame-stats.ts';
import { type DecodedPicture, maxPicturePixels, PictureError } from '../pictures/decode-picture.ts';
import { decodeFrames } from './decode-frames.ts';
import { ffmpegLog } from './ffmpeg-log.ts';
import { frameToRgb, LumaReader, pixelFormatName } from './frame-pixels.ts';
import { UnusableVideo, VideoFile } from './video-file.ts';

/** Decodes a picture file with FFmpeg to luma and a source of at most `width` px width; throws PictureError. */
export async function decodeStill(path: string, width = thumbnailWidth): Promise<DecodedPicture> {
  ffmpegLog.clear();
  const read = decodeFirst(path, width);
  if (typeof read !== 'string') return read;
  const words = await ffmpegLog.firstMessage();
  throw new PictureError(words === null ? read : `${read} (${words})`);
}

function decodeFirst(path: string, width: number): DecodedPicture | string {
  let file: VideoFile;
  try {
    file = new VideoFile(path, maxPicturePixels);
  } catch (thrown) {
    if (thrown instanceof UnusableVideo) return thrown.message;
    throw thrown;
  }
  try {
    let read: DecodedPicture | null = null;
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
      read = { picture, source: frameToRgb(frame, width, 0) };
    });
    return read ?? outcome.problems[0]?.text ?? 'the decoder returned no image';
  } finally {
    file.close();
  }
}
