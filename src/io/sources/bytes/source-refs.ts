import type { SourceRef } from '#core/episode';
import type { SourceTree } from '../source-tree.ts';
import type { FileHasher } from './file-hash.ts';

/** Files hashed at a time, so that reading the next overlaps with hashing this one. */
const ahead = 4;

/** A file an episode was read from, before it is hashed. */
export interface UsedFile {
  readonly path: string;
  readonly role: SourceRef['role'];
}

/** Which hashes are wanted: of everything, of pictures and videos alone, of nothing. */
export type HashScope = 'all' | 'media' | 'none';

/** A look names no hashes; who writes no receipts wants those of pictures and videos alone. */
export function hashScope({
  hashes,
  copies,
  look,
}: {
  readonly hashes?: boolean;
  readonly copies?: boolean;
  readonly look?: boolean;
}): HashScope {
  if (look === true || (hashes === false && copies === false)) return 'none';
  return hashes === false ? 'media' : 'all';
}

/** The files of an episode, hashed as far as that is wanted. */
export async function sourceRefs(
  tree: SourceTree,
  files: readonly UsedFile[],
  hasher: FileHasher,
  scope: HashScope,
): Promise<SourceRef[]> {
  const refs = new Array<SourceRef>(files.length);
  let next = 0;
  const work = async () => {
    while (next < files.length) {
      const place = next++;
      const { path, role } = files[place];
      const wanted = scope === 'all' || (scope === 'media' && (role === 'video' || role === 'image'));
      const sha256 = wanted ? await hasher.sha256(path) : null;
      refs[place] = { path, bytes: tree.entry(path)?.bytes ?? 0, sha256, role };
    }
  };
  await Promise.all(Array.from({ length: Math.min(ahead, files.length) }, work));
  return refs;
}
