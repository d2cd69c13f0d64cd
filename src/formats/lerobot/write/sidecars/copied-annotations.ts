import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { EditedFeature, EditStep } from '../../../shared/write/edits/export-edit.ts';
import type { Annotated } from '../../../shared/write/set/judgement.ts';
import type { TrainingEpisode } from '../../../shared/write/training-episode.ts';
import { setFeatures } from '../features.ts';
import type { KeptEpisode } from '../kept-episode.ts';
import { copiedTimes, persistentRows } from '../language/persistent-rows.ts';
import { SaidLanguage } from '../language/said-language.ts';
import { type CopySource, readSetInfo } from '../set-info.ts';
import { Sidecars } from './sidecars.ts';

/** What layers say of an episode that is copied, and the texts of its tasks. */
export interface CopiedAnnotations extends Annotated {
  readonly tasks: readonly string[];
}

interface AnnotationCopyOptions {
  readonly edits: readonly EditStep[];
  /** Rows a second of the new set; null: the source's. */
  readonly rate_hz: number | null;
  /** What the engine may take without text. */
  readonly memory_mb: number;
}

/** Takes along what layers say of a set that is copied: texts into its tables, the rest beside them. */
export class AnnotationCopy {
  readonly said: SaidLanguage;
  readonly #sidecars: Sidecars;
  readonly #source: CopySource;
  readonly #options: AnnotationCopyOptions;
  #cameras: readonly EditedFeature[] | null = null;

  constructor(folder: string, source: CopySource, options: AnnotationCopyOptions) {
    const spill = join(folder, '.spill');
    this.said = new SaidLanguage(spill, options.memory_mb);
    this.#sidecars = new Sidecars(folder, spill);
    this.#source = source;
    this.#options = options;
  }

  /** `index`: its place in the new set. */
  async add(
    index: number,
    told: CopiedAnnotations,
    episode: TrainingEpisode,
    piece: Pick<KeptEpisode, 'first' | 'picked' | 'whole' | 'rows'>,
  ): Promise<void> {
    const times = copiedTimes(episode, piece, this.#options.rate_hz ?? episode.rate_hz);
    if (told.segments !== null || told.captions.length > 0 || told.text !== null)
      await this.said.add({ index, id: episode.id }, persistentRows(told, times));
    this.#cameras ??= this.#camerasOf();
    const { first, picked, rows } = piece;
    const cameras = this.#cameras.map(({ key, source, shift }) => ({
      ...{ key, stream: source },
      pictureOf: (row: number) => (picked?.[row] ?? first + row) - shift,
    }));
    await this.#sidecars.add(told.sightings, { index, rows, stamp_s: times.stamp_s, cameras });
  }

  finish(connection: DuckDBConnection): Promise<void> {
    return this.#sidecars.finish(connection);
  }

  async close(): Promise<void> {
    await this.said.close();
    await this.#sidecars.close();
  }

  #camerasOf(): readonly EditedFeature[] {
    const { all } = setFeatures([readSetInfo(this.#source)], null, this.#options.edits);
    return all.filter(({ declaration: { dtype } }) => dtype === 'video' || dtype === 'image');
  }
}
