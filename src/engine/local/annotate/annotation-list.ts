import { join } from 'node:path';
import { AssayError, sha256 } from '#core';
import type { JobLayerId, ModelUse } from '#core/api';
import type { Finding } from '#core/episode';
import { mainPart, type ReviewVerdict } from '#labels/annotation';
import type { Blobs, DoneRow, JudgedEpisode, RunError } from '#store';
import { openBlobStore } from '#store/blobs';
import { configHash, usedModel } from '../../steps/annotate/lane-models.ts';
import { episodeFileName, writeAtomically } from '../../steps/judge/receipt-files.ts';
import type { LaneOutcome } from './annotate-episodes.ts';
import type { ChosenLane } from './lane-choice.ts';

interface StoredFacts {
  /** The models and algorithms that ran. */
  readonly models: readonly ModelUse[];
  readonly artifact_hash: string;
  readonly input_hash: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly quality: number | null;
  readonly quality_reason: string | null;
  readonly files: readonly AnnotationFile[];
}

/** Result of a layer on an episode. `not_produced`: the layer had nothing to say about it. */
type LayerEntry =
  | ({ readonly state: 'done' } & StoredFacts)
  | ({ readonly state: 'not_produced'; readonly reason: string } & StoredFacts)
  | { readonly state: 'failed'; readonly error: RunError }
  | { readonly state: 'inapplicable'; readonly reason: string };

/** Contents of `annotations.json`. The same recordings, layers and settings give the same bytes. */
export interface AnnotationList {
  readonly schema: 'assay/annotations/v1';
  readonly assay: string;
  readonly source: string;
  readonly layers: readonly {
    readonly layer: JobLayerId;
    readonly version: number;
    /** The models and algorithms that ran on any of the episodes, separated by commas; null if none did. */
    readonly model: string | null;
    /** All settings of the layer. */
    readonly config: ChosenLane['config'];
    readonly config_hash: string;
    readonly episodes: {
      readonly done: number;
      readonly not_produced: number;
      readonly failed: number;
      readonly inapplicable: number;
    };
  }[];
  readonly episodes: readonly {
    readonly id: string;
    readonly dataset: string;
    readonly format: string;
    readonly index: number;
    readonly kind: string;
    readonly receipt: string;
    readonly layers: Readonly<Partial<Record<JobLayerId, LayerEntry>>>;
    /** Review verdict per layer and the file with the evidence; absent without review. */
    readonly review?: {
      readonly verdicts: Readonly<Record<string, ReviewVerdict>>;
      readonly path: string;
      readonly sha256: string;
    };
  }[];
  /** Findings about unreadable files and the datasets. */
  readonly findings: readonly Finding[];
}

/** Collects the result of each layer on each episode. */
export class AnnotationLog {
  readonly #lanes: readonly ChosenLane[];
  readonly #episodes: readonly JudgedEpisode[];
  readonly #entries: Map<number, LayerEntry>[];

  constructor(lanes: readonly ChosenLane[], episodes: readonly JudgedEpisode[]) {
    this.#lanes = lanes;
    this.#episodes = episodes;
    this.#entries = lanes.map(() => new Map());
    for (const [lane, { row }] of lanes.entries())
      for (const [place, { kind }] of episodes.entries()) {
        const reason = row.unfit[kind];
        if (reason !== undefined) this.#entries[lane].set(place, { state: 'inapplicable', reason });
      }
  }

  /** Returns the number of results that are missing. Layers that do not apply to an episode have theirs from the start. */
  get due(): number {
    const over = this.#entries.reduce((sum, entries) => sum + entries.size, 0);
    return this.#lanes.length * this.#episodes.length - over;
  }

  /** Adds the result of one layer on one episode; a second one replaces the first. */
  add(lane: number, place: number, annotated: LaneOutcome, files: readonly AnnotationFile[]): void {
    if (annotated.state === 'failed') {
      this.#entries[lane].set(place, annotated);
      return;
    }
    const { models, artifact_hash, input_hash, counts, quality, quality_reason, not_produced } =
      annotated.row;
    const facts = { models, artifact_hash, input_hash, counts, quality, quality_reason, files };
    this.#entries[lane].set(
      place,
      not_produced === null
        ? { state: 'done', ...facts }
        : { state: 'not_produced', reason: not_produced, ...facts },
    );
  }

  /** Returns the contents of `annotations.json` with the results so far. */
  list(about: Pick<AnnotationList, 'assay' | 'source' | 'findings'>): AnnotationList {
    const { assay, source, findings } = about;
    return {
      ...{ schema: 'assay/annotations/v1', assay, source },
      layers: this.#lanes.map((lane, at) => layerSummary(lane, [...this.#entries[at].values()])),
      episodes: this.#episodes.map((episode, place) => ({
        ...{ id: episode.name, dataset: episode.dataset_path, format: episode.format, index: episode.index },
        ...{ kind: episode.kind, receipt: episode.content_hash },
        layers: Object.fromEntries(
          this.#lanes.flatMap(({ row }, at) => {
            const entry = this.#entries[at].get(place);
            return entry === undefined ? [] : [[row.id, entry] as const];
          }),
        ),
      })),
      findings,
    };
  }
}

function layerSummary(
  { row, lane, config }: ChosenLane,
  entries: readonly LayerEntry[],
): AnnotationList['layers'][number] {
  const model = usedModel(
    row,
    entries.flatMap((entry) => ('models' in entry ? entry.models : [])),
  );
  return {
    ...{ layer: row.id, version: lane.version, model, config },
    config_hash: configHash(row, model, config),
    episodes: countStates(entries),
  };
}

const countStates = (entries: readonly LayerEntry[]) => {
  const of = (state: LayerEntry['state']) => entries.filter((one) => one.state === state).length;
  return {
    done: of('done'),
    not_produced: of('not_produced'),
    failed: of('failed'),
    inapplicable: of('inapplicable'),
  };
};

/** A file of an annotation. */
interface AnnotationFile {
  readonly name: string;
  /** Path below the output folder, `/`-separated. */
  readonly path: string;
  readonly media_type: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, equal to the service's hash of the artifact or part. */
  readonly sha256: string;
}

/** Writes artifacts as files: per episode a folder with `<layer>.json` and a subfolder with its other parts. */
export class ArtifactFiles {
  readonly #folder: string;
  readonly #blobs: Promise<Blobs>;
  readonly #made = new Set<string>();
  /** Lower-case names in use, since some file systems ignore case. */
  readonly #taken = new Map<string, number>();
  readonly #severalDatasets: boolean;

  /** `blobs`: blob folder that holds the artifacts. */
  constructor(folder: string, blobs: string, severalDatasets: boolean) {
    this.#folder = folder;
    this.#blobs = openBlobStore({ kind: 'folder', folder: blobs });
    this.#severalDatasets = severalDatasets;
  }

  /** Writes an artifact and its parts as files and returns these; throws `hash_mismatch` if stored bytes have changed. */
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
        throw new AssayError(
          'hash_mismatch',
          `the ${layer} artifact was corrupted between the worker and the output`,
          {
            path,
          },
        );
      writeAtomically(join(this.#folder, ...path.split('/')), bytes, this.#made);
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
