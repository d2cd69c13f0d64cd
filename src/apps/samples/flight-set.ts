import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { loggedEpisode, sampledNumbers, satelliteFix } from './logged-episode.ts';
import { type LoggedTopic, writeLogged } from './logged-file.ts';
import { type FaultPlan, plantFault } from './plant-fault.ts';
import type { EpisodeTruth, SetTruth } from './truth.ts';

const flightCount = 4;
const plan: FaultPlan = { 2: ['dropped_rows', 'large'] };
const topics = {
  attitude: '/mavros/local_position/attitude',
  position: '/mavros/global_position/global',
  battery: '/mavros/battery',
} as const;

/**
 * Writes short multirotor flights as MCAP files with attitude, GNSS and battery, without a camera, and returns the
 * planted faults.
 */
export async function writeFlights(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < flightCount; index++) {
    const clean = flightEpisode(seededRandom(seed * 59 + index * 3 + 1), index);
    const { episode, planted } = plantFault(clean, plan, seed, []);
    const path = episode.locator.path;
    await writeLogged(join(folder, path), episode, loggedTopics, { robot_type: 'quadrotor' });
    episodes.push({ index, path, task: null, planted });
    onProgress((index + 1) / flightCount);
  }
  return { title: 'Multirotor flights, MCAP', episodes };
}

/** Simulates a flight of 24 to 32 s: climb, circle with banked turn, descent. */
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

/** Converts roll, pitch and yaw in radians (yaw applied first) to a quaternion x, y, z, w. */
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
