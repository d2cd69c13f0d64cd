import { readFileSync, statSync } from 'node:fs';
import { limits, messageOf } from '#core';
import { type PictureEncoding, pictureFormat, type RawLayout, type SampledPicture } from '#core/episode';
import { reportProgress } from '#io/processes';
import type { DistancePicture, FrameNeed, FrameOutcome, PlannedFrame, RgbPicture } from '../media-port.ts';
import type { BatchRequest } from '../protocol.ts';
import { FrameUnavailable, isMachineFault } from './media-errors.ts';
import { describeNonMedia, resolveInside } from './media-files.ts';
import {
  decoderFor,
  type LumaScale,
  maxPicturePixels,
  PictureError,
  UnsupportedPicture,
} from './pictures/decode-picture.ts';
import { rawLuma, rawNumbers, rawSource } from './pictures/raw-picture.ts';
import { type JpegSource, sharp } from './pictures/sharp.ts';

/** Maximum size of a picture file in bytes; files are read whole. */
const maxPictureBytes = limits.recordings.picture_bytes.value;

/**
 * Yields the planned frames of picture files, decoded in the requested sizes or as depth values; one that cannot be
 * decoded is yielded with the reason.
 */
export async function* fileFrames(
  paths: readonly string[],
  plan: readonly PlannedFrame[],
  { root, needs, distances }: BatchRequest,
): AsyncGenerator<FrameOutcome, void, undefined> {
  for (const planned of plan) {
    reportProgress();
    const { row, time_s } = planned;
    try {
      const [file, bytes] = readPictureFile(root, paths[row]);
      if (distances === true) yield { row, time_s, pictures: [], distances: await readDistances(bytes) };
      else {
        const source = await fileSource(file, bytes);
        yield { row, time_s, pictures: await renderPictures(source, needs, planned.needs) };
      }
    } catch (thrown) {
      if (!(thrown instanceof PictureError)) throw thrown;
      yield { ...planned, reason: thrown.message };
    }
  }
}

function readPictureFile(root: string, path: string): readonly [file: string, bytes: Uint8Array] {
  const file = resolveInside(root, path);
  if (file === null) throw new PictureError(`file not found: ${path}`);
  const { size } = statSync(file);
  if (size > maxPictureBytes)
    throw new PictureError(`${size} bytes exceed the limit of ${maxPictureBytes} for one image`);
  return [file, readFileSync(file)];
}

const fileSource = (file: string, bytes: Uint8Array): Promise<JpegSource> =>
  pictureSource(bytes, async () => {
    const { decodeStill } = await import('./video/decode-still.ts');
    return (await decodeStill(file, Number.POSITIVE_INFINITY)).source;
  });

/**
 * Returns the source of a picture: its bytes, or pixels decoded by FFmpeg if `viaFfmpeg` is given and the format needs
 * it. Throws PictureError for unknown or unsupported formats.
 */
async function pictureSource(
  bytes: Uint8Array,
  viaFfmpeg: (() => Promise<JpegSource>) | null,
): Promise<JpegSource> {
  const format = pictureFormat(bytes);
  if (format === null)
    throw new PictureError(
      describeNonMedia(bytes) ?? 'the first bytes do not match any supported image format',
    );
  const decoder = decoderFor(format);
  if (decoder === 'ffmpeg' && viaFfmpeg !== null) return viaFfmpeg();
  if (decoder !== 'sharp') throw new UnsupportedPicture(`decoding ${format} images is not supported`);
  return { type: 'file', bytes };
}

/** Reads the depth values of a one-channel 16-bit picture, or of raw pixels with a layout. Throws PictureError. */
async function readDistances(bytes: Uint8Array, layout?: RawLayout): Promise<DistancePicture> {
  if (layout !== undefined)
    return { width_px: layout.width, height_px: layout.height, values: rawNumbers(bytes, layout) };
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: maxPicturePixels });
    const { channels, depth } = await picture.metadata();
    if (channels !== 1 || depth !== 'ushort')
      throw new UnsupportedPicture(
        `an image with ${channels} channels of type ${depth} has no depth values: one 16-bit channel is required`,
      );
    const raw = picture.toColourspace('grey16').raw({ depth: 'ushort' });
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    const pixelBytes = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    return { width_px: info.width, height_px: info.height, values: new Uint16Array(pixelBytes) };
  } catch (thrown) {
    if (thrown instanceof PictureError || isMachineFault(thrown)) throw thrown;
    throw new PictureError(messageOf(thrown).split('\n')[0]);
  }
}

