import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openVideoUnits } from '../../src/formats/mcap/write/camera-track.ts';
import {
  compressedVideo,
  createSignalSchema,
  encodeVideo as message,
} from '../../src/formats/mcap/write/schemas.ts';
import { McapFileWriter } from '../../src/formats/mcap/write/write-recordings.ts';
import { type Encoding, encodeVideo } from './encode-video.ts';
import { temporaryFolder } from './lerobot-set.ts';
import { movingPicture } from './moving-picture.ts';

const [width, height] = [64, 48];
/** Frames of each, and how many a second. */
export const [filmFrames, filmRate_hz] = [60, 30];

/** A folder for exports, one of recordings, and the video that they show. */
export interface RecordedFilm {
  readonly folder: string;
  readonly source: string;
  readonly video: string;
}

/** A video file. */
export async function film(encoding: Encoding): Promise<RecordedFilm> {
  const folder = await temporaryFolder();
  const source = join(folder, 'recordings');
  await mkdir(source);
  const video = join(source, 'film.mp4');
  await encodeVideo(video, width, height, movingPicture(width, height, filmFrames), encoding);
  return { folder, source, video };
}

/** An MCAP file with the packets of a video, and joints that begin some frames later. */
export async function recordedFilm(encoding: Encoding, late: number): Promise<RecordedFilm> {
  const { folder, video } = await film(encoding);
  const source = join(folder, 'logs');
  await mkdir(source);
  const units = await openVideoUnits(video, 0, Number.MAX_SAFE_INTEGER);
  if (typeof units === 'string') throw new Error(units);
  const file = await McapFileWriter.open(join(source, 'log.mcap'));
  const joints = createSignalSchema('joint_states', ['a', 'b'], { dims: 2, type: 'double' });
  const camera = await file.channel('/camera/front', compressedVideo, {});
  const state = await file.channel('/joint_states', joints, {});
  let frame = 0;
  for await (const data of units.units()) {
    const at_ns = 1_700_000_000_000_000_000n + BigInt(Math.round((frame * 1e9) / filmRate_hz));
    await file.message(camera, at_ns, at_ns, message(at_ns, 'front', data, units.format));
    const values = Float64Array.of(Math.sin(frame / 9), Math.cos(frame / 7));
    if (frame >= late) await file.message(state, at_ns, at_ns, joints.encode(at_ns, values));
    frame++;
  }
  await file.finish();
  await file.close();
  await units.close();
  return { folder, source, video };
}
