import { Capture } from './capture.ts';
import { compileRosProgram, op, opWords } from './program.ts';
import type { MessageDecoder, Taps } from './taps.ts';
import { numberBytes, numberTypes, type StructType } from './type-tree.ts';

const sizes = numberTypes.map((type) => numberBytes[type]);

/** ROS 1: packed, little-endian. CDR: aligned to the size of each primitive, byte order in its first four bytes. */
export type RosWire = 'ros1' | 'cdr';

/** A decoder for one message type that takes out the tapped fields only and builds no object. */
export function rosDecoder(root: StructType, taps: Taps, wire: RosWire): MessageDecoder {
  return new RosDecoder(compileRosProgram(root, taps, wire === 'cdr'), taps, wire);
}

class RosDecoder implements MessageDecoder {
  readonly out: Capture;
  readonly #code: Int32Array;
  readonly #cdr: boolean;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #pos = 0;
  #end = 0;
  #origin = 0;
  #little = true;
  #stopped = false;

  constructor(code: Int32Array, taps: Taps, wire: RosWire) {
    this.#code = code;
    this.#cdr = wire === 'cdr';
    this.out = new Capture(taps);
  }

  decode(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#view = view;
    this.#pos = start;
    this.#end = end;
    this.#little = true;
    this.#stopped = false;
    if (this.#cdr && !this.#encapsulation()) return false;
    this.#origin = this.#pos;
    this.out.begin(bytes);
    if (!this.#run(0, this.#code.length) || this.#pos > end) return false;
    this.out.finish();
    return true;
  }

  /** Plain CDR only (0: big-endian, 1: little-endian); parameter lists and XCDR2 lay fields out otherwise. */
  #encapsulation(): boolean {
    if (this.#end - this.#pos < 4 || this.#bytes[this.#pos] !== 0) return false;
    const kind = this.#bytes[this.#pos + 1];
    this.#little = kind === 1;
    this.#pos += 4;
    return kind <= 1;
  }

  #align(size: number): void {
    if (!this.#cdr || size === 1) return;
    const over = (this.#pos - this.#origin) & (size - 1);
    if (over !== 0) this.#pos += size - over;
  }

  /** A length or count; -1 when it lies past the end. */
  #length(): number {
    this.#align(4);
    if (this.#pos + 4 > this.#end) return -1;
    const length = this.#view.getUint32(this.#pos, this.#little);
    this.#pos += 4;
    return length;
  }

  #run(from: number, to: number): boolean {
    const code = this.#code;
    let at = from;
    while (at < to && !this.#stopped) {
      switch (code[at]) {
        case op.numbers:
          if (!this.#take(code[at + 1], code[at + 2], code[at + 3])) return false;
          at += 4;
          break;
        case op.numberSequence: {
          const count = this.#length();
          if (count < 0 || !this.#take(code[at + 1], code[at + 2], count)) return false;
          at += 3;
          break;
        }
        case op.skip:
          if (!this.#skip(code[at + 1], code[at + 2])) return false;
          at += 3;
          break;
        case op.skipSequence: {
          const count = this.#length();
          if (count < 0 || !this.#skip(code[at + 1], count)) return false;
          at += 2;
          break;
        }
        case op.loop:
          if (!this.#loop(at)) return false;
          at += 5 + code[at + 3] + code[at + 4];
          break;
        default:
          if (!this.#textual(code[at], code[at + 1])) return false;
          at += opWords[code[at]];
      }
    }
    return true;
  }

  #textual(what: number, operand: number): boolean {
    switch (what) {
      case op.skipText:
        return this.#string() >= 0;
      case op.text: {
        const length = this.#string();
        if (length < 0) return false;
        this.out.setText(operand, this.#pos - length, this.#pos - this.#terminator(length));
        return true;
      }
      case op.skipTexts:
        return this.#strings(operand, false);
      case op.names:
        return this.#strings(operand, true);
      case op.payload:
        return this.#takePayload(this.#length());
      case op.fixedPayload:
        return this.#takePayload(operand);
      case op.stamp:
        return this.#stamp();
      default:
        this.#stopped = true;
        return true;
    }
  }

  #skip(size: number, count: number): boolean {
    if (count === 0) return true;
    this.#align(size);
    this.#pos += size * count;
    return this.#pos <= this.#end;
  }

  #take(type: number, group: number, count: number): boolean {
    if (count === 0) return true;
    const size = sizes[type];
    this.#align(size);
    if (this.#pos + size * count > this.#end) return false;
    const at = this.out.counts[group];
    const into = this.out.room(group, count);
    if (into !== null) this.#read(type, into, at, count);
    this.#pos += size * count;
    return true;
  }

  #read(type: number, into: Float64Array, at: number, count: number): void {
    const view = this.#view;
    const little = this.#little;
    const from = this.#pos;
    const size = sizes[type];
    if (type === float64) {
      for (let i = 0; i < count; i++) into[at + i] = view.getFloat64(from + i * 8, little);
    } else if (type === float32) {
      for (let i = 0; i < count; i++) into[at + i] = view.getFloat32(from + i * 4, little);
    } else {
      for (let i = 0; i < count; i++) into[at + i] = integer(view, type, from + i * size, little);
    }
  }

  #loop(at: number): boolean {
    const code = this.#code;
    const count = code[at + 1] < 0 ? this.#length() : code[at + 1];
    if (count < 0 || count * code[at + 2] > this.#end - this.#pos) return false;
    const groups = code.subarray(at + 5, at + 5 + code[at + 3]);
    const body = at + 5 + groups.length;
    const held = groups.length === 0 ? noCounts : new Int32Array(groups.length);
    for (let i = 0; i < count && !this.#stopped; i++) {
      for (const group of groups) if (group >= 0) this.out.counts[group] = 0;
      if (!this.#run(body, body + code[at + 4])) return false;
      for (let k = 0; k < groups.length; k++) {
        if (groups[k] >= 0) continue;
        if (i === 0) held[k] = this.out.counts[-2 - groups[k]];
        else this.out.counts[-2 - groups[k]] = held[k];
      }
    }
    return true;
  }

  /** Moves past a string; its length in bytes, terminator included, or -1. */
  #string(): number {
    const length = this.#length();
    if (length < 0 || length > this.#end - this.#pos) return -1;
    this.#pos += length;
    return length;
  }

  /** CDR strings end in a zero byte that counts as part of their length; ROS 1 strings do not. */
  #terminator(length: number): number {
    return this.#cdr && length > 0 && this.#bytes[this.#pos - 1] === 0 ? 1 : 0;
  }

  #strings(declared: number, keep: boolean): boolean {
    const count = declared < 0 ? this.#length() : declared;
    if (count < 0 || count * 4 > this.#end - this.#pos + 3) return false;
    for (let i = 0; i < count; i++) {
      const length = this.#string();
      if (length < 0) return false;
      if (keep) this.out.addName(this.#pos - length, this.#pos - this.#terminator(length));
    }
    return true;
  }

  #takePayload(length: number): boolean {
    if (length < 0 || length > this.#end - this.#pos) return false;
    this.out.setPayload(this.#pos, this.#pos + length);
    this.#pos += length;
    return true;
  }

  /** ROS 1 counts seconds unsigned, ROS 2 signed. */
  #stamp(): boolean {
    this.#align(4);
    const at = this.#pos;
    if (at + 8 > this.#end) return false;
    const little = this.#little;
    const sec = this.#cdr ? this.#view.getInt32(at, little) : this.#view.getUint32(at, true);
    this.out.setStamp(sec, this.#view.getUint32(at + 4, little));
    this.#pos += 8;
    return true;
  }
}

const noCounts = new Int32Array(0);
const float32 = numberTypes.indexOf('float32');
const float64 = numberTypes.indexOf('float64');

/** 64-bit integers become the nearest double: signals, not identifiers. */
function integer(view: DataView, type: number, at: number, little: boolean): number {
  switch (numberTypes[type]) {
    case 'bool':
      return view.getUint8(at) === 0 ? 0 : 1;
    case 'int8':
      return view.getInt8(at);
    case 'uint8':
      return view.getUint8(at);
    case 'int16':
      return view.getInt16(at, little);
    case 'uint16':
      return view.getUint16(at, little);
    case 'int32':
      return view.getInt32(at, little);
    case 'uint32':
      return view.getUint32(at, little);
    case 'int64':
      return (
        view.getInt32(at + (little ? 4 : 0), little) * 4294967296 +
        view.getUint32(at + (little ? 0 : 4), little)
      );
    default:
      return (
        view.getUint32(at + (little ? 4 : 0), little) * 4294967296 +
        view.getUint32(at + (little ? 0 : 4), little)
      );
  }
}
