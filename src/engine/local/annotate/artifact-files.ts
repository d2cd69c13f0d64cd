import { join } from 'node:path';
import { AssayError, sha256 } from '#core';
import type { JobLayerId } from '#core/api';
import { mainPart } from '#labels/annotation';
import type { Blobs, DoneRow, JudgedEpisode } from '#store';
import { openBlobStore } from '#store/blobs';
import { episodeFileName, writeWhole } from '../../steps/judge/receipt-files.ts';

/** A file of an annotation. */
export interface AnnotationFile {
  readonly name: string;
  /** Below the folder that is written, `/`-separated. */
  readonly path: string;
  readonly media_type: string;
  readonly bytes: number;
  /** SHA-256 of its bytes: what the service calls the hash of the artifact, or of the part. */
  readonly sha256: string;
}

/** Artifacts as files: one folder an episode, in it `<layer>.json`, and beside it what else the layer wrote. */
export class ArtifactFiles {
  readonly #folder: string;
  readonly #blobs: Promise<Blobs>;
  readonly #made = new Set<string>();
  /** By folded name, so that nothing is written twice where a file system takes no notice of case. */
  readonly #taken = new Map<string, number>();
  readonly #severalDatasets: boolean;

  /** `blobs`: folder that artifacts lie in meanwhile. */
  constructor(folder: string, blobs: string, severalDatasets: boolean) {
    this.#folder = folder;
    this.#blobs = openBlobStore({ kind: 'folder', folder: blobs });
    this.#severalDatasets = severalDatasets;
  }

  async write(
    layer: JobLayerId,
    row: DoneRow,
    episode: JudgedEpisode,
    place: number,
  ): Promise<AnnotationFile[]> {
    const own = `episodes/${this.#folderOf(episode, place)}/${layer}`;
    const { artifact_offset: offset, artifact_length: length, artifact_hash: hash, media_type } = row;
    const main = { name: mainPart, media_type, offset, length, hash };
    const files: AnnotationFile[] = [];
    for (const part of [main, ...row.parts]) {
      const path = part === main ? `${own}.json` : `${own}/${part.name}`;
      const bytes = await (await this.#blobs).range(row.artifact_blob, part.offset, part.length);
      if (sha256(bytes) !== part.hash)
        throw new AssayError('hash_mismatch', `what a lane wrote of ${layer} has changed on its way`, {
          path,
        });
      writeWhole(join(this.#folder, ...path.split('/')), bytes, this.#made);
      files.push({
        name: part.name,
        path,
        media_type: part.media_type,
        bytes: bytes.length,
        sha256: part.hash,
      });
    }
    return files;
  }

  #folderOf({ name, index, dataset_path, format }: JudgedEpisode, place: number): string {
    const own = episodeFileName(name, index);
    const dataset = this.#severalDatasets ? `${episodeFileName(dataset_path, 0)}-${format}/` : '';
    const path = `${dataset}${own}`;
    const key = path.toLowerCase();
    const first = this.#taken.get(key) ?? place;
    this.#taken.set(key, first);
    return first === place ? path : `${dataset}${String(place).padStart(6, '0')}_${own}`;
  }
}
