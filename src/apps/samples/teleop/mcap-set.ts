import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { openJpegEncoder } from '#io/video';
import { loggedCamera, loggedEpisode, loggedNumbers } from '../logged-episode.ts';
import { type LoggedTopic, writeLogged } from '../logged-file.ts';
import { Picture } from '../picture.ts';
import { plantFault } from '../plant-fault.ts';
import type { EpisodeTruth, SetTruth } from '../truth.ts';
import { jointNames } from './arm.ts';
import type { TeleopOptions } from './lerobot-set.ts';
import { backdrop, cameraSize } from './scene.ts';
import { recordTake, sampleTake, type Take } from './take.ts';
import { renderTake } from './take-video.ts';

const defaultOptions: TeleopOptions = {
  episodes: 24,
  plan: {
    2: ['dropped_rows', 'medium'],
    6: ['swapped_stamps', 'small'],
    9: ['frozen_state', 'medium'],
    13: ['unit_change', 'medium'],
    16: ['missing_camera', 'large'],
    19: ['empty_instruction', 'large'],
  },
};

const plainJointNames = jointNames.map((name) => name.replace('.pos', ''));

/**
 * Writes the demonstrations as ROS 2 style MCAP, one file each, and returns the planted faults. `succeeded` is the
 * outcome stored in each file.
 */
export async function writeTeleopMcap(
  folder: string,
  seed: number,
  onProgress: (share: number) => void,
  {
    episodes: count,
    plan,
    succeeded = true,
  }: TeleopOptions & { readonly succeeded?: boolean } = defaultOptions,
): Promise<Omit<SetTruth, 'path'>> {
  await mkdir(folder, { recursive: true });
  const encoder = await openJpegEncoder(cameraSize.width, cameraSize.height);
  const empty = backdrop(seed);
  const picture = new Picture(cameraSize.width, cameraSize.height);
  const takes = Array.from({ length: count }, (_, index) => recordTake(seed, index));
  const clean = takes.map((take, index) => loggedTake(take, seed, index));
  const episodes: EpisodeTruth[] = [];
  for (let index = 0; index < count; index++) {
    const { episode, planted } = plantFault(clean[index], plan, seed, clean);
    const photo = (time_s: number, frame: number): Uint8Array => {
      renderTake(picture, empty, takes[index], time_s, index * 1000 + frame);
      return encoder.encode(picture.bytes);
    };
    const task = episode.tasks?.[0]?.text ?? '';
    const metadata = { task, robot_type: 'desk_arm', success: String(succeeded) };
    await writeLogged(join(folder, episode.locator.path), episode, topicsOf(photo), metadata);
    episodes.push({ index, path: episode.locator.path, task, planted });
    onProgress((index + 1) / count);
  }
  encoder.close();
  return { title: 'Teleoperation, MCAP', episodes };
}

function topicsOf(photo: (time_s: number, frame: number) => Uint8Array): LoggedTopic[] {
  const joints = (topic: string): LoggedTopic => ({
    stream: topic,
    topic,
    schema: 'sensor_msgs/msg/JointState',
    value: (header, position) => ({ header, name: plainJointNames, position, velocity: [], effort: [] }),
  });
  return [
    joints(topics.state),
    joints(topics.action),
    {
      stream: topics.camera,
      topic: topics.camera,
      schema: 'sensor_msgs/msg/CompressedImage',
      value: (header, _row, index, time_s) => ({ header, format: 'jpeg', data: photo(time_s, index) }),
    },
  ];
}

const topics = {
  state: '/follower/joint_states',
  action: '/leader/joint_states',
  camera: '/camera/front/compressed',
} as const;
const jointRate_hz = 50;
const cameraRate_hz = 10;
const gripper = jointNames.length - 1;

/** Converts a take to a logged episode, every stream at its own rate; angles in radians, gripper in metres. */
export function loggedTake(take: Take, seed: number, index: number): Episode {
  const random = seededRandom(seed * 37 + index * 11 + 5);
  const until_s = take.duration_s;
  const joints = (role: 'state' | 'action') =>
    loggedNumbers(
      { id: topics[role], role, rate_hz: jointRate_hz, until_s, random },
      plainJointNames,
      (times) => toSi(sampleTake(take, times, random)[role]),
    );
  const state = joints('state');
  const action = joints('action');
  const camera = { id: topics.camera, role: 'camera', rate_hz: cameraRate_hz, until_s, random } as const;
  const id = `episode_${String(index).padStart(3, '0')}`;
  const streams = [state, action, loggedCamera(camera, cameraSize.width, cameraSize.height)];
  const task = take.plan.text;
  return loggedEpisode({ id, index, every_s: 60, duration_s: until_s, streams, robot: 'desk_arm', task });
}

function toSi(degrees: Float32Array): Float64Array {
  const out = new Float64Array(degrees.length);
  for (let i = 0; i < degrees.length; i++) {
    out[i] = i % jointNames.length === gripper ? degrees[i] * 0.00085 : (degrees[i] * Math.PI) / 180;
  }
  return out;
}
