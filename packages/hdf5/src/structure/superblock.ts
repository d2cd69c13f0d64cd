import { expectChecksum } from '../chunks/checksums.ts';
import { Cursor } from '../cursor.ts';
import { fileError, unsupported } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { signature, startsAsHdf5 } from './signature.ts';

/** What opening met that does not keep the file from being read. */
export interface Hdf5Finding {
  readonly code: 'file_truncated' | 'file_not_closed';
  readonly severity: 'warning' | 'error';
  readonly path: string;
  readonly message: string;
  readonly advice: string;
}

export interface Superblock {
  readonly version: number;
  readonly root: number;
  /** A file that was cut off, or that its writer did not close. */
  readonly findings: readonly Hdf5Finding[];
}

const longest = 128;

/** Finds and reads the superblock, and tells `bytes` how wide addresses are and where they start. */
export async function readSuperblock(bytes: FileBytes): Promise<Superblock> {
  for (let at = 0; at < bytes.size; at = at === 0 ? 512 : at * 2) {
    const cursor = await bytes.atMost(at, longest);
    if (!startsAsHdf5(cursor.bytes)) continue;
    bytes.base = at;
    return superblock(bytes, cursor.skip(signature.length));
  }
  const advice = 'a killed recorder leaves such files; record or copy it again';
  throw fileError('no_hdf5', `${bytes.file.path} has no HDF5 signature`, bytes.file, advice);
}

function superblock(bytes: FileBytes, cursor: Cursor): Superblock {
  const version = cursor.u8();
  if (version > 3) {
    const place = { file: bytes.file, place: 'superblock' };
    throw unsupported(`unsupported version ${version}`, place, 'convert it with h5repack --high=v114');
  }
  return version < 2 ? oldSuperblock(bytes, cursor, version) : newSuperblock(bytes, cursor, version);
}

function oldSuperblock(bytes: FileBytes, first: Cursor, version: number): Superblock {
  const widths = first.skip(4);
  const sized = setWidths(bytes, widths, widths.u8(), widths.u8()).skip(1);
  sized.skip(8 + (version === 1 ? 4 : 0));
  sized.address();
  sized.address();
  const end = sized.address();
  sized.address();
  sized.address();
  const root = sized.address();
  return checked(bytes, { version, end, root, openFlags: 0 });
}

function newSuperblock(bytes: FileBytes, first: Cursor, version: number): Superblock {
  const sized = setWidths(bytes, first, first.u8(), first.u8());
  const openFlags = sized.u8();
  sized.address();
  sized.address();
  const end = sized.address();
  const root = sized.address();
  expectChecksum(sized, 'the superblock');
  return checked(bytes, { version, end, root, openFlags: version === 3 ? openFlags & 5 : 0 });
}

/** The same place of the file, read with its own widths from now on. */
function setWidths(bytes: FileBytes, cursor: Cursor, offsetBytes: number, lengthBytes: number): Cursor {
  for (const width of [offsetBytes, lengthBytes]) {
    if (width !== 2 && width !== 4 && width !== 8) throw cursor.fault(`${width}-byte addresses`);
  }
  bytes.widths = { file: bytes.file, offsetBytes, lengthBytes };
  return new Cursor(cursor.bytes, cursor.origin, bytes.widths).skip(cursor.at);
}

interface Said {
  readonly version: number;
  readonly end: number | null;
  readonly root: number | null;
  /** Nonzero: a writer had the file open and did not take its mark away. */
  readonly openFlags: number;
}

function checked(bytes: FileBytes, { version, end, root, openFlags }: Said): Superblock {
  const { file, size } = bytes;
  const { path } = file;
  if (root !== null && root > 0 && root >= size && end !== null && end > size) {
    const what = `${path} is truncated: ${size} of ${end} bytes`;
    const advice = 'copy the file again; nothing can be read from the remaining part';
    throw fileError('no_hdf5', what, file, advice, `byte ${size}`);
  }
  if (root === null || root === 0 || root >= size) {
    const advice = 'the recorder was killed before it closed the file; record again';
    throw fileError('no_hdf5', `${path} was not closed: it has no root group`, file, advice, 'superblock');
  }
  const findings: Hdf5Finding[] = [];
  if (end !== null && end > size) {
    findings.push({
      ...{ code: 'file_truncated', severity: 'error', path },
      message: `${path} is truncated: ${size} bytes instead of ${end}`,
      advice: 'copy the file again; the rest of its data is missing',
    });
  }
  if (openFlags !== 0) {
    findings.push({
      ...{ code: 'file_not_closed', severity: 'warning', path },
      message: `${path} is marked as open for writing: the writer crashed or is still writing`,
      advice: 'wait for the recorder to finish; if it crashed, clear the mark with h5clear -s',
    });
  }
  return { version, root, findings };
}
