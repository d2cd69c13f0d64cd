import { readFileSync } from 'node:fs';
import type { KeptPicture } from '#episode';
import type { FramesRequest } from '../media-port.ts';
import { rawLuma, rawSource } from './embedded/raw-picture.ts';
import { inside } from './inside.ts';
import { NotPicture } from './pictures/decode-picture.ts';
import { decodePictureFile } from './pictures/decode-picture-file.ts';
import { DeepScale } from './pictures/deep-luma.ts';
import { type JpegSource, toJpeg } from './pictures/to-jpeg.ts';

/** Single frames as JPEG; null where there is none or it does not decode. */
export async function framesAt(request: FramesRequest): Promise<(Uint8Array | null)[]> {
  const sources = await sourcesOf(request);
  const jpegs: (Uint8Array | null)[] = [];
  for (const source of sources) {
    const made = source === null ? null : await toJpeg(source, request.width_px).catch(() => null);
    jpegs.push(made?.jpeg ?? null);
  }
  return jpegs;
}

async function sourcesOf(request: FramesRequest): Promise<(JpegSource | null)[]> {
  const { locator, kept = [] } = request.frames;
  const none = request.times_s.map(() => null);
  switch (locator.type) {
    case 'missing':
      return none;
    case 'video': {
      const path = inside(request.root, locator.path);
      if (path === null) return none;
      const { videoFramesAt } = await import('./video/video-frames-at.ts');
      return videoFramesAt(path, locator, request.times_s, request.width_px);
    }
    case 'image-files':
      return Promise.all(request.times_s.map((time_s) => fileAt(locator.paths, time_s, request)));
    case 'embedded':
      return request.times_s.map((time_s) => keptAt(kept, time_s));
  }
}

async function fileAt(
  paths: readonly string[],
  time_s: number,
  { root, declared_rate_hz }: FramesRequest,
): Promise<JpegSource | null> {
  const at = Math.round(time_s * (declared_rate_hz ?? 1));
  const file = inside(root, paths[Math.min(Math.max(0, at), paths.length - 1)] ?? '');
  if (file === null) return null;
  const read = await decodePictureFile(file, readFileSync(file), new DeepScale()).catch((thrown) => {
    if (thrown instanceof NotPicture) return null;
    throw thrown;
  });
  return read?.source ?? null;
}

/** The kept picture nearest to a time: of embedded streams only a sample is at hand. */
function keptAt(kept: readonly KeptPicture[], time_s: number): JpegSource | null {
  if (kept.length === 0) return null;
  const nearest = kept.reduce((a, b) => (Math.abs(b.time_s - time_s) < Math.abs(a.time_s - time_s) ? b : a));
  if (nearest.layout === undefined) return { type: 'file', bytes: nearest.bytes };
  try {
    const luma = rawLuma(nearest.bytes, nearest.layout, new DeepScale());
    return rawSource(nearest.bytes, nearest.layout, luma);
  } catch (thrown) {
    if (thrown instanceof NotPicture) return null;
    throw thrown;
  }
}
