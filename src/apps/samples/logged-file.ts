import type { Episode, Stream } from '#core/episode';
import { type McapMessage, writeMcap } from '#formats/write';
import { toNanoseconds } from './logged-episode.ts';

interface RosHeader {
  readonly stamp: { readonly sec: number; readonly nanosec: number };
  readonly frame_id: string;
}

/** Mapping of a stream to the messages of a topic. */
export interface LoggedTopic {
  readonly stream: string;
  readonly topic: string;
  readonly schema: RosType;
  /** Returns the message of sample `index`, whose values are `row` (empty for pictures). */
  value(header: RosHeader, row: readonly number[], index: number, time_s: number): object;
}

/** Writes an episode as an MCAP file. Its first clock gives the header stamps, its second the log times. */
export async function writeLogged(
  path: string,
  episode: Episode,
  topics: readonly LoggedTopic[],
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const start_ns = BigInt(episode.start_ns ?? 0);
  const channels: { topic: string; schema: RosType }[] = [];
  const messages: McapMessage[] = [];
  for (const topic of topics) {
    const stream = episode.streams.find((candidate) => candidate.id === topic.stream);
    if (stream === undefined) continue;
    channels.push(topic);
    messages.push(...messagesOf(stream, topic, channels.length - 1, start_ns));
  }
  const task = episode.tasks?.[0]?.text;
  if (task !== undefined) {
    channels.push({ topic: '/task', schema: 'std_msgs/msg/String' });
    messages.push({
      channel: channels.length - 1,
      log_ns: start_ns,
      publish_ns: start_ns,
      value: { data: task },
    });
  }
  await writeMcap(path, {
    channels: channels.map(({ topic, schema }) => ({ topic, schema, definition: rosDefinitions[schema] })),
    messages,
    metadata: { assay: metadata },
  });
}

function messagesOf(stream: Stream, topic: LoggedTopic, channel: number, start_ns: bigint): McapMessage[] {
  const [stamps, arrivals] = stream.clocks;
  const messages: McapMessage[] = [];
  for (let i = 0; i < stream.sample_count; i++) {
    const stamp_ns = toNanoseconds(stamps.time_s[i], start_ns);
    const header = { stamp: rosStamp(stamp_ns), frame_id: stream.role };
    const row = stream.series === undefined ? [] : rowOf(stream.series, i);
    messages.push({
      channel,
      log_ns: toNanoseconds(arrivals.time_s[i], start_ns),
      publish_ns: stamp_ns,
      value: topic.value(header, row, i, stamps.time_s[i]),
    });
  }
  return messages;
}

function rowOf({ values, dims }: NonNullable<Stream['series']>, row: number): number[] {
  return Array.from(values.subarray(row * dims, (row + 1) * dims));
}

const separator = '='.repeat(80);
const header = `${separator}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
${separator}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec`;

const vector = `${separator}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`;

const quaternion = `${separator}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w`;

/** Definitions of the ROS 2 messages that the samples use, as they are stored in a bag. */
const rosDefinitions = {
  'sensor_msgs/msg/JointState': `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
${header}`,
  'sensor_msgs/msg/CompressedImage': `std_msgs/Header header
string format
uint8[] data
${header}`,
  'sensor_msgs/msg/Imu': `std_msgs/Header header
geometry_msgs/Quaternion orientation
float64[9] orientation_covariance
geometry_msgs/Vector3 angular_velocity
float64[9] angular_velocity_covariance
geometry_msgs/Vector3 linear_acceleration
float64[9] linear_acceleration_covariance
${header}
${quaternion}
${vector}`,
  'sensor_msgs/msg/NavSatFix': `std_msgs/Header header
sensor_msgs/NavSatStatus status
float64 latitude
float64 longitude
float64 altitude
float64[9] position_covariance
uint8 position_covariance_type
${header}
${separator}
MSG: sensor_msgs/NavSatStatus
int8 status
uint16 service`,
  'sensor_msgs/msg/BatteryState': `std_msgs/Header header
float32 voltage
float32 temperature
float32 current
float32 charge
float32 capacity
float32 design_capacity
float32 percentage
${header}`,
  'geometry_msgs/msg/QuaternionStamped': `std_msgs/Header header
geometry_msgs/Quaternion quaternion
${header}
${quaternion}`,
  'std_msgs/msg/String': 'string data',
  'vehicle_msgs/msg/VehicleState': `std_msgs/Header header
float32 speed_mps
float32 steering_angle_rad
float32 throttle
float32 brake
${header}`,
} as const;

type RosType = keyof typeof rosDefinitions;

/** Converts nanoseconds to a ROS 2 stamp. */
function rosStamp(ns: bigint): { sec: number; nanosec: number } {
  return { sec: Number(ns / 1_000_000_000n), nanosec: Number(ns % 1_000_000_000n) };
}
