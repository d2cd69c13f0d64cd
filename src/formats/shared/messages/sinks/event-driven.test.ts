import { describe, expect, it } from 'vitest';
import type { Stream, StreamRole } from '#core/episode';
import { explainEventDriven } from './finish-streams.ts';

function streamAt(role: StreamRole, time_s: readonly number[]): Stream {
  return {
    id: '/topic',
    role,
    modality: 'numeric',
    shape: [1],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'not said' },
    declared_rate_hz: null,
    sample_count: time_s.length,
    clocks: [{ name: 'log_time', provenance: 'log', time_s: Float64Array.from(time_s) }],
    clock: { index: 0, reason: 'the only one' },
  };
}

const steady = Array.from({ length: 600 }, (_, i) => i / 10);
/** Keys held for two seconds out of five. */
const keys = steady.filter((time_s) => time_s % 5 < 2);
/** One message in three lost, here and there. */
const lossy = steady.filter((_, i) => (i * i + 3 * i) % 7 > 1);
const irregular = steady.map((_, i) => i + 0.9 * Math.sin(i * i));

describe('topics that send when something happens', () => {
  it.each<[string, StreamRole, string, readonly number[]]>([
    ['velocity commands, however even', 'action', 'geometry_msgs/msg/Twist', steady],
    ['commands with pauses', 'action', 'std_msgs/msg/Float64MultiArray', keys],
    ['commands without any rate', 'action', 'std_msgs/msg/Float64', irregular],
    ['a goal', 'action', 'geometry_msgs/msg/PoseStamped', [3]],
    ['goals', 'action', 'geometry_msgs/msg/PoseStamped', [3, 15, 27, 39]],
    ['an estimate sent when it changed', 'odometry', 'geometry_msgs/PoseWithCovarianceStamped', keys],
  ])('are told: %s', (_, role, schema, times) => {
    expect(explainEventDriven(streamAt(role, times), schema)).toMatch(/\w{4}/);
  });

  it.each<[string, StreamRole, string, readonly number[]]>([
    ['a leader arm with pauses', 'action', 'sensor_msgs/msg/JointState', keys],
    ['odometry with pauses', 'odometry', 'nav_msgs/msg/Odometry', keys],
    ['joint states with pauses', 'state', 'sensor_msgs/msg/JointState', keys],
    ['a steady command', 'action', 'std_msgs/msg/Float64MultiArray', steady],
    ['a command of which messages were lost', 'action', 'std_msgs/msg/Float64MultiArray', lossy],
    ['a steady command with one hole', 'action', 'geometry_msgs/msg/PoseStamped', steady.toSpliced(200, 200)],
    ['a camera', 'camera', 'sensor_msgs/msg/CompressedImage', keys],
  ])('are told from those that keep a rate: %s', (_, role, schema, times) => {
    expect(explainEventDriven(streamAt(role, times), schema)).toBeNull();
  });
});
