import { type Clock, type Episode, type Stream, unknownOutcome } from '#episode';
import { type Random, seededRandom } from '#kernel';
import { arrivals, driverStamps, epoch_ns } from '../logged-time.ts';
import { jointNames } from './arm.ts';
import { cameraSize } from './scene.ts';
import { sampleTake, type Take } from './take.ts';

export const topics = {
  state: '/follower/joint_states',
  action: '/leader/joint_states',
  camera: '/camera/front/compressed',
} as const;
const jointRate_hz = 50;
export const cameraRate_hz = 10;
const gripper = jointNames.length - 1;

/** A take as a logger keeps it: every stream at its own rate, stamped by its driver and again on arrival. Radians; the gripper in metres. */
export function loggedEpisode(take: Take, seed: number, index: number): Episode {
  const random = seededRandom(seed * 37 + index * 11 + 5);
  const joints = (id: string, role: 'state' | 'action'): Stream => {
    const { clocks, time_s } = clocksOf(jointRate_hz, take.duration_s, random);
    const values = toSi(sampleTake(take, time_s, random)[role]);
    return {
      id: `${id}.position`,
      role,
      modality: 'numeric',
      shape: [jointNames.length],
      names: jointNames.map((name) => name.replace('.pos', '')),
      unit: { unit: 'rad', evidence: 'known_format', reason: 'sensor_msgs/JointState: radians, metres' },
      declared_rate_hz: null,
      sample_count: time_s.length,
      clocks,
      clock: { index: 0, reason: 'stamped by the driver' },
      series: { values, dims: jointNames.length },
    };
  };
  const state = joints(topics.state, 'state');
  const action = joints(topics.action, 'action');
  const { clocks, time_s } = clocksOf(cameraRate_hz, take.duration_s, random);
  const camera: Stream = {
    id: topics.camera,
    role: 'camera',
    modality: 'image',
    shape: [cameraSize.height, cameraSize.width, 3],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'pictures' },
    declared_rate_hz: null,
    sample_count: time_s.length,
    clocks,
    clock: { index: 0, reason: 'stamped by the driver' },
    frames: {
      locator: { type: 'embedded', path: 'episode.mcap', channel: topics.camera, encoding: 'jpeg' },
      declared_size_px: [cameraSize.width, cameraSize.height],
      declared_codec: 'jpeg',
    },
  };
  return {
    id: `episode_${String(index).padStart(3, '0')}`,
    index,
    locator: { format: 'mcap', path: `episode_${String(index).padStart(3, '0')}.mcap` },
    sources: [],
    start_ns: String(epoch_ns + BigInt(index) * 60_000_000_000n),
    duration_s: take.duration_s,
    streams: [state, action, camera],
    events: [],
    tasks: [{ text: take.plan.text, source: '/task' }],
    outcome: unknownOutcome,
    robot: 'desk_arm',
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}

function clocksOf(
  rate_hz: number,
  until_s: number,
  random: Random,
): { clocks: Clock[]; time_s: Float64Array } {
  const time_s = driverStamps(rate_hz, until_s, random);
  const header: Clock = { name: 'header.stamp', provenance: 'header', time_s };
  const log: Clock = { name: 'log_time', provenance: 'log', time_s: arrivals(time_s, random) };
  return { clocks: [header, log], time_s };
}

function toSi(degrees: Float32Array): Float64Array {
  const out = new Float64Array(degrees.length);
  for (let i = 0; i < degrees.length; i++) {
    out[i] = i % jointNames.length === gripper ? degrees[i] * 0.00085 : (degrees[i] * Math.PI) / 180;
  }
  return out;
}
