import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import { loggedEpisode } from '../logged-episode.ts';
import { loggedCamera, loggedNumbers } from '../logged-stream.ts';
import { jointNames } from './arm.ts';
import { cameraSize } from './scene.ts';
import { sampleTake, type Take } from './take.ts';

export const topics = {
  state: '/follower/joint_states',
  action: '/leader/joint_states',
  camera: '/camera/front/compressed',
} as const;
const jointRate_hz = 50;
const cameraRate_hz = 10;
const gripper = jointNames.length - 1;
const names = jointNames.map((name) => name.replace('.pos', ''));

/** Converts a take to a logged episode, every stream at its own rate; angles in radians, gripper in metres. */
export function loggedTake(take: Take, seed: number, index: number): Episode {
  const random = seededRandom(seed * 37 + index * 11 + 5);
  const until_s = take.duration_s;
  const joints = (role: 'state' | 'action') =>
    loggedNumbers({ id: topics[role], role, rate_hz: jointRate_hz, until_s, random }, names, (times) =>
      toSi(sampleTake(take, times, random)[role]),
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
