import { openVideoWriter, type VideoWriter } from '#io/video';
import { blackFrame, type FramePlan } from '../faults/fault.ts';
import { Picture } from '../picture.ts';
import { jointNames } from './arm.ts';
import { backdrop, cameraSize, drawScene } from './scene.ts';
import { recordTake, simulation_hz, type Take } from './take.ts';

/** What the camera saw of a take at `time_s`: scene, flicker of the lamps, sensor noise. */
export function photograph(
  picture: Picture,
  empty: Picture,
  take: Take,
  time_s: number,
  frame: number,
): void {
  const dims = jointNames.length;
  const last = take.pose.length / dims - 1;
  const step = Math.min(Math.round(time_s * simulation_hz), last) * dims;
  const { colour } = take.plan.object;
  drawScene(picture, empty, take.pose.subarray(step, step + dims), take.object(time_s), colour);
  picture.noise(frame, (frame % 3) - 1);
}

/** The first frames of a take as the camera gave them, before an encoder: planar YUV 4:2:0, one a frame. */
export function picturesOfTake(seed: number, index: number, frames: number, rate_hz: number): Uint8Array[] {
  const take = recordTake(seed, index);
  const empty = backdrop(seed);
  return Array.from({ length: frames }, (_, frame) => {
    const picture = new Picture(cameraSize.width, cameraSize.height);
    photograph(picture, empty, take, frame / rate_hz, saltOf(take) + frame);
    return picture.bytes;
  });
}

const saltOf = ({ duration_s }: Take): number => Math.round(duration_s * 1e4);

/** Appends the frames of a plan to a video. A repeated source frame is the same picture, noise included. */
export async function filmTake(
  writer: VideoWriter,
  empty: Picture,
  take: Take,
  plan: FramePlan,
  rate_hz: number,
): Promise<void> {
  const picture = new Picture(cameraSize.width, cameraSize.height);
  const salt = saltOf(take);
  for (const source of plan.source) {
    if (source === blackFrame) picture.fill(16, 128, 128);
    else photograph(picture, empty, take, source / rate_hz, salt + source);
    await writer.write(picture.bytes);
  }
}

export async function openTakeVideo(path: string, rate_hz: number): Promise<VideoWriter> {
  return openVideoWriter(path, { width_px: cameraSize.width, height_px: cameraSize.height, rate_hz });
}
