import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { modelsFolder, pinsFile } from './weight-folders.ts';

/** Files below the models folder, by model, as paths within the model's folder; nothing where there is none. */
export async function listPlaced(data_folder: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const root = join(data_folder, modelsFolder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const placed = new Map<string, Set<string>>();
  for (const entry of entries) {
    const [vendor, model, ...rest] = relative(root, join(entry.parentPath, entry.name)).split(sep);
    if (entry.isDirectory() || vendor.startsWith('.') || rest.length === 0) continue;
    if (rest[0].startsWith(pinsFile)) continue;
    const files = placed.get(`${vendor}/${model}`) ?? new Set();
    placed.set(`${vendor}/${model}`, files.add(rest.join('/')));
  }
  return placed;
}
