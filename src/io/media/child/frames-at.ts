import { readFileSync } from 'node:fs';
import { messageOf } from '#core';
import type { FrameLocator, PictureEncoding, SampledPicture } from '#core/episode';
import type { FramesRequest, NoPicture, Picture } from '../media-port.ts';
import { FrameUnavailable, type RenderedFrame } from './media-errors.ts';
import { resolveInside } from './media-files.ts';
import { DeepScale, PictureError } from './pictures/decode-picture.ts';
import { decodePictureFile } from './pictures/decode-picture-file.ts';
import { rawLuma, rawSource } from './pictures/raw-picture.ts';
import { type JpegSource, toJpeg } from './pictures/sharp.ts';

type LocatorOf<Type extends FrameLocator['type']> = Extract<FrameLocator, { type: Type }>;

/** Returns one JPEG per requested time, or the reason why there is none. */
export async function framesAt(request: FramesRequest): Promise<(Picture | NoPicture)[]> {
  try {
    const frames = await renderFrames(request);
    return await Promise.all(frames.map((frame) => encodePicture(frame, request)));
  } catch (thrown) {
    if (!(thrown instanceof FrameUnavailable)) throw thrown;
    return request.times_s.map(() => ({ jpeg: null, reason: thrown.message }));
  }
}

async function encodePicture(
  frame: RenderedFrame | FrameUnavailable,
  { width_px, quality }: FramesRequest,
): Promise<Picture | NoPicture> {
  if (frame instanceof FrameUnavailable) return { jpeg: null, reason: frame.message };
  try {
    const { jpeg } = await toJpeg(frame.source, width_px, quality);
    return { jpeg, time_s: frame.time_s };
  } catch (thrown) {
    return { jpeg: null, reason: messageOf(thrown) };
  }
}

async function renderFrames(request: FramesRequest): Promise<readonly (RenderedFrame | FrameUnavailable)[]> {
  const { locator, kept: extracted = [] } = request.frames;
  switch (locator.type) {
    case 'missing':
      throw new FrameUnavailable(locator.reason);
    case 'video': {
      const path = requirePath(request.root, locator.path);
      const { renderVideoFrames } = await import('./video/video-frames-at.ts');
      return renderVideoFrames(path, locator, request);
    }
    case 'image-files':
      return Promise.all(
        request.times_s.map((time_s) => catchUnavailable(renderFile(locator, time_s, request))),
      );
    case 'embedded':
      return Promise.all(
        request.times_s.map((time_s) =>
          catchUnavailable(renderEmbedded(locator.encoding, extracted, time_s, request)),
        ),
      );
  }
}

const catchUnavailable = (frame: Promise<RenderedFrame>): Promise<RenderedFrame | FrameUnavailable> =>
  frame.catch((thrown) => {
    if (thrown instanceof FrameUnavailable) return thrown;
    if (thrown instanceof PictureError) return new FrameUnavailable(thrown.message);
    throw thrown;
  });

function requirePath(root: string, path: string): string {
  const index = resolveInside(root, path);
  if (index === null) throw new FrameUnavailable(`file not found: ${path}`);
  return index;
}

async function renderFile(
  { paths }: LocatorOf<'image-files'>,
  time_s: number,
  { root, declared_rate_hz, pick }: FramesRequest,
): Promise<RenderedFrame> {
  const rate_hz = declared_rate_hz ?? 1;
  const at = pick === 'shown' ? Math.floor(time_s * rate_hz + 1e-6) : Math.round(time_s * rate_hz);
  const index = Math.min(Math.max(0, at), paths.length - 1);
  const path = paths[index];
  if (path === undefined) throw new FrameUnavailable('the recording lists no images');
  const file = requirePath(root, path);
  const { source } = await decodePictureFile(file, readFileSync(file), new DeepScale());
  return { source, time_s: index / rate_hz };
}

/**
 * Renders one of the extracted pictures of a stream inside a recording; only these are available. Throws
 * FrameUnavailable, PictureError.
 */
async function renderEmbedded(
  encoding: PictureEncoding,
  extracted: readonly SampledPicture[],
  time_s: number,
  { pick, width_px }: FramesRequest,
): Promise<RenderedFrame> {
  const picture = pick === 'shown' ? lastPictureUntil(extracted, time_s) : nearestPicture(extracted, time_s);
  if (picture === undefined) throw new FrameUnavailable('its image was not stored');
  return { source: await embeddedSource(encoding, picture, extracted, width_px), time_s: picture.time_s };
}

function nearestPicture(extracted: readonly SampledPicture[], time_s: number): SampledPicture | undefined {
  const far = (picture: SampledPicture) => Math.abs(picture.time_s - time_s);
  return extracted.toSorted((a, b) => far(a) - far(b))[0];
}

/** Returns the last picture at or before the time; the first picture if all are later. */
function lastPictureUntil(extracted: readonly SampledPicture[], time_s: number): SampledPicture | undefined {
  return extracted.findLast((picture) => picture.time_s <= time_s) ?? extracted[0];
}

async function embeddedSource(
  encoding: PictureEncoding,
  picture: SampledPicture,
  extracted: readonly SampledPicture[],
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
      const { decodeUnitFrame } = await import('./video/unit-decoder.ts');
      return decodeUnitFrame(encoding, extracted, picture.index, width_px);
    }
    default:
      return { type: 'file', bytes: picture.bytes };
  }
}
