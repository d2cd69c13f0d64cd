import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import { openVideoWriter } from '#io/video';
import { blackVideo, frozenVideo } from './faults/camera-faults.ts';
import { blackFrame, type FramePlan, identityPlan } from './faults/fault.ts';
import { type Colour, cloud, Picture } from './picture.ts';
import type { EpisodeTruth, PlantedTruth, SetTruth } from './truth.ts';

const clipCount = 6;
const size = { width: 320, height: 240 } as const;
const rate_hz = 30;
const plannedFaults: Readonly<Record<number, typeof blackVideo>> = { 2: blackVideo, 4: frozenVideo };

const skin: Colour = [150, 108, 152];
const table = cloud(512, 512, 7, 4711);
const fineGrain = cloud(512, 512, 60, 4712);

/**
 * Writes MP4 clips of a head-worn camera, two hands over a table seen from a swaying head, and returns the planted
 * faults.
 */
export async function writeEgocentric(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < clipCount; index++) {
    const random = seededRandom(seed * 61 + index * 17);
    const frames = Math.round(random.between(2.6, 3.6) * rate_hz);
    const fault = plannedFaults[index];
    const plan = fault?.plan(frames, rate_hz, 'medium', random) ?? identityPlan(frames, rate_hz);
    const path = `head_camera_${String(index).padStart(2, '0')}.mp4`;
    await writeClip(join(folder, path), plan, random);
    const marks = [{ stream: path, from_s: plan.from_s, to_s: plan.to_s }];
    const planted: PlantedTruth[] = fault === undefined ? [] : [{ fault: fault.id, size: 'medium', marks }];
    episodes.push({ index, path, task: null, planted });
    onProgress((index + 1) / clipCount);
  }
  return { title: 'Head camera clips', episodes };
}

async function writeClip(path: string, plan: FramePlan, random: Random): Promise<void> {
  const writer = await openVideoWriter(path, {
    width_px: size.width,
    height_px: size.height,
    rate_hz,
    keyframe_every: 15,
  });
  const picture = new Picture(size.width, size.height);
  const phase = random.between(0, 6);
  for (const source of plan.source) {
    if (source === blackFrame) picture.fill(16, 128, 128);
    else {
      drawHands(picture, source / rate_hz, phase);
      picture.noise(source + Math.round(phase * 100), (source % 3) - 1);
    }
    await writer.write(picture.bytes);
  }
  await writer.close();
}

function drawHands(picture: Picture, time_s: number, phase: number): void {
  const { width, height } = size;
  const swayX = Math.round(80 + 26 * Math.sin(0.9 * time_s + phase) + 6 * Math.sin(4.1 * time_s));
  const swayY = Math.round(80 + 16 * Math.sin(1.3 * time_s + 2 * phase));
  picture.fill(120, 120, 138);
  for (let y = 0; y < height; y++) {
    const row = (y + swayY) * 512 + swayX;
    for (let x = 0; x < width; x++) {
      picture.bytes[y * width + x] = 128 + 26 * table[row + x] + 24 * fineGrain[row + x];
    }
  }
  const cup: [number, number] = [250 - swayX, 190 - swayY];
  picture.stroke(cup[0], cup[1], cup[0], cup[1] + 22, 19, [196, 150, 112]);
  for (const side of [-1, 1]) {
    const reach = 34 * Math.sin(1.6 * time_s + phase + side);
    const x = width / 2 + side * (62 - 0.5 * reach);
    const y = 152 - reach;
    picture.stroke(width / 2 + side * 128, height + 12, x, y, 17, skin);
    for (let finger = -1.5; finger <= 1.5; finger++) {
      const bend = 5 * Math.sin(2.7 * time_s + finger);
      picture.stroke(x, y, x - side * 12 + finger * 8, y - 22 - bend, 5, skin);
    }
  }
}
