import { describe, expect, it } from 'vitest';
import type { Stream, StreamRole } from '#core/episode';
import { deriveKind } from './kind.ts';
import { numericStream, testCameraStream, testEpisode } from './test-subject.ts';

const signal = (
  id: string,
  role: StreamRole,
  dims = 3,
  at = (i: number, d: number) => i * 0.01 + d,
): Stream => numericStream(id, role, 50, dims, at);
const camera = testCameraStream('front', 50);
const picture: Stream = { ...camera, id: 'picture', modality: 'image', clocks: [], clock: null };
const kindOf = (streams: readonly Stream[], more = {}) =>
  deriveKind(testEpisode(0, streams, { robot: null, ...more }));

describe('the kind of an episode', () => {
  it.each<[string, readonly Stream[], string]>([
    ['pictures without time and without signals', [picture], 'vision-asset'],
    ['pictures without time beside their labels', [picture, signal('labels', 'annotation')], 'vision-asset'],
    ['state without a camera', [signal('state', 'state')], 'state-only'],
    ['no streams at all', [], 'state-only'],
    ['a camera with joint states', [camera, signal('state', 'state')], 'teleop'],
    ['a camera with actions only', [camera, signal('action', 'action')], 'teleop'],
    ['a camera alone', [camera], 'egocentric'],
    ['a camera with an IMU', [camera, signal('imu', 'imu')], 'egocentric'],
    ['a camera with vehicle signals', [camera, signal('speed', 'vehicle')], 'drive-log'],
    [
      'vehicle signals beside a command',
      [camera, signal('speed', 'vehicle'), signal('steer', 'action')],
      'drive-log',
    ],
    ['a camera with a lidar', [camera, signal('points', 'lidar')], 'drive-log'],
    [
      'a base steered by velocities, with odometry',
      [
        camera,
        { ...signal('/cmd_vel', 'action'), event_driven: 'keys' },
        signal('/odom', 'odometry'),
        signal('/joint_states', 'state'),
      ],
      'drive-log',
    ],
    [
      'a base steered by velocities that carries an arm',
      [
        camera,
        { ...signal('/cmd_vel', 'action'), event_driven: 'keys' },
        signal('/odom', 'odometry'),
        signal('/leader', 'action'),
      ],
      'teleop',
    ],
    ['a camera with a position on the ground', [camera, signal('gps', 'gnss', 3, () => 1)], 'drive-log'],
    [
      'attitude and a climbing position',
      [signal('att', 'attitude'), signal('gps', 'gnss', 3, (i) => i)],
      'aerial-flight',
    ],
    [
      'attitude and a level position, no camera',
      [signal('att', 'attitude'), signal('gps', 'gnss', 3, () => 1)],
      'state-only',
    ],
    ['an autopilot topic without a camera', [signal('vehicle_attitude', 'other')], 'aerial-flight'],
    [
      'a climbing road with vehicle signals',
      [camera, signal('speed', 'vehicle'), signal('att', 'attitude'), signal('gps', 'gnss', 3, (i) => i)],
      'drive-log',
    ],
  ])('with %s is %s', (_, streams, kind) => {
    const derived = kindOf(streams);
    expect(derived.kind).toBe(kind);
    expect(derived.evidence.length).toBeGreaterThan(0);
    expect(derived.evidence.every((line) => line.length > 5)).toBe(true);
  });

  it('is aerial when the recording names an autopilot', () => {
    expect(kindOf([signal('state', 'state')], { robot: 'px4_quad' }).kind).toBe('aerial-flight');
  });

  it('is egocentric for a camera that records position and orientation itself, whatever it is mounted on', () => {
    const streams = [camera, signal('CORI', 'attitude'), signal('GPS5', 'gnss', 3, (i) => i)];
    expect(kindOf(streams).kind).toBe('aerial-flight');
    const locator = { format: 'videos', path: 'GX010001.MP4' };
    expect(kindOf(streams, { locator }).kind).toBe('egocentric');
  });

  it('does not change because a camera file is missing', () => {
    const locator = { type: 'missing', path: 'videos/front.mp4', reason: 'the file is not there' } as const;
    const missing = { ...camera, clocks: [], clock: null, frames: { ...camera.frames!, locator } };
    expect(kindOf([missing, signal('state', 'state')]).kind).toBe('teleop');
  });
});
