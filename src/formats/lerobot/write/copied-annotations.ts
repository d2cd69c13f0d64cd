import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EditedFeature, EditStep } from '../../shared/write/edits/export-edit.ts';
import type { EpisodeAnnotations } from '../../shared/write/set/judgement.ts';
import type { TrainingEpisode } from '../../shared/write/training-episode.ts';
import { type CopySource, readSetInfo, resolveSetFeatures } from './features.ts';
import { LanguageTable } from './language/language-table.ts';
import { copiedRowTimes, createLanguageRows } from './language/persistent-rows.ts';
import type { CopiedEpisode } from './layouts/layout.ts';
import { Sidecars } from './sidecars.ts';

/** Annotation results of a copied episode, and its task texts. */
export interface CopiedAnnotations extends EpisodeAnnotations {
  readonly tasks: readonly string[];
}

interface AnnotationCopyOptions {
  readonly edits: readonly EditStep[];
  /** Rate of the new set; null for the source's. */
  readonly rate_hz: number | null;
  /** Memory limit of the engine without text, in MB. */
  readonly memory_mb: number;
}

/** Copies annotation results along with a set: texts into its tables, the rest as sidecar tables. */
export class AnnotationCopy {
  readonly language: LanguageTable;
  readonly #sidecars: Sidecars;
  readonly #source: CopySource;
  readonly #options: AnnotationCopyOptions;
  #cameras: readonly EditedFeature[] | null = null;

  constructor(folder: string, source: CopySource, options: AnnotationCopyOptions) {
    const spill = join(folder, '.spill');
    this.language = new LanguageTable(spill, options.memory_mb);
    this.#sidecars = new Sidecars(folder, spill);
    this.#source = source;
    this.#options = options;
  }

  /** Adds the annotation texts and detections of an episode to temporary files. `index`: its index in the new set. */
  async add(
    index: number,
    annotations: CopiedAnnotations,
    episode: TrainingEpisode,
    piece: Pick<CopiedEpisode, 'first' | 'sourceRows' | 'isWhole' | 'rows'>,
  ): Promise<void> {
    const times = copiedRowTimes(episode, piece, this.#options.rate_hz ?? episode.rate_hz);
    if (annotations.segments !== null || annotations.captions.length > 0 || annotations.text !== null) {
      const texts = createLanguageRows(annotations, times);
      await this.language.add(
        { index, id: episode.id },
        texts.map(({ row }) => row),
      );
      await this.#sidecars.addTexts(index, texts);
    }
    this.#cameras ??= this.#listCameras();
    const { first, sourceRows, rows } = piece;
    const cameras = this.#cameras.map(({ key, source, shift }) => ({
      ...{ key, stream: source },
      pictureOf: (row: number) => (sourceRows?.[row] ?? first + row) - shift,
    }));
    await this.#sidecars.add(annotations.sightings, { index, rows, stamp_s: times.stamp_s, cameras });
  }

  /** Writes the sidecar tables of all added episodes; the language texts are written with the data rows. */
  finish(connection: DuckDBConnection): Promise<void> {
    return this.#sidecars.finish(connection);
  }

  /** Closes the temporary files, finished or not; call it in any case. */
  async close(): Promise<void> {
    await this.language.close();
    await this.#sidecars.close();
  }

  #listCameras(): readonly EditedFeature[] {
    const { all } = resolveSetFeatures([readSetInfo(this.#source)], null, this.#options.edits);
    return all.filter(({ declaration: { dtype } }) => dtype === 'video' || dtype === 'image');
  }
}
