const blockBytes = 512;
/** Largest file size that the 11 octal digits of a ustar header can express. */
const maxUstarBytes = 8 ** 11 - 1;
const padToBlock = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

/**
 * Returns the layout of files as a POSIX ustar archive, with pax records for paths or sizes that do not fit into a
 * ustar header; nothing is written.
 */
export function createTar(files: readonly ArchivedFile[]): Archive {
  const parts = files.flatMap((file): ArchivePart[] => {
    const records = paxRecords(file);
    const length = records.length === 0 ? blockBytes : 2 * blockBytes + padToBlock(records.length);
    const gap = padToBlock(file.bytes) - file.bytes;
    return [
      { length, make: () => ustarHeaders(file, records) },
      { length: file.bytes, file },
      ...(gap === 0 ? [] : [{ length: gap, make: () => new Uint8Array(gap) }]),
    ];
  });
  return new Archive([...parts, { length: 2 * blockBytes, make: () => new Uint8Array(2 * blockBytes) }]);
}

function ustarHeaders({ path, bytes }: ArchivedFile, records: Uint8Array): Uint8Array {
  const fileHeader = ustarHeader(path, Math.min(bytes, maxUstarBytes), '0');
  if (records.length === 0) return fileHeader;
  const pax = Buffer.alloc(padToBlock(records.length));
  pax.set(records);
  return Buffer.concat([ustarHeader('pax', records.length, 'x'), pax, fileHeader]);
}

/**
 * Returns the pax records for a path that is longer than 100 bytes or not ASCII, and for a size above the ustar limit;
 * empty if both fit.
 */
function paxRecords({ path, bytes }: ArchivedFile): Uint8Array {
  const name = Buffer.from(path);
  const fits = name.length <= 100 && name.length === path.length;
  return Buffer.concat([
    ...(fits ? [] : [paxRecord(`path=${path}`)]),
    ...(bytes <= maxUstarBytes ? [] : [paxRecord(`size=${bytes}`)]),
  ]);
}

