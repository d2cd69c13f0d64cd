import { AssayError } from '#core';

/** `ULog`, then three bytes that no text has. */
export const magic = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35] as const;

/** Magic, version, start time. */
export const headBytes = 16;

/** Size and type in front of every message. */
export const prefixBytes = 3;

/** A whole sync message: what damaged bytes are passed over to. */
export const syncMessage = Buffer.from([8, 0, 0x53, 0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12]);

const knownTypes = new Set([...'BFIMPQARDLCSO'].map((letter) => letter.charCodeAt(0)));

/** Whether a message may start here: a known type that is not empty. */
export function isMessage(bytes: Uint8Array, at: number): boolean {
  return knownTypes.has(bytes[at + 2]) && (bytes[at] | bytes[at + 1]) !== 0;
}

/** Body of a flag message: compatible and incompatible flags, eight bytes each, then three offsets. */
const flagBytes = 40;

/**
 * Offsets of appended data in a flag message at `at`. Throws where it sets a flag that says: who does not know me must
 * not read on.
 */
export function appendedOffsets(view: DataView, at: number, length: number, path: string): number[] {
  if (length < flagBytes) return [];
  const incompatible = Array.from({ length: 8 }, (_, i) => view.getUint8(at + 8 + i));
  const unknown = incompatible.map((byte, i) => (i === 0 ? byte & ~1 : byte));
  if (unknown.some((byte) => byte !== 0)) {
    const bits = unknown.flatMap((byte, i) =>
      [...Array(8).keys()].filter((bit) => byte & (1 << bit)).map((bit) => i * 8 + bit),
    );
    throw new AssayError(
      'unsupported_version',
      `${path} sets incompatible flag ${bits.join(', ')}: its content is laid out in a way that this version does not know`,
      {
        path,
        place: 'flag bits message',
        advice: 'convert the log with the tools of the PX4 version that wrote it',
      },
    );
  }
  if ((incompatible[0] & 1) === 0) return [];
  const offsets = [16, 24, 32].map((from) => Number(view.getBigUint64(at + from, true)));
  return offsets.filter((offset) => offset > 0);
}
