import { Archive, type ArchivedFile, type ArchivePart } from './archive.ts';

const block = 512;
/** What eleven octal digits hold. */
const mostBytes = 8 ** 11 - 1;
const padded = (bytes: number): number => Math.ceil(bytes / block) * block;

/** Files as a tar archive: POSIX ustar, with pax records where a name or a size does not fit. */
export function tarOf(files: readonly ArchivedFile[]): Archive {
  const parts = files.flatMap((file): ArchivePart[] => {
    const records = paxRecords(file);
    const length = records.length === 0 ? block : 2 * block + padded(records.length);
    const gap = padded(file.bytes) - file.bytes;
    return [
      { length, make: () => headersOf(file, records) },
      { length: file.bytes, file },
      ...(gap === 0 ? [] : [{ length: gap, make: () => new Uint8Array(gap) }]),
    ];
  });
  return new Archive([...parts, { length: 2 * block, make: () => new Uint8Array(2 * block) }]);
}

function headersOf({ path, bytes }: ArchivedFile, records: Uint8Array): Uint8Array {
  const own = header(path, Math.min(bytes, mostBytes), '0');
  if (records.length === 0) return own;
  const pax = Buffer.alloc(padded(records.length));
  pax.set(records);
  return Buffer.concat([header('pax', records.length, 'x'), pax, own]);
}

/** What a header has no room for. */
function paxRecords({ path, bytes }: ArchivedFile): Uint8Array {
  const name = Buffer.from(path);
  const fits = name.length <= 100 && name.length === path.length;
  return Buffer.concat([
    ...(fits ? [] : [record(`path=${path}`)]),
    ...(bytes <= mostBytes ? [] : [record(`size=${bytes}`)]),
  ]);
}

/** A record begins with its own length, whose digits count. */
function record(text: string): Uint8Array {
  const rest = Buffer.byteLength(text) + 2;
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length = rest + String(length).length;
  return Buffer.from(`${length} ${text}\n`);
}

function header(path: string, bytes: number, type: '0' | 'x'): Uint8Array {
  const out = Buffer.alloc(block);
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
