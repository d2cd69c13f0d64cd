/** Shape of a graph input or output; a `null` size is variable. */
interface TensorShape {
  readonly type: TensorType;
  readonly dims: readonly (number | null)[];
}

/** Required inputs and outputs of a graph, by name. The graph may have more. */
export interface GraphShape {
  readonly inputs: Readonly<Record<string, TensorShape>>;
  readonly outputs: Readonly<Record<string, TensorShape>>;
}

/** Output format of a model; each has a decoder among the lanes. */
type ModelForm = 'detr' | 'centernet' | 'hand-crops' | 'movenet';

/** What lanes rely on; the graphs are checked against it when they are loaded. */
export interface ModelContract {
  readonly form: ModelForm;
  /** Graphs by name; a single graph is named `main`. */
  readonly graphs: Readonly<Record<string, GraphShape>>;
  /** Side of the square input, if the graph leaves it open. */
  readonly side_px: number;
  /** Normalisation of red, green and blue, on the scale 0 to 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
}

/** Name of the graph of a model with a single graph. */
export const mainGraph = 'main';

type Specs = Readonly<Record<'inputs' | 'outputs', readonly TensorSpec[]>>;

/** Returns how a graph violates its contract, in words; `null` if it does not. */
export function contractViolation(actual: Specs, required: GraphShape): string | null {
  for (const side of ['inputs', 'outputs'] as const)
    for (const [name, shape] of Object.entries(required[side])) {
      const own = actual[side].find((spec) => spec.name === name);
      const kind = side === 'inputs' ? 'input' : 'output';
      const requirement = `expected ${kind} ${name}: ${formatShape(shape)}`;
      if (own === undefined) return `${requirement}, but it is missing`;
      if (!matchesShape(own, shape)) return `${requirement}, got ${formatShape(own)}`;
    }
  return null;
}

const matchesShape = ({ type, dims }: TensorSpec, required: TensorShape): boolean =>
  type === required.type &&
  dims.length === required.dims.length &&
  dims.every((size, at) => size === null || required.dims[at] === null || size === required.dims[at]);

const formatShape = ({ type, dims }: Pick<TensorSpec, 'type' | 'dims'>): string =>
  `${type} of ${dims.map((size) => size ?? 'any').join(' x ')}`;

/** Array type by tensor type. */
interface TensorData {
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly uint8: Uint8Array;
  readonly int8: Int8Array;
  readonly uint16: Uint16Array;
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly int64: BigInt64Array;
  /** One byte per value, 0 or 1. */
  readonly bool: Uint8Array;
}

/** Element type of a tensor. */
export type TensorType = keyof TensorData;

/** A tensor in row-major order. */
export type Tensor = {
  readonly [Type in TensorType]: {
    readonly type: Type;
    readonly dims: readonly number[];
    readonly data: TensorData[Type];
  };
}[TensorType];

/** Tensors by name. */
export type Tensors = Readonly<Record<string, Tensor>>;

/** An input or output of a model; a `null` dimension is variable. */
export interface TensorSpec {
  readonly name: string;
  readonly type: string;
  readonly dims: readonly (number | null)[];
}
