import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderFault } from '#core';
import type { FilePart, HeldPart } from '../byte-store.ts';
import type { ReadRange } from './range-file.ts';

/** Files kept after their last user: episodes of one file come one after the other. */
const keptFiles = 12;

/** In memory at a time. */
const pieceBytes = 4 * 1024 * 1024;

interface PartFile {
  readonly made: Promise<void>;
  parts: FilePart[];
  users: number;
}

/** Files of full size below a folder, of which only parts are there; everything else reads as zeros. */
export class PartFiles {
  readonly root: string;
  readonly #files = new Map<string, PartFile>();

  constructor(root: string) {
    this.root = root;
  }

  async hold(path: string, bytes: number, read: ReadRange): Promise<HeldPart> {
    const target = join(this.root, path);
    let file = this.#files.get(path);
    if (file === undefined) file = { made: makeHollow(target, bytes), parts: [], users: 0 };
    else this.#files.delete(path);
    // The file used last is the last of all.
    this.#files.set(path, file);
    file.users += 1;
    await file.made;
    const held = file;
    return {
      root: this.root,
      parts: () => held.parts,
      fetch: async (parts) => {
        await Promise.all(parts.map((part) => fill(target, held, part, read)));
      },
      release: async () => {
        held.users -= 1;
        await this.#leave();
      },
    };
  }

  async #leave(): Promise<void> {
    for (const [path, { users }] of [...this.#files]) {
      if (this.#files.size <= keptFiles) return;
      if (users > 0) continue;
      this.#files.delete(path);
      await rm(join(this.root, path), { force: true });
    }
  }
}

async function makeHollow(target: string, bytes: number): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
    await using file = await open(target, 'w', 0o600);
    await file.truncate(bytes);
  } catch (thrown) {
    throw folderFault(thrown, target);
  }
}

async function fill(target: string, held: PartFile, [from, to]: FilePart, read: ReadRange): Promise<void> {
  for (let at = from; at < to; at += pieceBytes) {
    const bytes = await read(at, Math.min(pieceBytes, to - at));
    try {
      await using file = await open(target, 'r+');
      await file.write(bytes, 0, bytes.length, at);
    } catch (thrown) {
      throw folderFault(thrown, target);
    }
    held.parts = withPart(held.parts, [at, at + bytes.length]);
  }
}

/** Ascending, and those that touch are one. */
function withPart(parts: readonly FilePart[], added: FilePart): FilePart[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...parts, added].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
