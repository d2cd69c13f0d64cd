import { Archive, type ArchivedFile, type ArchivePart } from './archive.ts';

/** From here on a size or a place takes eight bytes, in an extra field. */
const large = 0xffffffff;
const many = 0xffff;
/** Names are UTF-8. */
const flags = 0x0800;
/** 1 January 1980, the first day that a zip can name. */
const day = 0x0021;
const made = (3 << 8) | 45;

/** Files as a zip archive, stored as they are; zip64 where something is too large for the plain form. */
export function zipOf(files: readonly ArchivedFile[]): Archive {
  const local: ArchivePart[] = [];
  const central: ArchivePart[] = [];
  let at = 0;
  for (const file of files) {
    const name = Buffer.from(file.path);
    const offset = at;
    const head = 30 + name.length + (file.bytes >= large ? 20 : 0);
    local.push({ length: head, make: () => localHeader(file, name) }, { length: file.bytes, file });
    at += head + file.bytes;
    const length = 46 + name.length + centralExtra(file, offset).length;
    central.push({ length, make: () => centralHeader(file, name, offset) });
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = endOf(files.length, size, at);
  return new Archive([...local, ...central, { length: end.length, make: () => end }]);
}

function localHeader(file: ArchivedFile, name: Uint8Array): Uint8Array {
  const isLarge = file.bytes >= large;
  const extra = isLarge ? extraField([file.bytes, file.bytes]) : Buffer.alloc(0);
  const out = Buffer.alloc(30);
  out.writeUInt32LE(0x04034b50, 0);
  out.writeUInt16LE(isLarge ? 45 : 20, 4);
  out.writeUInt16LE(flags, 6);
  out.writeUInt16LE(day, 12);
  sizes(out, 14, file);
  out.writeUInt16LE(name.length, 26);
  out.writeUInt16LE(extra.length, 28);
  return Buffer.concat([out, name, extra]);
}

function centralHeader(file: ArchivedFile, name: Uint8Array, offset: number): Uint8Array {
  const extra = centralExtra(file, offset);
  const out = Buffer.alloc(46);
  out.writeUInt32LE(0x02014b50, 0);
  out.writeUInt16LE(made, 4);
  out.writeUInt16LE(extra.length > 0 ? 45 : 20, 6);
  out.writeUInt16LE(flags, 8);
  out.writeUInt16LE(day, 14);
  sizes(out, 16, file);
  out.writeUInt16LE(name.length, 28);
  out.writeUInt16LE(extra.length, 30);
  // -rw-r--r--
  out.writeUInt32LE((0o100644 << 16) >>> 0, 38);
  out.writeUInt32LE(Math.min(offset, large), 42);
  return Buffer.concat([out, name, extra]);
}

function sizes(out: Buffer, at: number, { crc32, bytes }: ArchivedFile): void {
  out.writeUInt32LE(crc32 >>> 0, at);
  out.writeUInt32LE(Math.min(bytes, large), at + 4);
  out.writeUInt32LE(Math.min(bytes, large), at + 8);
}

/** Only what does not fit in four bytes. */
function centralExtra({ bytes }: ArchivedFile, offset: number): Uint8Array {
  const values = [...(bytes >= large ? [bytes, bytes] : []), ...(offset >= large ? [offset] : [])];
  return values.length === 0 ? Buffer.alloc(0) : extraField(values);
}

function extraField(values: readonly number[]): Uint8Array {
  const out = Buffer.alloc(4 + 8 * values.length);
  out.writeUInt16LE(1, 0);
  out.writeUInt16LE(8 * values.length, 2);
  for (const [place, value] of values.entries()) out.writeBigUInt64LE(BigInt(value), 4 + 8 * place);
  return out;
}

function endOf(count: number, size: number, offset: number): Uint8Array {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, many), 8);
  end.writeUInt16LE(Math.min(count, many), 10);
  end.writeUInt32LE(Math.min(size, large), 12);
  end.writeUInt32LE(Math.min(offset, large), 16);
  if (count < many && size < large && offset < large) return end;
  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(made, 12);
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
