import { expectChecksum } from '../chunks/checksums.ts';
import type { Cursor } from '../cursor.ts';
import { beyondLimit } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';

/** Goes through the records of a version 2 B-tree in order; `take` reads one from the cursor. */
export async function walkTree2(
  bytes: FileBytes,
  address: number,
  type: number,
  take: (record: Cursor) => void,
): Promise<void> {
  const tree = await readHeader(bytes, address, type);
  const seen = new Set<number>();

  async function visit({ address, records }: Child, depth: number): Promise<void> {
    const node = await bytes.at(address, tree.nodeBytes);
    node.expectSignature(depth === 0 ? 'BTLF' : 'BTIN');
    if (seen.has(address) || seen.size >= limits.nodes) throw node.fault('a cycle in a B-tree');
    seen.add(address);
    if (node.u8() !== 0 || node.u8() !== type) throw node.fault('a B-tree of the wrong type');
    node.skip(records * tree.recordBytes);
    const children = depth === 0 ? [] : childrenOf(node, tree, depth, records);
    expectChecksum(node, 'a tree');
    for (let i = 0; i <= records; i++) {
      if (depth > 0) await visit(children[i], depth - 1);
      if (i === records) break;
      node.at = 6 + i * tree.recordBytes;
      take(node);
    }
  }

  if (tree.root.records > 0 || tree.depth > 0) await visit(tree.root, tree.depth);
}

interface Child {
  readonly address: number;
  readonly records: number;
}

interface Tree2 {
  readonly nodeBytes: number;
  readonly recordBytes: number;
  readonly depth: number;
  readonly root: Child;
  /** Bytes in which a node's own records are counted, and those below it, by depth. */
  readonly countBytes: number;
  readonly totalBytes: readonly number[];
}

async function readHeader(bytes: FileBytes, address: number, type: number): Promise<Tree2> {
  const { offsetBytes, lengthBytes } = bytes.widths;
  const head = (await bytes.at(address, 22 + offsetBytes + lengthBytes)).expectSignature('BTHD');
  if (head.u8() !== 0 || head.u8() !== type) throw head.fault('a B-tree of the wrong type');
  const nodeBytes = head.u32();
  const recordBytes = head.u16();
  const depth = head.u16();
  head.skip(2);
  const root = head.address();
  const records = head.u16();
  const total = head.length();
  expectChecksum(head, 'a tree');
  if (recordBytes === 0 || nodeBytes < 16 || depth > 32) throw head.fault('invalid B-tree size');
  if (total > limits.chunks) {
    throw beyondLimit(`a B-tree with ${total} records`, { file: bytes.file, place: `byte ${address}` });
  }
  const sizes = countWidths(nodeBytes, recordBytes, depth, offsetBytes);
  if (root === null && records > 0) throw head.fault('a B-tree without a root');
  return { nodeBytes, recordBytes, depth, root: { address: root ?? 0, records }, ...sizes };
}

/** How wide counts are follows from how many records could be below a node. */
function countWidths(
  nodeBytes: number,
  recordBytes: number,
  depth: number,
  offsetBytes: number,
): Pick<Tree2, 'countBytes' | 'totalBytes'> {
  const prefix = 10;
  let most = Math.floor((nodeBytes - prefix) / recordBytes);
  const countBytes = encodedBytes(most);
  const totalBytes = [0];
  for (let level = 1; level <= depth; level++) {
    const pointer = offsetBytes + countBytes + totalBytes[level - 1];
    const own = Math.floor((nodeBytes - prefix - pointer) / (recordBytes + pointer));
    most = (own + 1) * most + own;
    totalBytes.push(encodedBytes(most));
  }
  return { countBytes, totalBytes };
}

/** Bytes in which HDF5 writes numbers up to `most`. */
export function encodedBytes(most: number): number {
  return most < 1 ? 1 : Math.min(8, Math.floor(Math.floor(Math.log2(most)) / 8) + 1);
}

function childrenOf(node: Cursor, tree: Tree2, depth: number, records: number): Child[] {
  return Array.from({ length: records + 1 }, () => {
    const address = node.address();
    const count = node.uint(tree.countBytes);
    node.skip(tree.totalBytes[depth - 1]);
    if (address === null) throw node.fault('a missing child in a B-tree');
    return { address, records: count };
  });
}
