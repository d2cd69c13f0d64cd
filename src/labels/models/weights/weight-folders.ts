import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative, sep } from 'node:path';
import type { ModelOption } from '../surface.ts';

/**
 * Lists the files in the models folder by model, with paths relative to the model's folder and without Assay's own
 * files; empty if there is no folder.
 */
export async function listWeightFiles(
  data_folder: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const root = join(data_folder, modelsFolder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const filesByModel = new Map<string, Set<string>>();
  for (const entry of entries) {
    const [vendor, model, ...rest] = relative(root, join(entry.parentPath, entry.name)).split(sep);
    if (entry.isDirectory() || vendor.startsWith('.') || rest.length === 0) continue;
    if (rest[0].startsWith(ownFilesPrefix)) continue;
    const files = filesByModel.get(`${vendor}/${model}`) ?? new Set();
    filesByModel.set(`${vendor}/${model}`, files.add(rest.join('/')));
  }
  return filesByModel;
}

/** Folder of all weights, in the data folder. */
const modelsFolder = 'models';

/** Returns the folder of a model's weights relative to the data folder: `models/<vendor>/<model>`. */
export const weightsFolder = (model: string): string => `${modelsFolder}/${model}`;

/** Returns the path of the folder with a model's weights: `models/<vendor>/<model>` in the data folder. */
export const weightsPath = (data_folder: string, model: string): string =>
  join(data_folder, modelsFolder, ...model.split('/'));

/**
 * Returns the folder for a model's downloads in progress, on the same disk as the data folder so that files can be
 * moved into place.
 */
export const pullingPath = (data_folder: string, model: string): string =>
  join(data_folder, modelsFolder, '.pulling', ...model.split('/'));

/** Beginning of the names of files that Assay itself keeps in a model folder. */
const ownFilesPrefix = '.assay-';
/** Name of the file with accepted pins, in the model folder. */
export const pinsFile = `${ownFilesPrefix}pins.json`;
/** Name of the file with the outcome of the last trial, in the model folder. */
export const trialFile = `${ownFilesPrefix}trial.json`;

/**
 * Returns the .onnx or .safetensors file of a model to load, relative to its folder: the first one listed in the
 * registry, else the first of `files`; `null` if it is missing.
 */
export function installedGraph({ weights, runtime }: ModelOption, files: ReadonlySet<string>): string | null {
  const candidates = weights?.files.map(({ path }) => path) ?? [...files].sort();
  const suffix = runtime === 'tfjs' ? '.safetensors' : '.onnx';
  return candidates.find((path) => path.endsWith(suffix) && files.has(path)) ?? null;
}

/** node_modules folders that are searched. Files are read directly, whatever the package exports. */
const nodeModulesFolders = createRequire(import.meta.url).resolve.paths('a') ?? [];

/** Returns the path of a file in an installed npm package; `null` if package or file is missing. */
export function bundledPath(library: string, file: string): string | null {
  for (const folder of nodeModulesFolders) {
    const path = join(folder, library, ...file.split('/'));
    if (existsSync(path)) return path;
  }
  return null;
}
