import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import { type BagIndex, readBagIndex } from './bag-index.ts';
import { type BagHeader, bagHeaderOf, magic, magicPrefix, maxHeadBytes, RecordHead } from './records.ts';

/** What a bag says of itself before its first chunk, and the index this points to. */
export interface BagStart {
  readonly header: BagHeader;
  /** Where the record behind the header starts. */
  readonly firstRecord: number;
  /** null: there is none, or not all of it. */
  readonly index: BagIndex | null;
}

const utf8 = new TextDecoder('utf-8');

/** The version in a bag's first line; null: this is no bag. */
export function versionOf(head: Uint8Array): string | null {
  const line = utf8.decode(head.subarray(0, 32)).split('\n')[0];
  return line.startsWith(magicPrefix) ? line.slice(magicPrefix.length).trim() : null;
}

/** Throws `unsupported_version` for other versions and encrypted bags, `unreadable_input` for no bag at all. */
export async function readBagStart(tree: SourceTree, path: string): Promise<BagStart> {
  const bytes = await tree.head(path, magic.length + 8 + 4096);
  const version = versionOf(bytes);
  if (version === null)
    throw new AssayError('unreadable_input', `${path} does not start as a ROS 1 bag does`, { path });
  if (version !== '2.0') {
    throw new AssayError('unsupported_version', `${path} is a bag of version ${version}; only 2.0 is read`, {
      path,
      advice: 'write it again as version 2.0: rosbag filter old.bag new.bag True',
    });
  }
  const { header, firstRecord } = readHeader(bytes, path);
  if (header.encryptor !== '') {
    throw new AssayError('unsupported_version', `${path} is encrypted (${header.encryptor.slice(0, 100)})`, {
      path,
      advice: 'decrypt it first: rosbag decrypt',
    });
  }
  return { header, firstRecord, index: await readBagIndex(tree, path, header) };
}

function readHeader(bytes: Uint8Array, path: string): Omit<BagStart, 'index'> {
  const view = viewOf(bytes);
  const start = magic.length + 4;
  const head = new RecordHead();
  try {
    const length = view.getUint32(magic.length, true);
    if (
      length > Math.min(maxHeadBytes, bytes.length - start) ||
      !head.scan(bytes, view, start, start + length)
    )
      throw new RangeError('its first record is not whole');
    const firstRecord = start + length + 4 + view.getUint32(start + length, true);
    return { header: bagHeaderOf(head), firstRecord };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new AssayError(
      'unreadable_input',
      `${path} is a ROS 1 bag without a usable header: ${thrown.message}`,
      {
        path,
        advice: 'fetch the file again; where the recorder was stopped at once, nothing was recorded',
      },
    );
  }
}