/** Renders a picture in RGB for each need in `requested`; null for the others. Throws PictureError. */
async function renderPictures(
  source: JpegSource,
  needs: readonly FrameNeed[],
  requested: readonly number[],
): Promise<(RgbPicture | null)[]> {
  const pictures: (RgbPicture | null)[] = needs.map(() => null);
  for (const need of requested) pictures[need] = await renderRgb(source, needs[need].longest_side_px);
  return pictures;
}

async function renderRgb(source: JpegSource, side: number): Promise<RgbPicture> {
  try {
    const { data, info } = await openSource(source)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgb = info.channels === 3 ? new Uint8Array(data) : expandGrey(data, info.channels);
    return { width_px: info.width, height_px: info.height, rgb, stored_px: await storedSize(source) };
  } catch (thrown) {
    if (isMachineFault(thrown)) throw thrown;
    throw new PictureError(messageOf(thrown).split('\n')[0]);
  }
}

/** Returns width and height of the upright picture. */
async function storedSize(source: JpegSource): Promise<readonly [number, number]> {
  if (source.type === 'file') {
    const { autoOrient } = await sharp(source.bytes).metadata();
    return [autoOrient.width, autoOrient.height];
  }
  const { width, height, rotation_deg } = source;
  return rotation_deg % 180 === 0 ? [width, height] : [height, width];
}

function openSource(source: JpegSource) {
  if (source.type === 'file')
    return sharp(source.bytes, { failOn: 'error', limitInputPixels: maxPicturePixels }).autoOrient();
  const { data, width, height, channels, rotation_deg } = source;
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: maxPicturePixels });
  return rotation_deg === 0 ? picture : picture.rotate(rotation_deg);
}

/** Expands grey, with or without alpha, to three channels. */
function expandGrey(data: Uint8Array, channels: number): Uint8Array {
  const rgb = new Uint8Array((3 * data.length) / channels);
  for (let i = 0, o = 0; o < rgb.length; i += channels, o += 3) rgb.fill(data[i], o, o + 3);
  return rgb;
}

/**
 * Yields the planned frames whose bytes were extracted from a recording, decoded in the requested sizes or as depth
 * values; one that cannot be decoded is yielded with the reason.
 */
export async function* embeddedFrames(
  encoding: PictureEncoding,
  extracted: readonly SampledPicture[],
  plan: readonly PlannedFrame[],
  { needs, distances }: BatchRequest,
): AsyncGenerator<FrameOutcome, void, undefined> {
  switch (encoding) {
    case 'h264':
    case 'h265':
    case 'av1':
    case 'vp9': {
      if (distances === true) throw new FrameUnavailable('depth values cannot be read from video');
      const { unitFrames } = await import('./video-frames.ts');
      return yield* unitFrames(encoding, extracted, plan, needs);
    }
  }
  const byRow = new Map(extracted.map((picture) => [picture.index, picture]));
  for (const planned of plan) {
    reportProgress();
    const { row, time_s } = planned;
    try {
      const picture = byRow.get(row);
      if (picture === undefined) throw new PictureError('the image was not found in the recording');
      if (distances === true)
        yield { row, time_s, pictures: [], distances: await readDistances(picture.bytes, picture.layout) };
      else
        yield {
          row,
          time_s,
          pictures: await renderPictures(await embeddedSource(picture), needs, planned.needs),
        };
    } catch (thrown) {
      if (!(thrown instanceof PictureError)) throw thrown;
      yield { ...planned, reason: thrown.message };
    }
  }
}

async function embeddedSource({ bytes, layout }: SampledPicture): Promise<JpegSource> {
  if (layout !== undefined) return rawSource(bytes, layout, rawLuma(bytes, layout, highByteScale));
  return pictureSource(bytes, null);
}

/** Reduces 16-bit pictures to their high byte, which does not depend on other frames of the camera. */
const highByteScale: LumaScale = {
  luma: (values, width, height) => {
    if (values instanceof Float32Array)
      throw new UnsupportedPicture('it contains depth values (32FC1), not an image');
    return { width, height, data: Uint8Array.from(values, (value) => value >> 8) };
  },
};
