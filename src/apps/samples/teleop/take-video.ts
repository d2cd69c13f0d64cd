import { openVideoWriter, type VideoWriter } from '#io/video';
import { blackFrame, type FramePlan } from '../faults/fault.ts';
import { Picture } from '../picture.ts';
import { jointNames } from './arm.ts';
import { backdrop, cameraSize, drawScene } from './scene.ts';
import { recordTake, simulation_hz, type Take } from './take.ts';

/** Draws scene, lamp flicker and sensor noise of a take at `time_s` into `picture`; after the end of the take its last pose. */
export function renderTake(
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

/** Renders the first frames of a take before encoding, one planar YUV 4:2:0 buffer for each. */
export function picturesOfTake(seed: number, index: number, frames: number, rate_hz: number): Uint8Array[] {
  const take = recordTake(seed, index);
  const empty = backdrop(seed);
  return Array.from({ length: frames }, (_, frame) => {
    const picture = new Picture(cameraSize.width, cameraSize.height);
    renderTake(picture, empty, take, frame / rate_hz, noiseSeed(take) + frame);
    return picture.bytes;
  });
}

const noiseSeed = ({ duration_s }: Take): number => Math.round(duration_s * 1e4);

/** Appends the frames of a plan to a video. A repeated source frame is identical, including its noise. */
export async function writeTake(
  writer: VideoWriter,
  empty: Picture,
  take: Take,
  plan: FramePlan,
  rate_hz: number,
): Promise<void> {
  const picture = new Picture(cameraSize.width, cameraSize.height);
  const salt = noiseSeed(take);
  for (const source of plan.source) {
    if (source === blackFrame) picture.fill(16, 128, 128);
    else renderTake(picture, empty, take, source / rate_hz, salt + source);
    await writer.write(picture.bytes);
  }
}

/** Opens a video writer with the size of the teleoperation camera. */
export async function openTakeVideo(path: string, rate_hz: number): Promise<VideoWriter> {
  return openVideoWriter(path, { width_px: cameraSize.width, height_px: cameraSize.height, rate_hz });
}
