import type { PictureFormat } from '#core/episode';

const sharpReads: ReadonlySet<PictureFormat> = new Set(['JPEG', 'PNG', 'WebP', 'GIF', 'TIFF', 'AVIF']);
const ffmpegReads: ReadonlySet<PictureFormat> = new Set(['BMP', 'PNM', 'PAM', 'PFM']);

/** Who decodes a picture format here; null: nobody. */
export function decoderOf(format: PictureFormat): 'sharp' | 'ffmpeg' | null {
  if (sharpReads.has(format)) return 'sharp';
  return ffmpegReads.has(format) ? 'ffmpeg' : null;
}
