import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { computeCameraStatistics, lerobotVideoPath, writeLeRobotV3 } from '#formats/write';
import { openVideoWriter } from '#io/video';

const twoCameras = ['observation.images.top', 'observation.images.wrist'];
const [width_px, height_px] = [640, 480];
const rate_hz = 30;
const usualRows = 100;
const names = Array.from({ length: 6 }, (_, joint) => `joint_${joint}.pos`);

/** A LeRobot v3 set with two cameras of 640x480 (H.264), made once. */
export const twoCameraSet = (scratch: string, episodes: number, rows = usualRows): Promise<string> =>
  cameraSet(scratch, episodes, twoCameras, rows);

/** The same with cameras of these names, and so many rows an episode, 30 of them a second. */
export async function cameraSet(
  scratch: string,
  episodes: number,
  cameras: readonly string[],
  rows = usualRows,
): Promise<string> {
  const count = cameras.length === 2 ? 'two' : cameras.length;
  const folder = join(scratch, `${count}-cameras-${episodes}${rows === usualRows ? '' : `x${rows}`}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.partial`;
  for (const [seed, camera] of cameras.entries())
    await film(join(partial, lerobotVideoPath(camera, 0)), seed, episodes * rows);
  const black = computeCameraStatistics(
    [0, 1, 2].map(() => Float64Array.from([0, 128, 255])),
    3,
  );
  await writeLeRobotV3(partial, {
    rate_hz,
    robot_type: 'bench_arm',
    features: ['observation.state', 'action'].map((key) => ({ key, names })),
    cameras: cameras.map((key) => ({ key, width_px, height_px, codec: 'h264' })),
    episodes: Array.from({ length: episodes }, (_, episode) => ({
      task: 'move the block',
      rows,
      series: { 'observation.state': swing(episode, 0, rows), action: swing(episode, 0.1, rows) },
      videos: Object.fromEntries(cameras.map((key) => [key, { file: 0, frames_before: episode * rows }])),
    })),
    episodes_per_file: episodes,
    camera_statistics: Object.fromEntries(cameras.map((key) => [key, black])),
  });
  await rename(partial, folder);
  return folder;
}

function swing(episode: number, ahead: number, rows: number): Float32Array {
  return Float32Array.from({ length: rows * names.length }, (_, i) =>
    Math.sin(Math.floor(i / names.length) / 12 + ahead + (i % names.length) + episode / 3),
  );
}

async function film(path: string, seed: number, frames: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const writer = await openVideoWriter(path, { width_px, height_px, rate_hz });
  const backdrop = new Uint8Array((width_px * height_px * 3) / 2).fill(128);
  for (let i = 0; i < width_px * height_px; i++)
    backdrop[i] = 120 + 40 * Math.sin((i % width_px) / 40 + seed) + 30 * Math.sin(i / width_px / 30);
  for (let frame = 0; frame < frames; frame++) {
    const yuv = backdrop.slice();
    const from = (frame * 4) % (width_px - 80);
    for (let y = 200; y < 280; y++) yuv.fill(220, y * width_px + from, y * width_px + from + 80);
    await writer.write(yuv);
  }
  await writer.close();
}
