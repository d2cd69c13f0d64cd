/** Op codes of ROS 1 bag records (wiki.ros.org/Bags/Format/2.0). */
export const op = { message: 2, header: 3, index: 4, chunk: 5, chunkInfo: 6, connection: 7 } as const;

export const magic = Buffer.from('#ROSBAG V2.0\n', 'latin1');

/** A record: the fields of its head, and where its data lies in the bytes given. */
export interface BagRecord {
  readonly op: number;
  readonly fields: ReadonlyMap<string, Buffer>;
  readonly data: Buffer;
  /** Of the whole record. */
  readonly bytes: number;
}

/** The record at a place; null where none is whole. */
export function recordAt(bytes: Buffer, at: number): BagRecord | null {
  if (at + 4 > bytes.length) return null;
  const head = bytes.readUInt32LE(at);
  if (at + 8 + head > bytes.length) return null;
  const length = bytes.readUInt32LE(at + 4 + head);
  const end = at + 8 + head + length;
  if (end > bytes.length) return null;
  const fields = fieldsOf(bytes.subarray(at + 4, at + 4 + head));
  const code = fields?.get('op')?.[0];
  if (fields === null || code === undefined) return null;
  return { op: code, fields, data: bytes.subarray(end - length, end), bytes: end - at };
}

export function fieldsOf(head: Buffer): Map<string, Buffer> | null {
  const fields = new Map<string, Buffer>();
  for (let at = 0; at < head.length; ) {
    if (at + 4 > head.length) return null;
    const length = head.readUInt32LE(at);
    const field = head.subarray(at + 4, at + 4 + length);
    const equals = field.indexOf(0x3d);
    if (field.length < length || equals < 0) return null;
    fields.set(field.toString('latin1', 0, equals), field.subarray(equals + 1));
    at += 4 + length;
  }
  return fields;
}

export function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

export function u64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

/** A record of these fields. */
export function bagRecord(code: number, fields: Readonly<Record<string, Buffer>>, data: Buffer): Buffer {
  const parts = Object.entries({ op: Buffer.from([code]), ...fields }).flatMap(([name, value]) => [
    u32(name.length + 1 + value.length),
    Buffer.from(`${name}=`, 'latin1'),
    value,
  ]);
  const head = Buffer.concat(parts);
  return Buffer.concat([u32(head.length), head, u32(data.length), data]);
}

/** Whole nanoseconds of a bag's time, seconds and nanoseconds of 32 bits each. */
export function timeOf(time: Buffer): bigint {
  return BigInt(time.readUInt32LE(0)) * 1_000_000_000n + BigInt(time.readUInt32LE(4));
}
