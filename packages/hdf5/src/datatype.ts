import type { Cursor } from './cursor.ts';
import { limits } from './limits.ts';

interface Sized {
  /** Of one element as stored. */
  readonly bytes: number;
}

export interface IntegerType extends Sized {
  readonly kind: 'integer';
  readonly signed: boolean;
  readonly bigEndian: boolean;
  readonly bitOffset: number;
  readonly precision: number;
}

export interface FloatType extends Sized {
  readonly kind: 'float';
  readonly bigEndian: boolean;
  readonly signBit: number;
  readonly exponent: { readonly at: number; readonly bits: number; readonly bias: number };
  readonly mantissa: { readonly at: number; readonly bits: number; readonly impliedOne: boolean };
}

interface TextType extends Sized {
  readonly kind: 'text';
  /** Each element lies in a heap, as long as it is. */
  readonly variable: boolean;
  /** What stands behind a text that is shorter than its place. */
  readonly padding: 'terminated' | 'zeros' | 'spaces';
  readonly utf8: boolean;
}

interface CompoundType extends Sized {
  readonly kind: 'compound';
  readonly members: readonly { readonly name: string; readonly at: number; readonly type: Hdf5Type }[];
}

interface EnumType extends Sized {
  readonly kind: 'enum';
  readonly base: IntegerType;
  readonly names: readonly string[];
  /** h5py writes booleans as FALSE and TRUE. */
  readonly boolean: boolean;
}

/** How one element of a dataset or an attribute is stored. */
export type Hdf5Type =
  | IntegerType
  | FloatType
  | TextType
  | CompoundType
  | EnumType
  | (Sized & { readonly kind: 'opaque'; readonly tag: string })
  | (Sized & { readonly kind: 'array'; readonly base: Hdf5Type; readonly shape: readonly number[] })
  | (Sized & { readonly kind: 'sequence'; readonly base: Hdf5Type })
  /** References, times and what else is not read; `name` says what. */
  | (Sized & { readonly kind: 'other'; readonly name: string });

/** Reads a datatype message. */
export function readDatatype(cursor: Cursor, depth = 0): Hdf5Type {
  if (depth > limits.typeDepth) throw cursor.fault('datatypes nested too deeply');
  const classAndVersion = cursor.u8();
  const version = classAndVersion >> 4;
  const flags = cursor.uint(3);
  const bytes = cursor.u32();
  if (version < 1 || version > 5) throw cursor.fault(`datatype version ${version}`);
  if (bytes === 0) throw cursor.fault('elements of 0 bytes');
  const inside: Inside = { cursor, version, flags, bytes, depth };
  switch (classAndVersion & 15) {
    case 0:
      return integer(inside, (flags & 8) !== 0);
    case 1:
      return float(inside);
    case 2:
      cursor.u16();
      return { kind: 'other', name: 'time', bytes };
    case 3:
      return text(bytes, flags, false, flags & 15);
    case 4:
      return integer(inside, false);
    case 5:
      return { kind: 'opaque', bytes, tag: trimmed(cursor.take(flags & 0xff)) };
    case 6:
      return compound(inside);
    case 7:
      return { kind: 'other', name: 'reference', bytes };
    case 8:
      return enumeration(inside);
    case 9: {
      const base = readDatatype(cursor, depth + 1);
      if ((flags & 15) === 1) return text(bytes, flags >> 4, true, (flags >> 4) & 15);
      return { kind: 'sequence', bytes, base };
    }
    case 10:
      return array(inside);
    case 11:
      return { kind: 'other', name: 'complex number', bytes };
    default:
      throw cursor.fault(`datatype class ${classAndVersion & 15}`);
  }
}

interface Inside {
  readonly cursor: Cursor;
  readonly version: number;
  readonly flags: number;
  readonly bytes: number;
  readonly depth: number;
}

function integer({ cursor, flags, bytes }: Inside, signed: boolean): IntegerType {
  const bitOffset = cursor.u16();
  const precision = cursor.u16();
  if (precision === 0 || bitOffset + precision > bytes * 8)
    throw cursor.fault('an integer wider than its storage');
  return { kind: 'integer', bytes, signed, bigEndian: (flags & 1) !== 0, bitOffset, precision };
}

