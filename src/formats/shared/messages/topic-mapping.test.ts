import { parseRosMsg } from '@assay/ros-messages';
import { describe, expect, it } from 'vitest';
import { mapTopic } from './topic-mapping.ts';
import { numericRole } from './topic-roles.ts';

describe('what a topic means', () => {
  it.each([
    ['/joint_states', 'sensor_msgs/JointState', 'state'],
    ['/follower/joint_states', 'sensor_msgs/JointState', 'state'],
    ['/leader/joint_states', 'sensor_msgs/JointState', 'action'],
    ['/joint_command', 'sensor_msgs/JointState', 'action'],
    ['/arm_controller/commands', 'std_msgs/Float64MultiArray', 'action'],
    ['/cmd_vel', 'geometry_msgs/Twist', 'action'],
    ['/arm_controller/joint_trajectory', 'trajectory_msgs/JointTrajectory', 'action'],
    ['/ee_pose', 'geometry_msgs/PoseStamped', 'state'],
    ['/target_pose', 'geometry_msgs/PoseStamped', 'action'],
    ['/imu/data', 'sensor_msgs/Imu', 'imu'],
    ['/gps/fix', 'sensor_msgs/NavSatFix', 'gnss'],
    ['/odom', 'nav_msgs/Odometry', 'odometry'],
    ['/wrench', 'geometry_msgs/WrenchStamped', 'effort'],
    ['/vehicle/speed', 'std_msgs/Float32', 'vehicle'],
    ['/can/steering_angle', 'std_msgs/Float64', 'vehicle'],
    ['/reward', 'std_msgs/Float32', 'reward'],
    ['/gripper/position', 'std_msgs/Float32', 'state'],
    ['/battery', 'sensor_msgs/BatteryState', 'other'],
    ['/battery_state', 'sensor_msgs/BatteryState', 'other'],
    ['/velocity', 'geometry_msgs/TwistStamped', 'odometry'],
    ['/diff_drive/cmd_vel', 'geometry_msgs/TwistStamped', 'action'],
    ['/speed_limit', 'nav2_msgs/SpeedLimit', 'other'],
    ['/move_base/feedback', 'move_base_msgs/MoveBaseActionFeedback', 'other'],
    ['/navigate_to_pose/_action/feedback', 'nav2_msgs/action/NavigateToPose_FeedbackMessage', 'other'],
  ])('takes %s of type %s for %s', (topic, schema, role) => {
    expect(numericRole(topic, schema)).toBe(role);
  });

  it('takes text under a task topic for the task, and other text for text', () => {
    const root = parseRosMsg('string data', 'std_msgs/String', 'ros1');
    expect(mapTopic('/task', root)).toMatchObject({ kind: 'text', use: 'task' });
    expect(mapTopic('/language_instruction', root)).toMatchObject({ kind: 'text', use: 'task' });
    expect(mapTopic('/success', root)).toMatchObject({ kind: 'text', use: 'outcome' });
    expect(mapTopic('/robot_description', root)).toMatchObject({ kind: 'text', use: 'robot' });
    expect(mapTopic('/chatter', root)).toMatchObject({ kind: 'text', use: 'other' });
  });

  it('takes a flag under a success topic for the outcome', () => {
    expect(mapTopic('/episode/success', parseRosMsg('bool data', 'std_msgs/Bool', 'ros1'))).toEqual({
      kind: 'outcome',
      path: 'data',
    });
  });

  it('keeps single numbers together, gives arrays streams of their own, and leaves covariances and bytes out', () => {
    const text =
      'float64 a\nint8 b\nfloat64[3] v\nfloat64[36] covariance\nuint8[] blob\nfloat32[] w\nstring[] name';
    const spec = mapTopic('/thing', parseRosMsg(text, 'pkg/Thing', 'ros1'));
    if (spec.kind !== 'numeric') throw new Error(spec.kind);
    expect(spec.groups.map(({ suffix, paths }) => [suffix, paths])).toEqual([
      ['', ['a', 'b']],
      ['v', ['v']],
      ['w', ['w']],
    ]);
    expect(spec.names).toBe('name');
  });

  it('says metres of a point, and nothing of a vector: it may be a field, a force or an acceleration', () => {
    const unitOf = (schema: string) => {
      const spec = mapTopic('/thing', parseRosMsg('float64 x\nfloat64 y\nfloat64 z', schema, 'ros1'));
      return spec.kind === 'numeric' ? spec.groups[0].unit.unit : spec.kind;
    };
    expect(unitOf('geometry_msgs/PointStamped')).toBe('m');
    expect(unitOf('geometry_msgs/Vector3Stamped')).toBe('unknown');
  });

  it('does not read what a point cloud holds', () => {
    const spec = mapTopic('/points', parseRosMsg('uint32 height', 'sensor_msgs/PointCloud2', 'ros1'));
    expect(spec).toMatchObject({ kind: 'opaque', role: 'lidar' });
  });

  it('falls back to the numbers themselves where a known name has unknown fields', () => {
    const spec = mapTopic('/imu', parseRosMsg('float64 x\nfloat64 y', 'vendor/Imu', 'ros1'));
    expect(spec).toMatchObject({ kind: 'numeric', groups: [{ role: 'imu', paths: ['x', 'y'] }] });
  });
});
