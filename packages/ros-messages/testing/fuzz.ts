import { parseRosMsg, RosError, rosDecoder, standardDefinitions } from '../src/index.ts';
import { tapEverything } from './taps.ts';

const types = ['sensor_msgs/msg/JointState', 'sensor_msgs/msg/Image', 'visualization_msgs/msg/MarkerArray'];
/** Between a definition and a message of it. */
const border = '\n\0\n';

/** Definitions, each with a message of 3000 bytes behind it. */
export function seeds(): ReadonlyMap<string, Buffer> {
  const message = Buffer.from(
    Array.from({ length: 3000 }, (_, i) => (i < 4 ? Number(i === 1) : i % 8 ? 0 : 3)),
  );
  return new Map(
    types.map((type) => [
      type,
      Buffer.concat([Buffer.from(`${standardDefinitions(type)[0]}${border}`), message]),
    ]),
  );
}

/** Reads the definition, decodes the message as each wire and answers what was refused; anything else is thrown on. */
export async function read(bytes: Buffer): Promise<readonly string[]> {
  const at = bytes.indexOf(border);
  const [text, message] =
    at < 0 ? [bytes, bytes] : [bytes.subarray(0, at), bytes.subarray(at + border.length)];
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const refused: string[] = [];
  for (const [generation, wire] of [
    ['ros1', 'ros1'],
    ['ros2', 'cdr'],
  ] as const) {
    try {
      const root = parseRosMsg(text.toString('utf8'), 'fuzzed/msg/Type', generation);
      const decoder = rosDecoder(root, tapEverything(root), wire);
      if (!decoder.decode(message, view, 0, message.length)) refused.push('misfit');
    } catch (thrown) {
      if (thrown instanceof RosError) refused.push(thrown.kind);
      else if (thrown instanceof RangeError) refused.push('misfit');
      else throw thrown;
    }
  }
  return refused;
}
