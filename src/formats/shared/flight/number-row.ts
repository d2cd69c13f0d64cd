/** How a number lies in a log's message, little-endian. */
export type NumberKind =
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'float16'
  | 'float32'
  | 'float64';

export const numberBytes: Readonly<Record<NumberKind, number>> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float16: 2,
  float32: 4,
  float64: 8,
};

/** One number of a message. */
export interface NumberField {
  /** As a flight engineer knows it: `q[0]`, `VibeX`. */
  readonly name: string;
  readonly kind: NumberKind;
  /** Bytes from the start of the message's body. */
  readonly offset: number;
  /** What the stored number is divided by (100 for centidegrees stored as integers); 1 for most. */
  readonly divisor: number;
}

/** Whether every value of a field is exact as a 32-bit float. */
export function fitsFloat32({ kind, divisor }: NumberField): boolean {
  if (divisor !== 1) return false;
  return kind === 'float32' || numberBytes[kind] <= 2;
}

/** Bytes that a body must have to hold these. */
export function bytesNeeded(fields: readonly NumberField[]): number {
  return fields.reduce((most, { kind, offset }) => Math.max(most, offset + numberBytes[kind]), 0);
}
