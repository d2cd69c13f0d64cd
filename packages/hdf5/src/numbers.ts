import type { FloatType, Hdf5Type, IntegerType } from './datatype.ts';

/** Numbers as stored: each width has its own array, so that nothing is lost or copied. */
export type NumberArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** The number type behind a type: of booleans and enumerations their integers, of arrays their elements. */
export function numberType(type: Hdf5Type): IntegerType | FloatType | null {
  if (type.kind === 'enum') return type.base;
  if (type.kind === 'array') return numberType(type.base);
  return (type.kind === 'integer' || type.kind === 'float') && type.bytes <= 8 ? type : null;
}

/** Reads numbers out of bytes that start their buffer; where they fit as they are, it becomes the array. */
export function toNumbers(bytes: Uint8Array<ArrayBuffer>, type: IntegerType | FloatType): NumberArray {
  if (type.kind === 'integer' && isPlain(type)) return plainIntegers(native(bytes, type), type);
  if (type.kind === 'float' && isIeee(type, 8, 23)) {
    return new Float32Array(native(bytes, type).buffer, 0, Math.floor(bytes.length / 4));
  }
  if (type.kind === 'float' && isIeee(type, 11, 52)) {
    return new Float64Array(native(bytes, type).buffer, 0, Math.floor(bytes.length / 8));
  }
  const isHalf = type.kind === 'float' && isIeee(type, 5, 10);
  if (!isHalf) return unusual(bytes, type);
  return halves(new Uint16Array(native(bytes, type).buffer, 0, Math.floor(bytes.length / 2)));
}

function isPlain({ bytes, bitOffset, precision }: IntegerType): boolean {
  return (
    bitOffset === 0 && precision === bytes * 8 && (bytes === 1 || bytes === 2 || bytes === 4 || bytes === 8)
  );
}

function isIeee(
  { bytes, signBit, exponent, mantissa }: FloatType,
  exponentBits: number,
  mantissaBits: number,
): boolean {
  return (
    bytes * 8 === 1 + exponentBits + mantissaBits &&
    signBit === bytes * 8 - 1 &&
    exponent.at === mantissaBits &&
    exponent.bits === exponentBits &&
    exponent.bias === 2 ** (exponentBits - 1) - 1 &&
    mantissa.at === 0 &&
    mantissa.bits === mantissaBits &&
    mantissa.impliedOne
  );
}

/** In this machine's byte order (Node knows little-endian ones only), whole elements. */
function native(
  bytes: Uint8Array<ArrayBuffer>,
  type: { readonly bytes: number; readonly bigEndian: boolean },
): Uint8Array<ArrayBuffer> {
  if (type.bigEndian && type.bytes > 1) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (type.bytes === 2) buffer.swap16();
    else if (type.bytes === 4) buffer.swap32();
    else buffer.swap64();
  }
  return bytes;
}

function plainIntegers(
  { buffer, length }: Uint8Array<ArrayBuffer>,
  { bytes, signed }: IntegerType,
): NumberArray {
  const count = Math.floor(length / bytes);
  if (bytes === 1) return signed ? new Int8Array(buffer, 0, count) : new Uint8Array(buffer, 0, count);
  if (bytes === 2) return signed ? new Int16Array(buffer, 0, count) : new Uint16Array(buffer, 0, count);
  if (bytes === 4) return signed ? new Int32Array(buffer, 0, count) : new Uint32Array(buffer, 0, count);
  return signed ? new BigInt64Array(buffer, 0, count) : new BigUint64Array(buffer, 0, count);
}

/** float16, through a table of all its values. */
function halves(words: Uint16Array): Float32Array {
  halfValues ??= Float32Array.from({ length: 65_536 }, (_, word) => {
    const sign = word & 0x8000 ? -1 : 1;
    const exponent = (word >> 10) & 31;
    const mantissa = word & 1023;
    if (exponent === 31) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (exponent === 0 ? mantissa * 2 ** -24 : (1 + mantissa / 1024) * 2 ** (exponent - 15));
  });
  const table = halfValues;
  return Float32Array.from(words, (word) => table[word]);
}
let halfValues: Float32Array | undefined;

/** Integers of odd widths, and floats with a layout of their own. Rare, so bit by bit. */
function unusual(bytes: Uint8Array, type: IntegerType | FloatType): Float64Array {
  const count = Math.floor(bytes.length / type.bytes);
  const read = type.kind === 'integer' ? integerOf : floatOf;
  return Float64Array.from({ length: count }, (_, i) => {
    let word = 0n;
    for (let byte = 0; byte < type.bytes; byte++) {
      const at = i * type.bytes + (type.bigEndian ? byte : type.bytes - 1 - byte);
      word = (word << 8n) | BigInt(bytes[at]);
    }
    return read(word, type as never);
  });
}

function field(word: bigint, at: number, bits: number): bigint {
  return BigInt.asUintN(bits, word >> BigInt(at));
}

function integerOf(word: bigint, { bitOffset, precision, signed }: IntegerType): number {
  const value = field(word, bitOffset, precision);
  return Number(signed ? BigInt.asIntN(precision, value) : value);
}

function floatOf(word: bigint, { signBit, exponent, mantissa }: FloatType): number {
  const sign = field(word, signBit, 1) ? -1 : 1;
  const power = Number(field(word, exponent.at, exponent.bits));
  const fraction = Number(field(word, mantissa.at, mantissa.bits)) / 2 ** mantissa.bits;
  if (power === 2 ** exponent.bits - 1) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  if (!mantissa.impliedOne) return sign * fraction * 2 ** (power - exponent.bias);
  return (
    sign * (power === 0 ? fraction * 2 ** (1 - exponent.bias) : (1 + fraction) * 2 ** (power - exponent.bias))
  );
}

/**
 * The same numbers in the two widths an episode carries: what a float32 holds exactly becomes one, all else a float64.
 * Integers beyond 2^53 are rounded.
 */
export function toFloats(numbers: NumberArray): Float32Array | Float64Array {
  if (numbers instanceof Float32Array || numbers instanceof Float64Array) return numbers;
  if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
    const floats = new Float64Array(numbers.length);
    for (let i = 0; i < floats.length; i++) floats[i] = Number(numbers[i]);
    return floats;
  }
  return numbers.BYTES_PER_ELEMENT < 4 ? Float32Array.from(numbers) : Float64Array.from(numbers);
}
