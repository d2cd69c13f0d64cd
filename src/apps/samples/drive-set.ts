import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import type { Episode, Stream } from '#core/episode';
import { openJpegEncoder } from '#io/video';
import { frozenVideo } from './faults/camera-faults.ts';
import { identityPlan } from './faults/fault.ts';
import { loggedCamera, loggedEpisode, sampledNumbers, satelliteFix } from './logged-episode.ts';
import { type LoggedTopic, writeLogged } from './logged-file.ts';
import { cloud, Picture } from './picture.ts';
import { type FaultPlan, plantFault } from './plant-fault.ts';
import type { EpisodeTruth, PlantedTruth, SetTruth } from './truth.ts';

const driveCount = 6;
const cameraTopic = '/camera/front/compressed';
const camera_hz = 10;
const frozenDrive = 4;
const plan: FaultPlan = { 2: ['dropped_rows', 'medium'] };

/** Writes short drives as MCAP files with camera, vehicle state, IMU and GNSS, and returns the planted faults. */
export async function writeDrives(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const encoder = await openJpegEncoder(roadSize.width, roadSize.height);
  const picture = new Picture(roadSize.width, roadSize.height);
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < driveCount; index++) {
    const random = seededRandom(seed * 53 + index * 7 + 2);
    const route = planRoute(random, random.between(9, 12));
    const { episode, planted } = plantFault(driveEpisode(route, random, index), plan, seed, []);
    const frames = planFrames(episode, index, random);
    const photo = (frame: number, time_s: number): Uint8Array => {
      const seen = frames.source[frame];
      const frameTime_s = seen === frame ? time_s : seen / camera_hz;
      const { heading, travelled_m } = route.pose(frameTime_s);
      drawRoad(picture, travelled_m, heading, route.steering_rad(frameTime_s));
      picture.noise(seen + index * 997, 0);
      return encoder.encode(picture.bytes);
    };
    await writeLogged(join(folder, episode.locator.path), episode, topicsOf(photo), { robot_type: 'car' });
    episodes.push({
      index,
      path: episode.locator.path,
      task: null,
      planted: [...planted, ...frames.planted],
    });
    onProgress((index + 1) / driveCount);
  }
  encoder.close();
  return { title: 'Drives, MCAP', episodes };
}

/** Returns the source frame of each camera message; drive `frozenDrive` has a frozen camera. */
function planFrames(
  episode: Episode,
  index: number,
  random: Random,
): { source: Int32Array; planted: PlantedTruth[] } {
  const count = episode.streams.find((stream) => stream.id === cameraTopic)?.sample_count ?? 0;
  if (index !== frozenDrive) return { source: identityPlan(count, camera_hz).source, planted: [] };
  const { source, from_s, to_s } = frozenVideo.plan(count, camera_hz, 'medium', random);
  return {
    source,
    planted: [{ fault: 'frozen_video', size: 'medium', marks: [{ stream: cameraTopic, from_s, to_s }] }],
  };
}

function driveEpisode(route: Route, random: Random, index: number): Episode {
  const until_s = route.duration_s;
  const id = `drive_${String(index).padStart(2, '0')}`;
  const camera = { id: cameraTopic, role: 'camera', rate_hz: camera_hz, until_s, random } as const;
  const streams = [loggedCamera(camera, roadSize.width, roadSize.height), ...simulateSensors(route, random)];
  return loggedEpisode({ id, index, every_s: 3600, duration_s: until_s, streams, robot: 'car', task: null });
}

function simulateSensors(route: Route, random: Random): Stream[] {
  const until_s = route.duration_s;
  const noise = (size: number) => size * random.normal();
  const slope = (of: (t: number) => number, t: number) => (of(t + 0.02) - of(t - 0.02)) / 0.04;
  const yawRate = (t: number) => slope((at) => route.pose(Math.max(0.03, at)).heading, t);
  const vehicle = { id: '/vehicle/state', role: 'vehicle', rate_hz: 50, until_s, random } as const;
  const imu = { id: '/imu/data', role: 'imu', rate_hz: 100, until_s, random } as const;
  const gnss = { id: '/gps/fix', role: 'gnss', rate_hz: 10, until_s, random } as const;
  return [
    sampledNumbers(vehicle, ['speed_mps', 'steering_angle_rad', 'throttle', 'brake'], (t) => [
      route.speed_mps(t) + noise(0.02),
      route.steering_rad(t) + noise(0.001),
      Math.max(0, 0.2 + 0.1 * slope(route.speed_mps, t)),
      Math.max(0, -0.1 * slope(route.speed_mps, t)),
    ]),
    sampledNumbers(imu, ['wx', 'wy', 'wz', 'ax', 'ay', 'az'], (t) => [
      noise(0.004),
      noise(0.004),
      yawRate(t) + noise(0.004),
      slope(route.speed_mps, t) + noise(0.06),
      route.speed_mps(t) * yawRate(t) + noise(0.06),
      9.81 + noise(0.08),
    ]),
    sampledNumbers(gnss, ['latitude', 'longitude', 'altitude'], (t) => {
      const { east_m, north_m } = route.pose(t);
      const [east, north] = [east_m + noise(0.2), north_m + noise(0.2)];
      return [48.137 + north / 111_320, 11.575 + east / 74_300, 519 + noise(0.4)];
    }),
  ];
}

