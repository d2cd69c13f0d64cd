import { describe, expect, it } from 'vitest';
import { parseRosMsg } from '../definition.ts';
import { typeAt } from '../type-tree.ts';
import { openStandard } from './open-standard.ts';
import { standardDefinitions } from './standard-definitions.ts';

/** A little-endian CDR message of 32-bit words, a byte where it says so. */
function cdr(...parts: readonly (readonly number[] | Float32Array)[]): Uint8Array {
  const head = Uint8Array.of(0, 1, 0, 0);
  return Uint8Array.from(
    [head, ...parts].flatMap((part) => [
      ...(part instanceof Float32Array ? new Uint8Array(part.buffer) : part),
    ]),
  );
}

const header = [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];

describe('the message definitions that come with ROS 2', () => {
  it('bring all that a type builds on', () => {
    const [text] = standardDefinitions('sensor_msgs/msg/Imu');
    const imu = parseRosMsg(text, 'sensor_msgs/msg/Imu', 'ros2');
    expect(imu.fields.map(({ name }) => name)).toContain('orientation_covariance');
    expect(typeAt(imu, 'angular_velocity.x')).toEqual({ kind: 'number', type: 'float64' });
    expect(typeAt(imu, 'header.stamp')?.kind).toBe('time');
  });

  it('are found by the names of every ROS 2 release, with and without msg', () => {
    expect(standardDefinitions('std_msgs/String')).toEqual(standardDefinitions('std_msgs/msg/String'));
    expect(standardDefinitions('std_msgs/msg/String')).toEqual(['string data']);
  });

  it('keep every layout that a type had, newest first', () => {
    const layouts = standardDefinitions('sensor_msgs/msg/Range');
    expect(layouts.map((text) => text.includes('float32 variance'))).toEqual([true, false]);
    // What holds a changed type changed too.
    expect(standardDefinitions('visualization_msgs/msg/MarkerArray')).toHaveLength(2);
  });

  it('are taken by the first message: an old Range ends where a new one goes on', () => {
    const old = cdr(header, [1, 0, 0], new Float32Array([0.5, 0.1, 4, 2]));
    const recent = cdr(header, [1, 0, 0], new Float32Array([0.5, 0.1, 4, 2, 0.01]));
    const fields = (message: Uint8Array) => openStandard('sensor_msgs/msg/Range', message).fields.length;
    expect([fields(old), fields(recent)]).toEqual([6, 7]);
  });

  it('do not hold the types of others: what to do names their package', () => {
    expect(standardDefinitions('my_robot/msg/Grip')).toEqual([]);
    expect(() => openStandard('my_robot/msg/Grip', cdr([1, 2, 3, 4]))).toThrow(
      expect.objectContaining({ kind: 'not_built_in', advice: expect.stringContaining('my_robot') }),
    );
  });
});
