import type { Cursor } from '../cursor.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';

export interface Tree1 {
  /** 0: members of groups. 1: chunks. */
  readonly type: 0 | 1;
  readonly keyBytes: number;
}

/**
 * Goes through the leaves of a version 1 B-tree in order. `take` reads one key from the cursor; what else it read does
 * not matter. Levels must fall and no node comes twice, so that every walk ends.
 */
export async function walkTree1(
  bytes: FileBytes,
  root: number,
  { type, keyBytes }: Tree1,
  take: (key: Cursor, child: number) => void,
): Promise<void> {
  const seen = new Set<number>();
  const { offsetBytes } = bytes.widths;
  const entryBytes = keyBytes + offsetBytes;
  const headBytes = 8 + 2 * offsetBytes;

  async function visit(address: number, level: number | null): Promise<void> {
    const head = (await bytes.at(address, headBytes)).expectSignature('TREE');
    if (seen.has(address) || seen.size >= limits.nodes) throw head.fault('a cycle in a B-tree');
    seen.add(address);
    if (head.u8() !== type) throw head.fault('a B-tree of the wrong type');
    const own = head.u8();
    if (level !== null && own !== level) throw head.fault('a missing level in a B-tree');
    const entries = head.u16();
    const body = await bytes.at(address + headBytes, entries * entryBytes);
    for (let i = 0; i < entries; i++) {
      body.at = i * entryBytes + keyBytes;
      const child = body.address();
      if (child === null) throw body.fault('a missing child in a B-tree');
      body.at = i * entryBytes;
      if (own === 0) take(body, child);
      else await visit(child, own - 1);
    }
  }

  await visit(root, null);
}
