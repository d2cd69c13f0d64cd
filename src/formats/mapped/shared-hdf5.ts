import type { Hdf5File, Hdf5Group } from '@assay/hdf5';
import type { SourceTree } from '#io/sources';
import { openHdf5 } from '../shared/hdf5-file.ts';

/** An open file, the number of tables that use it, and the groups that hold the groups of episodes. */
interface SharedFile {
  readonly path: string;
  readonly file: Hdf5File;
  readonly parents: Map<string, Promise<Hdf5Group | null>>;
  users: number;
}

/** A group of an open file; `top` is `null` if there is none of that name. */
export interface SharedGroup {
  readonly file: Hdf5File;
  readonly top: Hdf5Group | null;
  release(): Promise<void>;
}

/**
 * Keeps the HDF5 file open that was used last, so that the names in a file of thousands of groups, one per episode, are not
 * read again for each of them.
 */
export class SharedHdf5Files {
  readonly #tree: SourceTree;
  #last: SharedFile | null = null;

  constructor(tree: SourceTree) {
    this.#tree = tree;
  }

  /**
   * Opens a group of a file (`null`: the whole file), whose `top` is `null` if there is no such group; the caller must
   * release it.
   */
  async open(path: string, group: string | null): Promise<SharedGroup> {
    const shared = await this.#acquire(path);
    try {
      const top = group === null ? shared.file.root : await findGroup(shared, group);
      return { file: shared.file, top, release: () => this.#release(shared) };
    } catch (thrown) {
      await this.#release(shared);
      throw thrown;
    }
  }

  async #acquire(path: string): Promise<SharedFile> {
    let shared = this.#last;
    if (shared === null || shared.path !== path) {
      shared = { path, file: await openHdf5(this.#tree, path), parents: new Map(), users: 0 };
      await this.close();
      this.#last = shared;
    }
    shared.users++;
    return shared;
  }

  async #release(shared: SharedFile): Promise<void> {
    shared.users--;
    if (shared !== this.#last && shared.users === 0) await shared.file.close();
  }

  /** Closes the file that was used last; one in use is closed when it is released. */
  async close(): Promise<void> {
    const last = this.#last;
    this.#last = null;
    if (last !== null && last.users === 0) await last.file.close();
  }
}

async function findGroup({ file, parents }: SharedFile, group: string): Promise<Hdf5Group | null> {
  const parts = group.split('/').filter((part) => part !== '');
  const name = parts.pop() ?? '';
  const at = parts.join('/');
  const parent = parents.get(at) ?? (at === '' ? Promise.resolve(file.root) : file.root.group(at));
  parents.set(at, parent);
  return (await parent)?.group(name) ?? null;
}
