/** Reader of Protocol Buffers bytes. Every read stays within [pos, end). @throws RangeError past the end. */
export class ProtobufReader {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  pos = 0;
  end = 0;

  /** Sets the bytes to read and the range [start, end). */
  reset(bytes: Uint8Array, view: DataView, start: number, end: number): void {
    this.bytes = bytes;
    this.view = view;
    this.pos = start;
    this.end = end;
  }

  /** Reads an unsigned varint; above 2^53 the nearest double. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      if (this.pos >= this.end) throw new RangeError('varint extends past the end of the message');
      const byte = this.bytes[this.pos++];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new RangeError('varint longer than ten bytes');
  }

  /** Reads a signed 64-bit varint (two's complement), the encoding of int32 and int64. */
  signed(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.pos >= this.end) throw new RangeError('varint extends past the end of the message');
      const byte = this.bytes[this.pos++];
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else if (shift < 64) high |= bits << (shift - 32);
      if (byte < 0x80) return high * 4294967296 + (low >>> 0);
    }
    throw new RangeError('varint longer than ten bytes');
  }

  /** Reads a length prefix; throws RangeError if it exceeds the remaining bytes. */
  length(): number {
    const length = this.varint();
    if (length > this.end - this.pos) throw new RangeError('length extends past the end of the message');
    return length;
  }

  /** Skips this many bytes and returns their offset; throws RangeError if fewer remain. */
  advance(bytes: number): number {
    const at = this.pos;
    if (bytes > this.end - at) throw new RangeError('value extends past the end of the message');
    this.pos = at + bytes;
    return at;
  }

  /** Skips a field of this wire type; throws RangeError for groups and unknown wire types. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.advance(8);
    else if (wireType === 2) this.advance(this.length());
    else if (wireType === 5) this.advance(4);
    else throw new RangeError(`unsupported wire type ${wireType}`);
  }
}
