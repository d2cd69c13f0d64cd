import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, type Random, seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { openVideoWriter } from '#io/video';
import { writeDrives } from './drive/drive-set.ts';
import { blackFrame, type FramePlan } from './faults/fault.ts';
import { blackVideo } from './faults/video/black-video.ts';
import { unchanged } from './faults/video/frame-plan.ts';
import { frozenVideo } from './faults/video/frozen-video.ts';
import { loggedEpisode } from './logged-episode.ts';
import { type LoggedTopic, writeLogged } from './logged-file.ts';
import { sampledNumbers } from './logged-stream.ts';
import { type Colour, cloud, Picture } from './picture.ts';
import { writePictures } from './pictures/picture-set.ts';
import { satelliteFix } from './satellite-fix.ts';
import { type SpoilPlan, spoil } from './spoil.ts';
import { writeTeleopLeRobot } from './teleop/lerobot-set.ts';
import { writeTeleopMcap } from './teleop/mcap-set.ts';
import type { EpisodeTruth, PlantedTruth, SetTruth } from './truth.ts';

const flightCount = 4;
const plan: SpoilPlan = { 2: ['dropped_rows', 'large'] };
const topics = {
  attitude: '/mavros/local_position/attitude',
  position: '/mavros/global_position/global',
  battery: '/mavros/battery',
} as const;

/** Writes short flights of a small multirotor as MCAP: attitude, satellite position, battery; no camera. */
async function writeFlights(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < flightCount; index++) {
    const clean = flightEpisode(seededRandom(seed * 59 + index * 3 + 1), index);
    const { episode, planted } = spoil(clean, plan, seed, []);
    const path = episode.locator.path;
    await writeLogged(join(folder, path), episode, loggedTopics, { robot_type: 'quadrotor' });
    episodes.push({ index, path, task: null, planted });
    onProgress((index + 1) / flightCount);
  }
  return { title: 'Flights of a multirotor, MCAP', episodes };
}

/** Climbs, flies a circle, comes down; banks into the turn. */
export function flightEpisode(random: Random, index: number): Episode {
  const until_s = random.between(24, 32);
  const [radius_m, top_m] = [random.between(12, 20), random.between(15, 28)];
  const climb = (t: number) => top_m * Math.min(1, Math.min(t, until_s - t) / (until_s * 0.2));
  const turn = (t: number) => (2 * Math.PI * t) / until_s;
  const noise = (size: number) => size * random.normal();
  const streams = [
    sampledNumbers(
      { id: topics.attitude, role: 'attitude', rate_hz: 50, until_s, random },
      ['x', 'y', 'z', 'w'],
      (t) =>
        quaternion(
          0.18 * Math.min(1, climb(t) / 5) + 0.03 * Math.sin(1.9 * t) + noise(0.002),
          0.04 * Math.sin(1.3 * t) + noise(0.002),
          turn(t),
        ),
    ),
    sampledNumbers(
      { id: topics.position, role: 'gnss', rate_hz: 10, until_s, random },
      ['latitude', 'longitude', 'altitude'],
      (t) => [
        47.2 + (radius_m * Math.sin(turn(t)) + noise(0.15)) / 111_320,
        8.55 + (radius_m * (1 - Math.cos(turn(t))) + noise(0.15)) / 75_600,
        430 + climb(t) + noise(0.25),
      ],
    ),
    sampledNumbers(
      { id: topics.battery, role: 'other', rate_hz: 2, until_s, random },
      ['voltage', 'current', 'percentage'],
      (t) => [16.6 - 0.02 * t + noise(0.01), -18 + noise(0.6), 0.95 - 0.003 * t],
    ),
  ];
  const id = `flight_${String(index).padStart(2, '0')}`;
  return loggedEpisode({
    id,
    index,
    every_s: 900,
    duration_s: until_s,
    streams,
    robot: 'quadrotor',
    task: null,
  });
}

/** Roll, pitch, yaw in radians (applied yaw first) to x, y, z, w. */
function quaternion(roll: number, pitch: number, yaw: number): number[] {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
    cr * cp * cy + sr * sp * sy,
  ];
}

