import type { Cursor } from './cursor.ts';
import { limits } from './limits.ts';

export interface Dataspace {
  readonly kind: 'scalar' | 'simple' | 'null';
  /** Empty for a scalar; elements along each dimension, slowest first. */
  readonly shape: readonly number[];
  /** How far each may grow; null: without end. */
  readonly maximum: readonly (number | null)[];
}

/** Reads how many elements there are. */
export function readDataspace(cursor: Cursor): Dataspace {
  const version = cursor.u8();
  const rank = cursor.u8();
  const flags = cursor.u8();
  if (version !== 1 && version !== 2) throw cursor.fault(`dataspace version ${version}`);
  if (rank > limits.dimensions) throw cursor.fault(`an array with ${rank} dimensions`);
  const type = cursor.u8();
  if (version === 1) cursor.skip(4);
  if (version === 2 && type === 2) return { kind: 'null', shape: [], maximum: [] };
  const shape = Array.from({ length: rank }, () => cursor.length());
  const maximum = flags & 1 ? shape.map(() => cursor.lengthOrUnlimited()) : shape;
  if (elementsOf(shape) > Number.MAX_SAFE_INTEGER) {
    throw cursor.fault(`an array of ${shape.join(' x ')} elements`);
  }
  return { kind: rank === 0 ? 'scalar' : 'simple', shape, maximum };
}

/** Product of the dimensions; 1 for a scalar. */
export function elementsOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
