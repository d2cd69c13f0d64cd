import { readFileSync } from 'node:fs';
import { messageOf } from '#core';
import type { FrameLocator, KeptPicture, PictureEncoding } from '#core/episode';
import type { FramesRequest, NoPicture, Picture } from '../media-port.ts';
import { rawLuma, rawSource } from './embedded/raw-picture.ts';
import { inside } from './inside.ts';
import { DeepScale, NotPicture } from './pictures/decode-picture.ts';
import { decodePictureFile } from './pictures/decode-picture-file.ts';
import { type JpegSource, toJpeg } from './pictures/to-jpeg.ts';
import { type ShownFrame, Unshown } from './shown-frame.ts';

type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Single frames as JPEG, or why there is none. */
export async function framesAt(request: FramesRequest): Promise<(Picture | NoPicture)[]> {
  try {
    const frames = await shownFrames(request);
    return await Promise.all(frames.map((frame) => pictureOf(frame, request)));
  } catch (thrown) {
    if (!(thrown instanceof Unshown)) throw thrown;
    return request.times_s.map(() => ({ jpeg: null, reason: thrown.message }));
  }
}

async function pictureOf(
  frame: ShownFrame | Unshown,
  { width_px, quality }: FramesRequest,
): Promise<Picture | NoPicture> {
  if (frame instanceof Unshown) return { jpeg: null, reason: frame.message };
  try {
    const { jpeg } = await toJpeg(frame.source, width_px, quality);
    return { jpeg, time_s: frame.time_s };
  } catch (thrown) {
    return { jpeg: null, reason: messageOf(thrown) };
  }
}

async function shownFrames(request: FramesRequest): Promise<readonly (ShownFrame | Unshown)[]> {
  const { locator, kept = [] } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new Unshown(locator.reason);
    case 'video': {
      const path = placeOf(request.root, locator.path);
      const { videoFramesAt } = await import('./video/video-frames-at.ts');
      return videoFramesAt(path, locator, request);
    }
    case 'image-files':
      return Promise.all(request.times_s.map((time_s) => settled(fileAt(locator, time_s, request))));
    case 'embedded':
      return Promise.all(
        request.times_s.map((time_s) => settled(keptFrame(locator.encoding, kept, time_s, request))),
      );
  }
}

const settled = (frame: Promise<ShownFrame>): Promise<ShownFrame | Unshown> =>
  frame.catch((thrown) => {
    if (thrown instanceof Unshown) return thrown;
    if (thrown instanceof NotPicture) return new Unshown(thrown.message);
    throw thrown;
  });

function placeOf(root: string, path: string): string {
  const place = inside(root, path);
  if (place === null) throw new Unshown(`there is no file ${path}`);
  return place;
}

async function fileAt(
  { paths }: LocatorOf<'image-files'>,
  time_s: number,
  { root, declared_rate_hz, pick }: FramesRequest,
): Promise<ShownFrame> {
  const rate_hz = declared_rate_hz ?? 1;
  const at = pick === 'shown' ? Math.floor(time_s * rate_hz + 1e-6) : Math.round(time_s * rate_hz);
  const place = Math.min(Math.max(0, at), paths.length - 1);
  const path = paths[place];
  if (path === undefined) throw new Unshown('the recording lists no picture');
  const file = placeOf(root, path);
  const { source } = await decodePictureFile(file, readFileSync(file), new DeepScale());
  return { source, time_s: place / rate_hz };
}

/** One of the kept pictures: only these are at hand of a stream inside another container. Throws Unshown, NotPicture. */
async function keptFrame(
  encoding: PictureEncoding,
  kept: readonly KeptPicture[],
  time_s: number,
  { pick, width_px }: FramesRequest,
): Promise<ShownFrame> {
  const picture = pick === 'shown' ? lastUntil(kept, time_s) : nearest(kept, time_s);
  if (picture === undefined) throw new Unshown('no picture of it was kept');
  return { source: await sourceOf(encoding, picture, kept, width_px), time_s: picture.time_s };
}

function nearest(kept: readonly KeptPicture[], time_s: number): KeptPicture | undefined {
  const far = (picture: KeptPicture) => Math.abs(picture.time_s - time_s);
  return kept.toSorted((a, b) => far(a) - far(b))[0];
}

/** The first one where all are later. */
function lastUntil(kept: readonly KeptPicture[], time_s: number): KeptPicture | undefined {
  return kept.findLast((picture) => picture.time_s <= time_s) ?? kept[0];
}

async function sourceOf(
  encoding: PictureEncoding,
  picture: KeptPicture,
  kept: readonly KeptPicture[],
  width_px: number,
): Promise<JpegSource> {
  if (picture.layout !== undefined) {
    const luma = rawLuma(picture.bytes, picture.layout, new DeepScale());
    return rawSource(picture.bytes, picture.layout, luma);
  }
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      const { unitFrame } = await import('./video/unit-frame.ts');
      return unitFrame(encoding, kept, picture.index, width_px);
    }
    default:
      return { type: 'file', bytes: picture.bytes };
  }
}
