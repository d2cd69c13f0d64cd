import { describe, expect, it } from 'vitest';
import { findPoseSources, type PoseStream } from './pose-sources.ts';
import type { Evidence, StreamRole } from './stream.ts';

interface Choices {
  readonly role?: StreamRole;
  readonly names?: readonly string[];
  readonly shape?: readonly number[];
  readonly unit?: string;
  readonly evidence?: Evidence;
  readonly reason?: string;
}

function stream(
  id: string,
  { role = 'state', names, shape, unit, evidence, reason = '' }: Choices,
): PoseStream {
  return {
    ...{ id, role, modality: 'numeric', names: names ?? null },
    shape: shape ?? [names?.length ?? 0],
    unit: {
      unit: unit ?? 'unknown',
      evidence: evidence ?? (unit === undefined ? 'unknown' : 'declared'),
      reason,
    },
  };
}

const known = (reason: string) => ({ unit: 'mixed', evidence: 'known_format', reason }) as const;
const joints = Array.from({ length: 7 }, (_, i) => `joint_${i + 1}`);

describe('poses of an episode', () => {
  it.each([
    [
      'three names',
      stream('tcp', { names: ['x', 'y', 'z'] }),
      { kind: 'end_effector', position: [0, 1, 2], unit_m: null },
    ],
    [
      'a state of one arm with a gripper',
      stream('observation.state', { names: ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'gripper'] }),
      { label: 'End effector', orientation: { type: 'euler', dimensions: [3, 4, 5] } },
    ],
    [
      'DROID',
      stream('observation/robot_state/cartesian_position', {
        names: ['x', 'y', 'z', 'euler_x', 'euler_y', 'euler_z'],
        ...known('DROID: position in m and Euler angles xyz in rad'),
      }),
      { label: 'End effector', unit_m: 1, orientation: { type: 'euler', dimensions: [3, 4, 5] } },
    ],
    [
      'a stamped pose of ROS',
      stream('/left_arm/ee_pose', {
        names: [
          'position.x',
          'position.y',
          'position.z',
          'orientation.x',
          'orientation.y',
          'orientation.z',
          'orientation.w',
        ].map((name) => `pose.${name}`),
        ...known('SI units, linear then angular (REP 103)'),
      }),
      {
        label: 'Left end effector',
        unit_m: 1,
        orientation: { type: 'quaternion', dimensions: [3, 4, 5, 6] },
      },
    ],
    [
      'the ego pose of nuScenes',
      stream('ego_pose', {
        role: 'odometry',
        names: ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'],
        ...known('position in m in the map frame, and a quaternion as w, x, y, z'),
      }),
      { label: 'Base', orientation: { type: 'quaternion', dimensions: [4, 5, 6, 3] } },
    ],
    [
      'the local position of PX4',
      stream('vehicle_local_position.position', {
        role: 'odometry',
        names: ['x', 'y', 'z'],
        unit: 'm',
        reason: 'north, east, down from the local origin',
      }),
      { label: 'Base', is_z_down: true, unit_m: 1 },
    ],
    [
      'a transform',
      stream('camera_pose', { role: 'odometry', shape: [4, 4] }),
      { label: 'Camera', position: 'matrix' },
    ],
    [
      'seven numbers of a pose',
      stream('states/rigid_object/cube_1/root_pose', { role: 'other', shape: [7] }),
      { label: 'Cube 1', kind: 'object', position: [0, 1, 2], proof: [3, 4, 5, 6], orientation: null },
    ],
    ['millimetres', stream('tool_position', { shape: [3], unit: 'mm' }), { unit_m: 0.001 }],
  ])('are recognised by %s', (_, given, expected) => {
    expect(findPoseSources([given])).toMatchObject([expected]);
  });

  it('are recognised for both arms of AgiBot, with the orientations of a stream beside it', () => {
    const sides = (...names: string[]) =>
      ['left', 'right'].flatMap((side) => names.map((name) => `${side}_${name}`));
    const poses = findPoseSources([
      stream('state/end/position', { names: sides('x', 'y', 'z'), unit: 'm' }),
      stream('state/end/orientation', { names: sides('qx', 'qy', 'qz', 'qw'), unit: 'quaternion xyzw' }),
    ]);
    expect(poses).toMatchObject([
      { label: 'Left end effector', position: [0, 1, 2], orientation: { dimensions: [0, 1, 2, 3] } },
      { label: 'Right end effector', position: [3, 4, 5], orientation: { dimensions: [4, 5, 6, 7] } },
    ]);
  });

  it('have an orientation only if its order is known', () => {
    const position = stream('robot0_eef_pos', { shape: [3], unit: 'm' });
    const turned = (unit?: string) =>
      findPoseSources([
        position,
        stream('robot0_eef_quat', { shape: [4], ...(unit === undefined ? {} : { unit }) }),
      ])[0];
    expect(turned()).toMatchObject({
      orientation: null,
      orientation_problem: expect.stringMatching(/begins or ends with w/),
    });
    expect(turned('quaternion wxyz').orientation?.dimensions).toEqual([1, 2, 3, 0]);
    const turn = stream('robot0_eef_rot_axis_angle', { shape: [3], unit: 'rad' });
    expect(findPoseSources([position, turn])).toMatchObject([
      { label: 'Robot 0 end effector', orientation: { type: 'axis_angle' } },
    ]);
  });

  it.each([
    ['joints', stream('observation.state', { names: joints, unit: 'rad' })],
    ['joints of a pose without names', stream('robot_pose', { shape: [6] })],
    ['seven named joints of a pose', stream('arm_pose', { names: joints })],
    ['positions of three joints', stream('obs/joint_pos', { shape: [3] })],
    ['positions of three fingers', stream('gripper_pos', { shape: [3] })],
    ['positions of what is no end effector', stream('waist/position', { shape: [3] })],
    ['three numbers with the unit of angles', stream('eef_pos', { shape: [3], unit: 'rad' })],
    ['speeds', stream('tcp_velocity', { names: ['x', 'y', 'z'], unit: 'm/s' })],
    ['speeds by their unit', stream('odom', { role: 'odometry', names: ['x', 'y', 'z'], unit: 'm/s' })],
    [
      'a twist',
      stream('/odom.twist', {
        role: 'odometry',
        names: ['twist.linear.x', 'twist.linear.y', 'twist.linear.z'],
      }),
    ],
    ['forces', stream('wrench', { role: 'other', names: ['force.x', 'force.y', 'force.z'] })],
    ['commands', stream('action', { role: 'action', names: ['x', 'y', 'z'] })],
    ['targets', stream('target_eef_pose', { role: 'other', shape: [4, 4] })],
    ['bare x, y and z of anything', stream('reading', { role: 'other', names: ['x', 'y', 'z'] })],
    ['a plane', stream('agent_pos', { names: ['x', 'y'] })],
    ['steps', stream('delta_eef_pos', { shape: [3] })],
    ['numbers without a name', stream('observation/state', { shape: [7] })],
  ])('are not made of %s', (_, given) => {
    expect(findPoseSources([given])).toEqual([]);
  });

  it('are listed once, with the best documented stream first', () => {
    const poses = findPoseSources([
      stream('obs/eef_pos', { shape: [3] }),
      stream('datagen_info/eef_pose/franka', { shape: [4, 4] }),
      stream('obs/tcp_pos', { role: 'other', shape: [3], unit: 'm' }),
      stream('base_pose', { shape: [4, 4] }),
    ]);
    expect(poses.map(({ label, stream_id }) => [label, stream_id])).toEqual([
      ['End effector', 'datagen_info/eef_pose/franka'],
      ['Base', 'base_pose'],
    ]);
  });
});
