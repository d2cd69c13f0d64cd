import { join } from 'node:path';
import { AssayError, sha256 } from '#core';
import type { JobLayerId } from '#core/api';
import type { Finding } from '#core/episode';
import { mainPart, type ReviewVerdict } from '#labels/annotation';
import type { Blobs, DoneRow, JudgedEpisode, RunError } from '#store';
import { openBlobStore } from '#store/blobs';
import { episodeFileName, writeWhole } from '../../steps/judge/receipt-files.ts';
import type { Annotated } from './annotate-episodes.ts';
import type { ChosenLane } from './lane-choice.ts';

type Told =
  | {
      readonly state: 'done';
      readonly artifact_hash: string;
      readonly input_hash: string;
      readonly counts: Readonly<Record<string, number>>;
      readonly quality: number | null;
      readonly quality_reason: string | null;
      readonly files: readonly AnnotationFile[];
    }
  | { readonly state: 'failed'; readonly error: RunError }
  | { readonly state: 'inapplicable'; readonly reason: string };

/** What was made of recordings: `annotations.json`. The same recordings, layers and knobs give the same bytes. */
export interface AnnotationList {
  readonly schema: 'assay/annotations/v1';
  readonly assay: string;
  readonly source: string;
  readonly layers: readonly {
    readonly layer: JobLayerId;
    readonly version: number;
    readonly model: string | null;
    /** Every knob. */
    readonly config: ChosenLane['config'];
    readonly config_hash: string;
    readonly episodes: { readonly done: number; readonly failed: number; readonly inapplicable: number };
  }[];
  readonly episodes: readonly {
    readonly id: string;
    readonly dataset: string;
    readonly format: string;
    readonly index: number;
    readonly kind: string;
    readonly receipt: string;
    readonly layers: Readonly<Partial<Record<JobLayerId, Told>>>;
    /** Verdict of each layer that is done, and the file with their evidence; absent where nothing was reviewed. */
    readonly review?: {
      readonly verdicts: Readonly<Record<string, ReviewVerdict>>;
      readonly path: string;
      readonly sha256: string;
    };
  }[];
  /** What could not be read, and what is said of the datasets. */
  readonly findings: readonly Finding[];
}

/** Gathers what becomes of each layer of each episode. */
export class AnnotationLog {
  readonly #lanes: readonly ChosenLane[];
  readonly #episodes: readonly JudgedEpisode[];
  readonly #told: Map<number, Told>[];

  constructor(lanes: readonly ChosenLane[], episodes: readonly JudgedEpisode[]) {
    this.#lanes = lanes;
    this.#episodes = episodes;
    this.#told = lanes.map(() => new Map());
    for (const [lane, { row }] of lanes.entries())
      for (const [place, { kind }] of episodes.entries()) {
        const reason = row.unfit[kind];
        if (reason !== undefined) this.#told[lane].set(place, { state: 'inapplicable', reason });
      }
  }

  /** Annotations that are to be made. */
  get due(): number {
    const over = this.#told.reduce((sum, told) => sum + told.size, 0);
    return this.#lanes.length * this.#episodes.length - over;
  }

  add(lane: number, place: number, annotated: Annotated, files: readonly AnnotationFile[]): void {
    if (annotated.state === 'failed') {
      this.#told[lane].set(place, annotated);
      return;
    }
    const { artifact_hash, input_hash, counts, quality, quality_reason } = annotated.row;
    const facts = { artifact_hash, input_hash, counts, quality, quality_reason };
    this.#told[lane].set(place, { state: 'done', ...facts, files });
  }

  list(about: Pick<AnnotationList, 'assay' | 'source' | 'findings'>): AnnotationList {
    const { assay, source, findings } = about;
    return {
      ...{ schema: 'assay/annotations/v1', assay, source },
      layers: this.#lanes.map(({ row, lane, model, config, config_hash }, at) => {
        const chosen = { layer: row.id, version: lane.version, model, config, config_hash };
        return { ...chosen, episodes: countsOf([...this.#told[at].values()]) };
      }),
      episodes: this.#episodes.map((episode, place) => ({
        ...{ id: episode.name, dataset: episode.dataset_path, format: episode.format, index: episode.index },
        ...{ kind: episode.kind, receipt: episode.content_hash },
        layers: Object.fromEntries(
          this.#lanes.flatMap(({ row }, at) => {
            const told = this.#told[at].get(place);
            return told === undefined ? [] : [[row.id, told] as const];
          }),
        ),
      })),
      findings,
    };
  }
}

const countsOf = (told: readonly Told[]) => {
  const of = (state: Told['state']) => told.filter((one) => one.state === state).length;
  return { done: of('done'), failed: of('failed'), inapplicable: of('inapplicable') };
};

/** A file of an annotation. */
interface AnnotationFile {
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
