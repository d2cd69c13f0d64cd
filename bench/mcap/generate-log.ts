import { open } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { McapWriter } from '@mcap/core';
import { seededRandom } from '#core';

export interface LogSettings {
  readonly megabytes: number;
  /** `teleop`: joints, commands, an IMU and two cameras. `signals`: the same without cameras, chunks in zstd. */
  readonly content: 'teleop' | 'signals';
}

const separator = `\n${'='.repeat(80)}\n`;
const time = `${separator}MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec`;
const header = `${separator}MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id${time}`;
const vector = `${separator}MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z`;
const quaternion = `${separator}MSG: geometry_msgs/Quaternion\nfloat64 x\nfloat64 y\nfloat64 z\nfloat64 w`;

const definitions = {
  'sensor_msgs/msg/JointState': `std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort${header}`,
  'sensor_msgs/msg/Imu': `std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\ngeometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\ngeometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance${header}${vector}${quaternion}`,
  'sensor_msgs/msg/CompressedImage': `std_msgs/Header header\nstring format\nuint8[] data${header}`,
} as const;

const joints = ['base', 'shoulder', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3', 'gripper'];
const picture_bytes = 24_000;

/** Writes a seeded recording of about the size asked for, as rosbag2 lays them out. Messages written. */
export async function generateLog(path: string, settings: LogSettings): Promise<number> {
  await using file = await open(path, 'w');
  let position = 0n;
  const writable = {
    position: () => position,
    write: async (bytes: Uint8Array) => {
      await file.write(bytes);
      position += BigInt(bytes.byteLength);
    },
  };
  const packed = settings.content === 'signals';
  const writer = new McapWriter({
    writable,
    chunkSize: 1024 * 1024,
    ...(packed
      ? {
          compressChunk: (data: Uint8Array) => ({
            compression: 'zstd',
            compressedData: zstdCompressSync(data),
          }),
        }
      : {}),
  });
  await writer.start({ profile: 'ros2', library: 'assay bench' });
  const log = await createLog(writer, settings);
  let messages = 0;
  for (let tick = 0; position < BigInt(settings.megabytes) * 1_000_000n; tick++) messages += await log(tick);
  await writer.end();
  return messages;
}

/** One tick is 5 ms: IMU at 200 Hz, joints and commands at 100 Hz, pictures at 25 Hz. Answers messages written. */
async function createLog(
  writer: McapWriter,
  settings: LogSettings,
): Promise<(tick: number) => Promise<number>> {
  const random = seededRandom(7);
  const picture = Uint8Array.from({ length: picture_bytes * 2 }, () => random.integer(0, 255));
  const channels = new Map<string, { id: number; encoder: MessageWriter; sequence: number }>();
  const add = async (topic: string, name: keyof typeof definitions): Promise<void> => {
    const data = new TextEncoder().encode(definitions[name]);
    const schemaId = await writer.registerSchema({ name, encoding: 'ros2msg', data });
    const id = await writer.registerChannel({ schemaId, topic, messageEncoding: 'cdr', metadata: new Map() });
    channels.set(topic, {
      id,
      encoder: new MessageWriter(parse(definitions[name], { ros2: true })),
      sequence: 0,
    });
  };
  await add('/imu', 'sensor_msgs/msg/Imu');
  await add('/joint_states', 'sensor_msgs/msg/JointState');
  await add('/joint_command', 'sensor_msgs/msg/JointState');
  await add('/camera/front/compressed', 'sensor_msgs/msg/CompressedImage');
  await add('/camera/wrist/compressed', 'sensor_msgs/msg/CompressedImage');
  const write = async (topic: string, now_ns: number, value: object): Promise<void> => {
    const channel = channels.get(topic);
    if (channel === undefined) throw new Error(`no channel for ${topic}`);
    const stamp = { sec: 1_700_000_000 + Math.floor(now_ns / 1e9), nanosec: now_ns % 1e9 };
    const logTime = 1_700_000_000_000_000_000n + BigInt(now_ns + 150_000);
    const data = channel.encoder.writeMessage({ header: { stamp, frame_id: 'robot' }, ...value });
    const { id: channelId } = channel;
    await writer.addMessage({ channelId, sequence: channel.sequence++, logTime, publishTime: logTime, data });
  };
  return async (tick) => {
    const now_ns = tick * 5_000_000;
    const wave = joints.map((_, j) => Math.sin(tick / 200 + j) + random.normal() * 1e-4);
    await write('/imu', now_ns, imu(wave));
    if (tick % 2 !== 0) return 1;
    await write('/joint_states', now_ns, { name: joints, position: wave, velocity: wave, effort: wave });
    await write('/joint_command', now_ns, { name: joints, position: wave, velocity: [], effort: [] });
    if (settings.content !== 'teleop' || tick % 8 !== 0) return 3;
    for (const topic of ['/camera/front/compressed', '/camera/wrist/compressed']) {
      const from = random.integer(0, picture_bytes);
      await write(topic, now_ns, { format: 'jpeg', data: picture.subarray(from, from + picture_bytes) });
    }
    return 5;
  };
}

function imu(wave: readonly number[]): object {
  const [x, y, z] = wave;
  const covariance = new Array<number>(9).fill(0.01);
  return {
    orientation: { x: 0, y: 0, z: 0, w: 1 },
    orientation_covariance: covariance,
    angular_velocity: { x, y, z },
    angular_velocity_covariance: covariance,
    linear_acceleration: { x: y, y: z, z: 9.81 + x },
    linear_acceleration_covariance: covariance,
  };
}
