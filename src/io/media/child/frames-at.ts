import { readFileSync } from 'node:fs';
import { messageOf } from '#core';
import type { FrameLocator } from '#core/episode';
import type { FramesRequest, NoPicture, Picture } from '../media-port.ts';
import { keptFrame } from './embedded/kept-frame.ts';
import { inside } from './inside.ts';
import { NotPicture } from './pictures/decode-picture.ts';
import { decodePictureFile } from './pictures/decode-picture-file.ts';
import { DeepScale } from './pictures/deep-luma.ts';
import { toJpeg } from './pictures/to-jpeg.ts';
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
