import { readFileSync, statSync } from 'node:fs';
import { limits } from '#core';
import { pictureFormat } from '#core/episode';
import { advance } from '#io/processes';
import type { FrameOutcome, PlannedFrame } from '../../media-port.ts';
import type { BatchRequest } from '../../protocol.ts';
import { inside } from '../inside.ts';
import { notMedia } from '../not-media.ts';
import { NotPicture, Unsupported } from '../pictures/decode-picture.ts';
import { decoderOf } from '../pictures/decoders.ts';
import type { JpegSource } from '../pictures/to-jpeg.ts';
import { distancesOf } from './distances.ts';
import { picturesOf } from './picture-rgb.ts';

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
