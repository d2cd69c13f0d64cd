import { jsonChannel, mcapBytes, type TestChannel } from './mcap-files.ts';

const header = `std_msgs/Header header
`;
const parts = `
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;
const image = `${header}uint32 height
uint32 width
string encoding
uint8 is_bigendian
uint32 step
uint8[] data
${parts}`;
const info = `${header}uint32 height
uint32 width
string distortion_model
float64[] d
float64[9] k
float64[9] r
float64[12] p
uint32 binning_x
uint32 binning_y
sensor_msgs/RegionOfInterest roi
${parts}================================================================================
MSG: sensor_msgs/RegionOfInterest
uint32 x_offset
uint32 y_offset
uint32 height
uint32 width
bool do_rectify
`;

const channel = (topic: string, name: string, definition: string): TestChannel => ({
  topic,
  encoding: 'cdr',
  schema: { name, encoding: 'ros2msg', data: Buffer.from(definition) },
});

/** Little-endian CDR, number by number. */
class Cdr {
  #bytes: number[] = [];

  number(size: 1 | 4 | 8, set: (view: DataView) => void): this {
    while (this.#bytes.length % size !== 0) this.#bytes.push(0);
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    this.#bytes.push(...new Uint8Array(view.buffer));
    return this;
  }

  uint32(...values: readonly number[]): this {
    for (const value of values) this.number(4, (view) => view.setUint32(0, value, true));
    return this;
  }

  uint8(value: number): this {
    return this.number(1, (view) => view.setUint8(0, value));
  }

  float64(values: readonly number[]): this {
    for (const value of values) this.number(8, (view) => view.setFloat64(0, value, true));
    return this;
  }

  text(value: string): this {
    this.uint32(value.length + 1);
    for (const byte of Buffer.from(`${value}\0`)) this.uint8(byte);
    return this;
  }

  header(time_s: number): this {
    const seconds = Math.floor(time_s);
    return this.uint32(seconds, Math.round((time_s - seconds) * 1e9)).text('camera');
  }

  bytes(payload: Uint8Array = new Uint8Array()): Uint8Array {
    return Buffer.concat([Uint8Array.of(0, 1, 0, 0), Uint8Array.from(this.#bytes), payload]);
  }
}

export interface RgbdFrame {
  readonly time_s: number;
  readonly rgb: Uint8Array;
  readonly depth: Uint16Array | Float32Array;
}

/** A camera of colour and depth as ROS 2 records it, with its calibration, and the joints of an arm beside it. */
export async function rgbdMcap(
  [width, height]: readonly [number, number],
  k: readonly number[],
  frames: readonly RgbdFrame[],
): Promise<Uint8Array> {
  const picture = (time_s: number, encoding: string, data: Uint8Array) => {
    const cdr = new Cdr().header(time_s).uint32(height, width).text(encoding).uint8(0);
    return cdr.uint32(data.length / height, data.length).bytes(data);
  };
  const calibration = (time_s: number) =>
    new Cdr()
      .header(time_s)
      .uint32(height, width)
      .text('plumb_bob')
      .uint32(5)
      .float64([0.1, -0.2, 0, 0, 0.05])
      .float64(k)
      .float64([1, 0, 0, 0, 1, 0, 0, 0, 1])
      .float64([k[0], 0, k[2], 0, 0, k[4], k[5], 0, 0, 0, 1, 0])
      .uint32(0, 0, 0, 0, 0, 0)
      .uint8(0)
      .bytes();
  const epoch_ns = 1_700_000_000_000_000_000n;
  return mcapBytes({
    channels: [
      channel('/camera/color/image_raw', 'sensor_msgs/msg/Image', image),
      channel('/camera/depth/image_rect_raw', 'sensor_msgs/msg/Image', image),
      channel('/camera/depth/camera_info', 'sensor_msgs/msg/CameraInfo', info),
      jsonChannel('/joint_states'),
    ],
    messages: frames.flatMap(({ time_s, rgb, depth }) => {
      const log_ns = epoch_ns + BigInt(Math.round(time_s * 1e9));
      const stamp_s = 1_700_000_000 + time_s;
      const raw = new Uint8Array(depth.buffer, depth.byteOffset, depth.byteLength);
      const encoding = depth instanceof Uint16Array ? '16UC1' : '32FC1';
      const position = Buffer.from(JSON.stringify({ position: [time_s, -time_s] }));
      return [
        picture(stamp_s, 'rgb8', rgb),
        picture(stamp_s, encoding, raw),
        calibration(stamp_s),
        position,
      ].map((data, at) => ({ channel: at, log_ns, data }));
    }),
  });
}