function float({ cursor, flags, bytes }: Inside): FloatType | Extract<Hdf5Type, { kind: 'other' }> {
  cursor.skip(4);
  const [exponentAt, exponentBits, mantissaAt, mantissaBits] = cursor.take(4);
  const bias = cursor.u32();
  // Both byte order bits: VAX.
  if (flags & 0x40) return { kind: 'other', name: 'VAX float', bytes };
  return {
    ...{ kind: 'float', bytes, bigEndian: (flags & 1) !== 0, signBit: (flags >> 8) & 0xff },
    exponent: { at: exponentAt, bits: exponentBits, bias },
    mantissa: { at: mantissaAt, bits: mantissaBits, impliedOne: ((flags >> 4) & 3) === 2 },
  };
}

function text(bytes: number, charset: number, variable: boolean, padding: number): TextType {
  const padded = padding === 1 ? 'zeros' : padding === 2 ? 'spaces' : 'terminated';
  return { kind: 'text', bytes, variable, padding: padded, utf8: ((charset >> 4) & 15) === 1 };
}

function compound({ cursor, version, flags, bytes, depth }: Inside): CompoundType {
  const members = Array.from({ length: flags & 0xffff }, () => {
    const name = memberName(cursor, version);
    const at = version < 3 ? cursor.u32() : cursor.uint(widthOf(bytes));
    const shape = version === 1 ? oldShape(cursor) : [];
    const base = readDatatype(cursor, depth + 1);
    const type = shape.reduceRight<Hdf5Type>((inner, length) => arrayOf(inner, [length]), base);
    if (at + type.bytes > bytes) throw cursor.fault(`member ${name} is outside of its compound type`);
    return { name, at, type };
  });
  return { kind: 'compound', bytes, members };
}

/** Version 1 gives members dimensions of their own. */
function oldShape(cursor: Cursor): number[] {
  const rank = cursor.u8();
  cursor.skip(11);
  const shape = Array.from({ length: 4 }, () => cursor.u32());
  return shape.slice(0, Math.min(rank, 4));
}

function enumeration({ cursor, version, flags, bytes, depth }: Inside): EnumType {
  const base = readDatatype(cursor, depth + 1);
  if (base.kind !== 'integer' || base.bytes !== bytes)
    throw cursor.fault('an enumeration that is not based on integers');
  const names = Array.from({ length: flags & 0xffff }, () => memberName(cursor, version));
  cursor.skip(names.length * bytes);
  const boolean = names.length === 2 && names[0] === 'FALSE' && names[1] === 'TRUE';
  return { kind: 'enum', bytes, base, names, boolean };
}

function array({ cursor, version, bytes, depth }: Inside): Hdf5Type {
  const rank = cursor.u8();
  if (rank > limits.dimensions) throw cursor.fault(`elements with ${rank} dimensions`);
  if (version < 3) cursor.skip(3);
  const shape = Array.from({ length: rank }, () => cursor.u32());
  if (version < 3) cursor.skip(rank * 4);
  const type = arrayOf(readDatatype(cursor, depth + 1), shape);
  if (type.bytes !== bytes) throw cursor.fault('array elements that do not match their size');
  return type;
}

function arrayOf(base: Hdf5Type, shape: readonly number[]): Extract<Hdf5Type, { kind: 'array' }> {
  return { kind: 'array', base, shape, bytes: shape.reduce((product, n) => product * n, base.bytes) };
}

/** Names end with a zero; before version 3 they fill eights of bytes. */
function memberName(cursor: Cursor, version: number): string {
  const from = cursor.at;
  const name = cursor.terminatedText();
  if (version < 3) cursor.skip((8 - ((cursor.at - from) % 8)) % 8);
  return name;
}

/** Bytes that a number up to `value` is written in. */
function widthOf(value: number): number {
  return value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
}

function trimmed(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replace(/\0.*$/s, '');
}
