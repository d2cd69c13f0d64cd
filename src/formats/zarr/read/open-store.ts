import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { type ChunkStore, folderStore } from './chunk-store.ts';
import { readZipDirectory } from './zip-directory.ts';
import { zipStore } from './zip-store.ts';

/** A replay buffer ready to be read. */
export interface OpenStore {
  readonly store: ChunkStore;
  /** The zip it lies in; null for a folder. */
  readonly zip: string | null;
  readonly findings: readonly Finding[];
}

/** What tells a replay buffer: without it no episode can be told from the next. */
const mark = 'meta/episode_ends/.zarray';
/** The folder in which diffusion_policy keeps the buffer of a real robot, beside its videos. */
export const besideVideos = 'replay_buffer.zarr/';

/** Opens the buffer of a folder, of the folder beside its videos, or of the only zip. Throws `unsupported_version`. */
export async function openStore(tree: SourceTree): Promise<OpenStore> {
  for (const prefix of ['', besideVideos]) {
    if (tree.has(`${prefix}${mark}`)) return { store: folderStore(tree, prefix), zip: null, findings: [] };
    if (tree.has(`${prefix}zarr.json`)) throw version3(`${prefix}zarr.json`);
  }
  const zip = tree.files.find(({ path }) => path.toLowerCase().endsWith('.zip'));
  if (zip === undefined)
    throw new AssayError('unreadable_input', `there is no ${mark}`, {
      path: mark,
      advice: 'copy the set again',
    });
  return openZip(tree, zip.path, zip.bytes);
}

async function openZip(tree: SourceTree, path: string, bytes: number): Promise<OpenStore> {
  const file = await tree.openFile(path);
  try {
    const directory = await readZipDirectory(file, bytes, path);
    const names = [...directory.members.keys()];
    const prefix = prefixOf(names, mark);
    if (prefix === null && names.some((name) => name.endsWith('zarr.json'))) throw version3(path);
    if (prefix === null)
      throw new AssayError('unreadable_input', `${path} holds no ${mark}: no replay buffer`, {
        path,
        advice: 'pass the zip that diffusion_policy or UMI wrote',
      });
    return { store: zipStore(file, path, directory, prefix), zip: path, findings: directory.findings };
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** The folder in a zip that a name ends in; the one nearest to the top. */
export function prefixOf(names: readonly string[], end: string): string | null {
  const prefixes = names
    .filter((name) => name === end || name.endsWith(`/${end}`))
    .map((name) => name.slice(0, name.length - end.length));
  return prefixes.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? null;
}

function version3(path: string): AssayError {
  return new AssayError(
    'unsupported_version',
    `${path} is of zarr version 3; replay buffers are read in version 2`,
    {
      path,
      advice: 'write it with zarr_format=2: diffusion_policy and UMI cannot read version 3 either',
    },
  );
}
