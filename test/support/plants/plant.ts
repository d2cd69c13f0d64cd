import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A small recording that breaks one rule of a contract, and is sound otherwise. */
export interface Plant {
  readonly rule: string;
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  /** Whom it is said of: the place of the episode in the set; null: the dataset. */
  readonly episode: number | null;
}

/** Test datasets for the reference readers of one format. */
export interface PlantedFormat {
  /** Title of the contract: `robomimic HDF5`. */
  readonly title: string;
  readonly sound: Plant['files'];
  readonly plants: readonly Plant[];
}

export async function writePlant(folder: string, files: Plant['files']): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
