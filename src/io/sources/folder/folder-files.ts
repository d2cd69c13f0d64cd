import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FilePlace, HeldFiles, ReadableFile } from '../byte-store.ts';
import { type Listing, type WalkLimits, walk } from './walk.ts';

/** Recordings in a folder of this machine, or one file of it: by name whenever somebody asks. */
export class FolderFiles implements FilePlace {
  readonly label: string;
  readonly root: string;

  private constructor(label: string, root: string) {
    this.label = label;
    this.root = root;
  }

  /** Walks the folder; throws `not_found`, `not_permitted`, `limit_exceeded`. */
  static async open(
    path: string,
    limits?: Partial<WalkLimits>,
  ): Promise<{ readonly place: FolderFiles; readonly listing: Listing }> {
    const listing = await walk(path, limits);
    return { place: new FolderFiles(path, listing.single ? dirname(path) : path), listing };
  }

  open(path: string): Promise<ReadableFile> {
    return open(join(this.root, path), 'r');
  }

  /** All there is now, which may be more than was listed. */
  read(path: string): Promise<Uint8Array> {
    return readFile(join(this.root, path));
  }

  hold(): Promise<HeldFiles> {
    return Promise.resolve({ absolute: (path) => join(this.root, path), release: async () => {} });
  }

  holdEnd(path: string): Promise<HeldFiles> {
    return Promise.resolve({ absolute: () => join(this.root, path), release: async () => {} });
  }
}