function topicsOf(photo: (frame: number, time_s: number) => Uint8Array): LoggedTopic[] {
  const none = { x: 0, y: 0, z: 0, w: 1 };
  const unknown = new Array<number>(9).fill(0);
  return [
    {
      stream: cameraTopic,
      topic: cameraTopic,
      schema: 'sensor_msgs/msg/CompressedImage',
      value: (header, _row, frame, time_s) => ({ header, format: 'jpeg', data: photo(frame, time_s) }),
    },
    {
      stream: '/vehicle/state',
      topic: '/vehicle/state',
      schema: 'vehicle_msgs/msg/VehicleState',
      value: (header, [speed_mps, steering_angle_rad, throttle, brake]) => ({
        header,
        speed_mps,
        steering_angle_rad,
        throttle,
        brake,
      }),
    },
    {
      stream: '/imu/data',
      topic: '/imu/data',
      schema: 'sensor_msgs/msg/Imu',
      value: (header, [wx, wy, wz, ax, ay, az]) => ({
        header,
        orientation: none,
        orientation_covariance: [-1, ...unknown.slice(1)],
        angular_velocity: { x: wx, y: wy, z: wz },
        angular_velocity_covariance: unknown,
        linear_acceleration: { x: ax, y: ay, z: az },
        linear_acceleration_covariance: unknown,
      }),
    },
    {
      stream: '/gps/fix',
      topic: '/gps/fix',
      schema: 'sensor_msgs/msg/NavSatFix',
      value: satelliteFix,
    },
  ];
}

const roadSize = { width: 256, height: 160 } as const;
const horizon = 66;
const camera = { height_m: 1.35, focal_px: 190 } as const;

const ground = cloud(256, 256, 4, 881);
const trees = cloud(1024, 80, 9, 882);

/** Draws the road ahead: asphalt, lane marks that approach as the car travels, trees that shift as it turns. */
function drawRoad(picture: Picture, travelled_m: number, heading: number, bend_rad: number): void {
  const { width, height } = roadSize;
  const luma = width * height;
  const { bytes } = picture;
  for (let y = 0; y < horizon; y++) {
    for (let x = 0; x < width; x++) {
      const column = Math.round(x + heading * 420 + 4096) & 1023;
      const tree = trees[Math.min(79, y) * 1024 + column];
      const crown = y > 34 + 9 * trees[40 * 1024 + column];
      bytes[y * width + x] = crown ? 74 + 26 * tree : 196 - y * 0.5 + 3 * tree;
    }
  }
  for (let y = horizon; y < height; y++) {
    const depth_m = (camera.height_m * camera.focal_px) / (y - horizon + 0.5);
    const centre = width / 2 + (bend_rad * depth_m * 14) / (1 + depth_m * 0.05);
    const lane_px = (1.8 * camera.focal_px) / depth_m;
    const row = Math.floor((depth_m + travelled_m) * 6) & 255;
    const dashed = (depth_m + travelled_m) % 9 < 4;
    for (let x = 0; x < width; x++) {
      const across = (x - centre) / lane_px;
      const grain = ground[row * 256 + (Math.floor(across * 40 + 4096) & 255)];
      const edge = Math.abs(Math.abs(across) - 2.1) < 0.06;
      const middle = dashed && Math.abs(across + 0.95) < 0.05;
      const verge = Math.abs(across) > 2.4;
      bytes[y * width + x] = edge || middle ? 214 : (verge ? 104 : 86) + 15 * grain;
    }
  }
  const split = luma + (width >> 1) * (horizon >> 1);
  bytes.fill(124, luma, luma * 1.25);
  bytes.fill(126, luma * 1.25);
  bytes.fill(136, luma, split);
}

/** A simulated drive: speed and steering as slow waves, integrated to heading and position. */
interface Route {
  readonly duration_s: number;
  speed_mps(time_s: number): number;
  steering_rad(time_s: number): number;
  /** Heading in radians from east; position in metres east and north of the start; distance travelled. */
  pose(time_s: number): { heading: number; east_m: number; north_m: number; travelled_m: number };
}

const wheelbase_m = 2.7;
const steeringRatio = 15;
const step_s = 0.01;

function planRoute(random: Random, duration_s: number): Route {
  const cruise = random.between(9, 15);
  const [sway, wind] = [random.between(0.9, 1.8), random.between(0.35, 0.6)];
  const [a, b] = [random.between(0, 6), random.between(0, 6)];
  const speed_mps = (t: number): number =>
    cruise + sway * Math.sin(0.5 * t + a) + 0.3 * Math.sin(1.7 * t + b);
  const steering_rad = (t: number): number => wind * Math.sin(0.55 * t + b) + 0.08 * Math.sin(2.1 * t + a);
  const steps = Math.ceil(duration_s / step_s) + 2;
  const track = new Float64Array(steps * 4);
  for (let i = 1; i < steps; i++) {
    const [heading, east, north, travelled] = track.subarray((i - 1) * 4, i * 4);
    const moved = speed_mps(i * step_s) * step_s;
    const turned = (moved * Math.tan(steering_rad(i * step_s) / steeringRatio)) / wheelbase_m;
    const now = [
      heading + turned,
      east + moved * Math.cos(heading),
      north + moved * Math.sin(heading),
      travelled + moved,
    ];
    track.set(now, i * 4);
  }
  return {
    duration_s,
    speed_mps,
    steering_rad,
    pose: (t) => {
      const i = Math.max(0, Math.min(steps - 1, Math.round(t / step_s))) * 4;
      return { heading: track[i], east_m: track[i + 1], north_m: track[i + 2], travelled_m: track[i + 3] };
    },
  };
}
