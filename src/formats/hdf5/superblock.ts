import type { Finding } from '#episode';
import { AssayError } from '#kernel';
import { expectChecksum } from './checksums.ts';
import { Cursor } from './cursor.ts';
import { unsupported } from './faults.ts';
import type { FileBytes } from './file-bytes.ts';
import { signature, startsAsHdf5 } from './signature.ts';

export interface Superblock {
  readonly version: number;
  readonly root: number;
  /** A file that was cut off, or that its writer did not close. */
  readonly findings: readonly Finding[];
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
  throw new AssayError('unreadable_input', `${bytes.path} carries no HDF5 signature`, {
    path: bytes.path,
    advice: 'a recorder that was stopped hard leaves such files; record or copy it again',
  });
}

function superblock(bytes: FileBytes, cursor: Cursor): Superblock {
  const version = cursor.u8();
  if (version > 3) {
    const place = { path: bytes.path, place: 'superblock' };
    throw unsupported(`version ${version} is not read`, place, 'write it with h5repack --high=v114');
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
    if (width !== 2 && width !== 4 && width !== 8) throw cursor.fault(`addresses of ${width} bytes`);
  }
  bytes.widths = { path: bytes.path, offsetBytes, lengthBytes };
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
  const { path, size } = bytes;
  if (root !== null && root > 0 && root >= size && end !== null && end > size) {
    throw new AssayError('unreadable_input', `${path} is cut off: the file ends at ${size} of ${end} bytes`, {
      ...{ path, place: `byte ${size}` },
      advice: 'copy the file again; nothing that lies before the cut leads to its content',
    });
  }
  if (root === null || root === 0 || root >= size) {
    throw new AssayError('unreadable_input', `${path} was not closed: nothing leads to its content`, {
      ...{ path, place: 'superblock' },
      advice: 'the recorder was stopped before it closed the file; record again',
    });
  }
  const findings: Finding[] = [];
  if (end !== null && end > size) {
    findings.push({
      ...{ code: 'file_truncated', severity: 'error', path },
      message: `${path} ends at byte ${size}, its superblock says ${end}`,
      advice: 'copy the file again; what lies behind the cut is lost here',
    });
  }
  if (openFlags !== 0) {
    findings.push({
      ...{ code: 'file_not_closed', severity: 'warning', path },
      message: `${path} is marked as open for writing: its writer did not close it, or still writes`,
      advice: 'wait for the recorder to finish; if it was stopped, h5clear -s takes the mark away',
    });
  }
  return { version, root, findings };
}
