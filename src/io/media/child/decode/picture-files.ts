import { readFileSync, statSync } from 'node:fs';
import { limits, messageOf } from '#core';
import { pictureFormat, type RawLayout } from '#core/episode';
import { advance } from '#io/processes';
import type { DistancePicture, FrameOutcome, FrameWish, PlannedFrame, RgbPicture } from '../../media-port.ts';
import type { BatchRequest } from '../../protocol.ts';
import { rawNumbers } from '../embedded/raw-picture.ts';
import { inside } from '../inside.ts';
import { notMedia } from '../not-media.ts';
import { isOfThisMachine } from '../of-this-machine.ts';
import { decoderOf, mostPixels, NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import { sharp } from '../pictures/sharp.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';

/** A picture file is read whole. */
const mostBytes = limits.recordings.picture_bytes.value;

/** Frames that are picture files. */
export async function* pictureFiles(
  paths: readonly string[],
  plan: readonly PlannedFrame[],
  { root, wishes, distances }: BatchRequest,
): AsyncGenerator<FrameOutcome, void, undefined> {
  for (const planned of plan) {
    advance();
    const { row, time_s } = planned;
    try {
      const [file, bytes] = read(root, paths[row]);
      if (distances === true) yield { row, time_s, pictures: [], distances: await distancesOf(bytes) };
      else {
        const source = await sourceOf(file, bytes);
        yield { row, time_s, pictures: await picturesOf(source, wishes, planned.wishes) };
      }
    } catch (thrown) {
      if (!(thrown instanceof NotPicture)) throw thrown;
      yield { ...planned, reason: thrown.message };
    }
  }
}

function read(root: string, path: string): readonly [file: string, bytes: Uint8Array] {
  const file = inside(root, path);
  if (file === null) throw new NotPicture(`there is no file ${path}`);
  const { size } = statSync(file);
  if (size > mostBytes) throw new NotPicture(`${size} bytes pass the limit of ${mostBytes} for one picture`);
  return [file, readFileSync(file)];
}

const sourceOf = (file: string, bytes: Uint8Array): Promise<JpegSource> =>
  pictureSource(bytes, async () => {
    const { decodeStill } = await import('../video/decode-still.ts');
    return (await decodeStill(file, Number.POSITIVE_INFINITY)).source;
  });

/** What a picture is decoded from: its bytes, or what FFmpeg makes of them. Throws NotPicture. */
export async function pictureSource(
  bytes: Uint8Array,
  viaFfmpeg: (() => Promise<JpegSource>) | null,
): Promise<JpegSource> {
  const format = pictureFormat(bytes);
  if (format === null)
    throw new NotPicture(notMedia(bytes) ?? 'the first bytes are those of no picture format known here');
  const decoder = decoderOf(format);
  if (decoder === 'ffmpeg' && viaFfmpeg !== null) return viaFfmpeg();
  if (decoder !== 'sharp') throw new Unsupported(`${format} pictures are not decoded here`);
  return { type: 'file', bytes };
}

/** The numbers of a picture of one channel of 16 bits, or of raw pixels with a layout. Throws NotPicture. */
export async function distancesOf(bytes: Uint8Array, layout?: RawLayout): Promise<DistancePicture> {
  if (layout !== undefined)
    return { width_px: layout.width, height_px: layout.height, values: rawNumbers(bytes, layout) };
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: mostPixels });
    const { channels, depth } = await picture.metadata();
    if (channels !== 1 || depth !== 'ushort')
      throw new Unsupported(`a picture of ${channels} x ${depth} holds no distances: they have 16 bits`);
    const raw = picture.toColourspace('grey16').raw({ depth: 'ushort' });
    const { data, info } = await raw.toBuffer({ resolveWithObject: true });
    const own = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
    return { width_px: info.width, height_px: info.height, values: new Uint16Array(own) };
  } catch (thrown) {
    if (thrown instanceof NotPicture || isOfThisMachine(thrown)) throw thrown;
    throw new NotPicture(messageOf(thrown).split('\n')[0]);
  }
}

/** The picture in RGB, reduced for each wish that wants it. Throws NotPicture. */
export async function picturesOf(
  source: JpegSource,
  wishes: readonly FrameWish[],
  wanted: readonly number[],
): Promise<(RgbPicture | null)[]> {
  const pictures: (RgbPicture | null)[] = wishes.map(() => null);
  for (const wish of wanted) pictures[wish] = await rgbOf(source, wishes[wish].longest_side_px);
  return pictures;
}

async function rgbOf(source: JpegSource, side: number): Promise<RgbPicture> {
  try {
    const { data, info } = await opened(source)
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .flatten()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const rgb = info.channels === 3 ? new Uint8Array(data) : widened(data, info.channels);
    return { width_px: info.width, height_px: info.height, rgb, stored_px: await storedSize(source) };
  } catch (thrown) {
    if (isOfThisMachine(thrown)) throw thrown;
    throw new NotPicture(messageOf(thrown).split('\n')[0]);
  }
}

/** Width and height as it is shown. */
async function storedSize(source: JpegSource): Promise<readonly [number, number]> {
  if (source.type === 'file') {
    const { autoOrient } = await sharp(source.bytes).metadata();
    return [autoOrient.width, autoOrient.height];
  }
  const { width, height, rotation_deg } = source;
  return rotation_deg % 180 === 0 ? [width, height] : [height, width];
}

function opened(source: JpegSource) {
  if (source.type === 'file')
    return sharp(source.bytes, { failOn: 'error', limitInputPixels: mostPixels }).autoOrient();
  const { data, width, height, channels, rotation_deg } = source;
  const picture = sharp(data, { raw: { width, height, channels }, limitInputPixels: mostPixels });
  return rotation_deg === 0 ? picture : picture.rotate(rotation_deg);
}

/** Grey, with or without alpha, in three channels. */
function widened(data: Uint8Array, channels: number): Uint8Array {
  const rgb = new Uint8Array((3 * data.length) / channels);
  for (let i = 0, o = 0; o < rgb.length; i += channels, o += 3) rgb.fill(data[i], o, o + 3);
  return rgb;
}
