import { accumulate, definitions, type MessageDefinition } from './messages.ts';

/** Bytes of the time before each frame: microseconds since 1970, big-endian. */
const timeBytes = 8;
const magicV1 = 0xfe;
const magicV2 = 0xfd;
const headV1 = 6;
const headV2 = 10;
const crcBytes = 2;
const signatureBytes = 13;
const signedFlag = 0x01;
/** Bytes that are needed to know the length of a record. */
export const recordHeadBytes = timeBytes + 3;
/** 2000-01-01 and 2100-01-01 in µs since the UNIX epoch. */
const minTime_us = 946_684_800_000_000;
const maxTime_us = 4_102_444_800_000_000;

/** A frame with its time. Offsets are those of the bytes it was read from. */
export interface LogRecord {
  readonly time_us: number;
  readonly system: number;
  readonly component: number;
  readonly id: number;
  readonly payloadFrom: number;
  readonly payloadBytes: number;
  /** Bytes of the record with its time. */
  readonly bytes: number;
  /** `null` for messages whose definition is not known, so that their checksum cannot be verified. */
  readonly definition: MessageDefinition | null;
}

/**
 * Returns the length of the record at `at`, by its first `recordHeadBytes` bytes; `null` if no record can begin there: a
 * time from 2000 to 2100 and the first byte of a MAVLink 1 or 2 frame.
 */
export function recordLength(view: DataView, at: number): number | null {
  const magic = view.getUint8(at + timeBytes);
  if (magic !== magicV1 && magic !== magicV2) return null;
  const time_us = view.getUint32(at) * 4_294_967_296 + view.getUint32(at + 4);
  if (!(time_us > minTime_us && time_us < maxTime_us)) return null;
  const payload = view.getUint8(at + timeBytes + 1);
  if (magic === magicV1) return timeBytes + headV1 + payload + crcBytes;
  const isSigned = (view.getUint8(at + timeBytes + 2) & signedFlag) !== 0;
  return timeBytes + headV2 + payload + crcBytes + (isSigned ? signatureBytes : 0);
}

/** Parses the record at `at`, of which all bytes are there; `null` if its checksum is wrong. */
export function parseRecord(bytes: Uint8Array, view: DataView, at: number, length: number): LogRecord | null {
  const frame = at + timeBytes;
  const isV2 = bytes[frame] === magicV2;
  const payloadBytes = bytes[frame + 1];
  const payloadFrom = frame + (isV2 ? headV2 : headV1);
  const [system, component] = isV2
    ? [bytes[frame + 5], bytes[frame + 6]]
    : [bytes[frame + 3], bytes[frame + 4]];
  const id = isV2 ? bytes[frame + 7] + 256 * bytes[frame + 8] + 65_536 * bytes[frame + 9] : bytes[frame + 5];
  const definition = definitions.get(id) ?? null;
  if (definition !== null) {
    const payloadEnd = payloadFrom + payloadBytes;
    const own = accumulate(0xffff, bytes, frame + 1, payloadEnd);
    const sum = accumulate(own, Uint8Array.of(definition.crcExtra));
    if (sum !== view.getUint16(payloadEnd, true)) return null;
  }
  const time_us = view.getUint32(at) * 4_294_967_296 + view.getUint32(at + 4);
  return { time_us, system, component, id, payloadFrom, payloadBytes, bytes: length, definition };
}
