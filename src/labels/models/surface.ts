import type { ModelSurfaceId, UseCaseId } from '#core/api';
import type { ModelContract } from './contract.ts';

/** A figure that speaks for a model. Figures of different sources were not measured alike and are not to be ranked. */
export interface Evidence {
  readonly benchmark: string;
  /** `AP`, `HOTA`, `AbsRel`, … */
  readonly metric: string;
  readonly score: number;
  readonly unit: 'percent' | 'ratio' | 'px' | 'mm';
  /** `own`: the authors' README or paper; `secondary`: quoted by somebody else. */
  readonly source: 'own' | 'secondary';
  /** What has to be known to read it: data it was trained on, who else is measured so. */
  readonly note: string | null;
}

/** How a model can be run. */
type ModelRuntime =
  /** In this program, from weights in ONNX. */
  | 'onnx'
  /** In this program, once somebody has exported its weights to ONNX. */
  | 'onnx_export_needed'
  /** An algorithm that needs no weights. */
  | 'algorithm'
  /** A server of one's own that speaks OpenAI's protocol; `ASSAY_VLM_URL` says where. */
  | 'endpoint'
  /** In this program, from weights that lie in a package that is installed with it. */
  | 'bundled';

/** What a file of weights must be. */
export interface Pin {
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Null: not known. */
  readonly bytes: number | null;
}

export interface WeightFile {
  /** Within the repository, and within the model's folder here. */
  readonly path: string;
  /** Taken from bytes that were at hand; null: nobody here has seen the file, and its hash is not made up. */
  readonly pin: Pin | null;
}

/** Where weights lie on a hub, and which files a lane needs of them. */
export interface WeightSource {
  /** `<owner>/<repository>`. */
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  readonly files: readonly [WeightFile, ...WeightFile[]];
}

/** Graphs that a package of npm brings along. */
interface BundledGraphs {
  readonly package: string;
  /** File of the package by name of the graph. */
  readonly files: Readonly<Record<string, string>>;
}

/** A model that may be chosen. */
export interface ModelOption {
  /** `<vendor>/<model>`. */
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  readonly runtime: ModelRuntime;
  /**
   * Of models with weights that somebody publishes in a form that runs here. Absent: no such export is known whose
   * figures are those of the evidence.
   */
  readonly weights?: WeightSource;
  /** Of models that come with this program. */
  readonly bundled?: BundledGraphs;
  /** What lanes rely on. Absent: no lane of this version reads it by contract. */
  readonly contract?: ModelContract;
  readonly evidence: readonly Evidence[];
}

/** A model that scores well and may not be used. */
export interface RejectedModel {
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  /** What in the licence forbids it. */
  readonly reason: string;
  readonly evidence: readonly Evidence[];
}

/** What models are used for, and which ones may be. The first option is the default. */
export interface SurfaceRow {
  readonly id: ModelSurfaceId;
  readonly title: string;
  /** Whether a project may choose among the options. */
  readonly selectable: boolean;
  readonly options: readonly [ModelOption, ...ModelOption[]];
  /** Another default where a use case is better served by it. */
  readonly by_use_case: Readonly<
    Partial<Record<UseCaseId, { readonly model: string; readonly reason: string }>>
  >;
  readonly rejected: readonly RejectedModel[];
}

interface Score {
  readonly unit?: Evidence['unit'];
  readonly source?: Evidence['source'];
  readonly note?: string;
}

/** A figure from the authors themselves unless it says otherwise, in percent unless it says otherwise. */
export const scored = (
  benchmark: string,
  metric: string,
  score: number,
  { unit = 'percent', source = 'own', note }: Score = {},
): Evidence => ({ benchmark, metric, score, unit, source, note: note ?? null });

const unpinned = (path: string): WeightFile => ({ path, pin: null });

/** Weights in the layout of transformers.js: settings at the top, ONNX below. */
export const onHub = (repository: string, files: readonly string[]): WeightSource => ({
  repository,
  revision: 'main',
  files: [unpinned('config.json'), ...files.map(unpinned)],
});

/** A model of pictures in one graph. */
export const visionModel = (repository: string): WeightSource =>
  onHub(repository, ['preprocessor_config.json', 'onnx/model.onnx']);
