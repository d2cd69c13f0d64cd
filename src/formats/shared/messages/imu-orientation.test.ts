import { afterAll, describe, expect, it } from 'vitest';
import { json, jsonChannel, mcapBytes, readBytes, removeFolders } from '#test/support/mcap-files';

afterAll(removeFolders);

/** An IMU whose messages have the given first number of `orientation_covariance`. */
async function streamsOf(covariances: readonly number[], w = 1): Promise<string[]> {
  const messages = covariances.map((covariance, i) => ({
    channel: 0,
    log_ns: 1_700_000_000_000_000_000n + BigInt(i) * 10_000_000n,
    data: json({
      orientation: { x: 0, y: 0, z: 0, w },
      orientation_covariance: [covariance, 0, 0, 0, 0, 0, 0, 0, 0],
      angular_velocity: { x: i, y: 0, z: 0 },
      linear_acceleration: { x: 0, y: 0, z: 9.81 },
    }),
  }));
  const channels = [jsonChannel('/imu/data', 'sensor_msgs/msg/Imu')];
  const { streams } = await readBytes(await mcapBytes({ channels, messages }));
  return streams.map(({ id, role, sample_count }) => `${id} ${role} ${sample_count}`);
}

describe('the orientation of an IMU', () => {
  const motion = '/imu/data imu 5';
  const attitude = '/imu/data.orientation attitude 5';

  it('is a stream of its own where the messages carry one', async () => {
    expect(await streamsOf([0, 0, 0, 0, 0])).toEqual([motion, attitude]);
    expect(await streamsOf([0.01, 0.01, 0.01, 0.01, 0.01])).toEqual([motion, attitude]);
  });

  it('is none where every covariance says that nothing was estimated', async () => {
    expect(await streamsOf([-1, -1, -1, -1, -1])).toEqual([motion]);
    expect(await streamsOf([-1, -1, -1, 0, 0])).toEqual([motion, attitude]);
  });

  it('is none where every number of it is zero', async () => {
    expect(await streamsOf([0, 0, 0, 0, 0], 0)).toEqual([motion]);
  });
});