/** Formats a pax record `LENGTH KEY=VALUE\n`, where LENGTH counts the whole record including its own digits. */
function paxRecord(text: string): Uint8Array {
  const rest = Buffer.byteLength(text) + 2;
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${text}\n`);
}

function ustarHeader(path: string, bytes: number, type: '0' | 'x'): Uint8Array {
  const out = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  out.write(Buffer.from(path).subarray(0, 100).toString('latin1'), 0, 100, 'latin1');
  out.write(octal(0o644, 7), 100);
  out.write(octal(0, 7), 108);
  out.write(octal(0, 7), 116);
  out.write(octal(bytes, 11), 124);
  out.write(octal(0, 11), 136);
  out.write('        ', 148);
  out.write(type, 156);
  out.write('ustar\x0000', 257);
  const sum = out.reduce((total, byte) => total + byte, 0);
  out.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return out;
}

/** From this value on, sizes and offsets are written as 8 bytes in a zip64 extra field. */
const max32 = 0xffffffff;
const max16 = 0xffff;
/** General purpose flag: file names are UTF-8. */
const utf8Flag = 0x0800;
/** MS-DOS date of 1 January 1980, the first day that a zip can express. */
const fixedDate = 0x0021;
const versionMadeBy = (3 << 8) | 45;

/**
 * Returns the layout of files as a zip archive without compression; nothing is written. zip64 fields are used only for
 * what exceeds the 32-bit (or 16-bit) limits.
 */
export function createZip(files: readonly ArchivedFile[]): Archive {
  const local: ArchivePart[] = [];
  const central: ArchivePart[] = [];
  let at = 0;
  for (const file of files) {
    const name = Buffer.from(file.path);
    const offset = at;
    const head = 30 + name.length + (file.bytes >= max32 ? 20 : 0);
    local.push({ length: head, make: () => localHeader(file, name) }, { length: file.bytes, file });
    at += head + file.bytes;
    const length = 46 + name.length + centralExtra(file, offset).length;
    central.push({ length, make: () => centralHeader(file, name, offset) });
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = endRecords(files.length, size, at);
  return new Archive([...local, ...central, { length: end.length, make: () => end }]);
}

function localHeader(file: ArchivedFile, name: Uint8Array): Uint8Array {
  const isLarge = file.bytes >= max32;
  const extra = isLarge ? extraField([file.bytes, file.bytes]) : Buffer.alloc(0);
  const out = Buffer.alloc(30);
  out.writeUInt32LE(0x04034b50, 0);
  out.writeUInt16LE(isLarge ? 45 : 20, 4);
  out.writeUInt16LE(utf8Flag, 6);
  out.writeUInt16LE(fixedDate, 12);
  writeSizes(out, 14, file);
  out.writeUInt16LE(name.length, 26);
  out.writeUInt16LE(extra.length, 28);
  return Buffer.concat([out, name, extra]);
}

function centralHeader(file: ArchivedFile, name: Uint8Array, offset: number): Uint8Array {
  const extra = centralExtra(file, offset);
  const out = Buffer.alloc(46);
  out.writeUInt32LE(0x02014b50, 0);
  out.writeUInt16LE(versionMadeBy, 4);
  out.writeUInt16LE(extra.length > 0 ? 45 : 20, 6);
  out.writeUInt16LE(utf8Flag, 8);
  out.writeUInt16LE(fixedDate, 14);
  writeSizes(out, 16, file);
  out.writeUInt16LE(name.length, 28);
  out.writeUInt16LE(extra.length, 30);
  // -rw-r--r--
  out.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  out.writeUInt32LE(Math.min(offset, max32), 42);
  return Buffer.concat([out, name, extra]);
}

function writeSizes(out: Buffer, at: number, { crc32, bytes }: ArchivedFile): void {
  out.writeUInt32LE(crc32 >>> 0, at);
  out.writeUInt32LE(Math.min(bytes, max32), at + 4);
  out.writeUInt32LE(Math.min(bytes, max32), at + 8);
}

/** Returns the zip64 extra field of a directory entry; empty if sizes and offset fit into 4 bytes. */
function centralExtra({ bytes }: ArchivedFile, offset: number): Uint8Array {
  const values = [...(bytes >= max32 ? [bytes, bytes] : []), ...(offset >= max32 ? [offset] : [])];
  return values.length === 0 ? Buffer.alloc(0) : extraField(values);
}

function extraField(values: readonly number[]): Uint8Array {
  const out = Buffer.alloc(4 + 8 * values.length);
  out.writeUInt16LE(1, 0);
  out.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) out.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return out;
}

function endRecords(count: number, size: number, offset: number): Uint8Array {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, max16), 8);
  end.writeUInt16LE(Math.min(count, max16), 10);
  end.writeUInt32LE(Math.min(size, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  if (count < max16 && size < max32 && offset < max32) return end;
  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(versionMadeBy, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(offset + size), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

/**
 * A file in an archive. It carries no times, owners or modes, so that the same files always give the same archive
 * bytes.
 */
export interface ArchivedFile {
  readonly path: string;
  readonly bytes: number;
  readonly crc32: number;
}

/**
 * A consecutive range of an archive: either header bytes that are generated on demand, or the whole content of a file.
 */
type ArchivePart =
  | { readonly length: number; readonly make: () => Uint8Array }
  | { readonly length: number; readonly file: ArchivedFile };

/**
 * The layout of an archive that is generated while it is read, never stored: which bytes are generated and which come
 * from files.
 */
export class Archive {
  readonly bytes: number;
  readonly #parts: readonly ArchivePart[];
  /** Byte offset of each part. */
  readonly #starts: Float64Array;

  constructor(parts: readonly ArchivePart[]) {
    this.#parts = parts;
    this.#starts = new Float64Array(parts.length);
    let at = 0;
    for (const [index, { length }] of parts.entries()) {
      this.#starts[index] = at;
      at += length;
    }
    this.bytes = at;
  }

  /**
   * Yields the bytes from `from` to before `until`, in order: generated bytes, or ranges of files that the caller reads
   * itself. Ranges without bytes are left out.
   */
  *ranges(from: number, until: number): Generator<Uint8Array | FileRange> {
    for (let index = this.#findPart(from); index < this.#parts.length; index++) {
      const start = this.#starts[index];
      if (start >= until) return;
      const part = this.#parts[index];
      const selected = { from: Math.max(0, from - start), until: Math.min(part.length, until - start) };
      if (selected.until <= selected.from) continue;
      if ('make' in part) yield part.make().subarray(selected.from, selected.until);
      else yield { path: part.file.path, ...selected };
    }
  }

  /** Returns the index of the last part that begins at or before a byte offset. */
  #findPart(byte: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The bytes of a file from `from` (inclusive) to `until` (exclusive). */
export interface FileRange {
  readonly path: string;
  readonly from: number;
  readonly until: number;
}
