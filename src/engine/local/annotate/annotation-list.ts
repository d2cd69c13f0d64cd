import type { JobLayerId } from '#core/api';
import type { Finding } from '#core/episode';
import type { ReviewVerdict } from '#labels/annotation';
import type { JudgedEpisode, RunError } from '#store';
import type { Annotated } from './annotate-episodes.ts';
import type { AnnotationFile } from './artifact-files.ts';
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