const loggedTopics: readonly LoggedTopic[] = [
  {
    stream: topics.attitude,
    topic: topics.attitude,
    schema: 'geometry_msgs/msg/QuaternionStamped',
    value: (header, [x, y, z, w]) => ({ header, quaternion: { x, y, z, w } }),
  },
  {
    stream: topics.position,
    topic: topics.position,
    schema: 'sensor_msgs/msg/NavSatFix',
    value: satelliteFix,
  },
  {
    stream: topics.battery,
    topic: topics.battery,
    schema: 'sensor_msgs/msg/BatteryState',
    value: (header, [voltage, current, percentage]) => ({
      header,
      voltage,
      temperature: 31,
      current,
      charge: 3.1,
      capacity: 4.9,
      design_capacity: 5,
      percentage,
    }),
  },
];

const clipCount = 6;
const size = { width: 320, height: 240 } as const;
const rate_hz = 30;
const spoiled: Readonly<Record<number, typeof blackVideo>> = { 2: blackVideo, 4: frozenVideo };

const skin: Colour = [150, 108, 152];
const table = cloud(512, 512, 7, 4711);
const worn = cloud(512, 512, 60, 4712);

/** Writes clips of a head-worn camera: two hands over a table, seen from a head that sways. */
async function writeEgocentric(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < clipCount; index++) {
    const random = seededRandom(seed * 61 + index * 17);
    const frames = Math.round(random.between(2.6, 3.6) * rate_hz);
    const fault = spoiled[index];
    const plan = fault?.plan(frames, rate_hz, 'medium', random) ?? unchanged(frames, rate_hz);
    const path = `head_camera_${String(index).padStart(2, '0')}.mp4`;
    await writeClip(join(folder, path), plan, random);
    const marks = [{ stream: path, from_s: plan.from_s, to_s: plan.to_s }];
    const planted: PlantedTruth[] = fault === undefined ? [] : [{ fault: fault.id, size: 'medium', marks }];
    episodes.push({ index, path, task: null, planted });
    onProgress((index + 1) / clipCount);
  }
  return { title: 'Clips of a head-worn camera', episodes };
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
      picture.bytes[y * width + x] = 128 + 26 * table[row + x] + 24 * worn[row + x];
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

export interface SampleSet {
  /** Folder of the set. */
  readonly path: string;
  /** Part of the whole work, for progress. */
  readonly weight: number;
  write(folder: string, seed: number, onProgress: (share: number) => void): Promise<Omit<SetTruth, 'path'>>;
}

/** Every sample set, in the order of the manifest. */
export const sampleSets: readonly SampleSet[] = [
  { path: 'teleop-lerobot', weight: 0.54, write: writeTeleopLeRobot },
  { path: 'teleop-mcap', weight: 0.2, write: writeTeleopMcap },
  { path: 'drive', weight: 0.12, write: writeDrives },
  { path: 'flight', weight: 0.02, write: writeFlights },
  { path: 'egocentric', weight: 0.1, write: writeEgocentric },
  { path: 'pictures', weight: 0.02, write: writePictures },
];

/** What a worker is to write. */
export interface SetRequest {
  readonly path: string;
  readonly folder: string;
  readonly seed: number;
  /** Its first number is no longer 0 once the set is not wanted any more. */
  readonly stop: Int32Array;
}

export type SetReport =
  | { readonly share: number }
  | { readonly truth: Omit<SetTruth, 'path'> }
  | { readonly error: string };

/** Writes one sample set in a thread of its own and reports to whoever started it. */
async function main({ path, folder, seed, stop }: SetRequest): Promise<void> {
  const report = (message: SetReport) => parentPort?.postMessage(message);
  const set = sampleSets.find((candidate) => candidate.path === path);
  if (set === undefined) return report({ error: `there is no sample set ${path}` });
  try {
    const truth = await set.write(folder, seed, (share) => {
      if (Atomics.load(stop, 0) !== 0) throw new Error('it was stopped');
      report({ share });
    });
    report({ truth });
  } catch (thrown) {
    report({ error: messageOf(thrown) });
  }
}

await main(workerData as SetRequest);
