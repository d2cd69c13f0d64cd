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

/** Output format of a picture model; each has a decoder among the lanes. */
type PictureForm = 'detr' | 'centernet' | 'hand-crops' | 'movenet' | 'depth';

interface CheckedGraphs {
  /** Graphs by name; a single graph is named `main`. */
  readonly graphs: Readonly<Record<string, GraphShape>>;
}

/** Properties of a model that its users rely on; the graphs are checked against it when they are loaded. */
export type ModelContract = PictureContract | SentenceContract;

/** Contract of a model that lanes run on pictures. */
export interface PictureContract extends CheckedGraphs {
  readonly form: PictureForm;
  /** Side of the square input, if the graph leaves it open; for depth models only in a trial run. */
  readonly side_px: number;
  /** Normalisation of red, green and blue, on the scale 0 to 255. */
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
  /** Meaning of the output of a depth model; absent for other forms. */
  readonly depth?: DepthFormat;
}

/** Contract of a model that turns texts into vectors. */
export interface SentenceContract extends CheckedGraphs {
  readonly form: 'sentence';
  /** Length of the vectors. */
  readonly dims: number;
  /** Tokens of a text that are read, with those for its start and end; the rest is ignored. */
  readonly max_tokens: number;
}

/** Input size and output meaning of a depth model. */
export interface DepthFormat {
  /**
   * `inverse`: larger means nearer, up to scale and offset. `canonical`: metres for a camera with focal length
   * `focal_px`.
   */
  readonly output: 'inverse' | 'canonical';
  readonly focal_px: number | null;
  /** Input width and height must be multiples of this. */
  readonly multiple_px: number;
}

/** Name of the graph of a model with a single graph. */
export const mainGraph = 'main';

type Specs = Readonly<Record<'inputs' | 'outputs', readonly TensorSpec[]>>;

/** The one input of a depth graph, and its output of depths. */
export interface DepthPorts {
  readonly input: TensorSpec;
  readonly output: TensorSpec;
}

/**
 * Returns the first input of a depth graph, and the output `predicted_depth`, else the first. The names of the other
 * tensors are free.
 */
export function depthPorts({ inputs, outputs }: Specs): DepthPorts {
  const output = outputs.find(({ name }) => name === 'predicted_depth') ?? outputs[0];
  return { input: inputs[0], output };
}

/** Returns in words why a graph cannot be a depth model of this format; `null` if it can. */
export function depthViolation(actual: Specs, { output: kind }: DepthFormat): string | null {
  const { input, output } = depthPorts(actual);
  const takesPictures =
    actual.inputs.length === 1 &&
    input.type === 'float32' &&
    input.dims.length === 4 &&
    (input.dims[1] ?? 3) === 3 &&
    (input.dims[0] ?? 1) === 1;
  const givesMaps = output?.type === 'float32' && (output.dims.length === 3 || output.dims.length === 4);
  if (!takesPictures || !givesMaps)
    return 'expected a depth model: input 1 x 3 x height x width and output 1 x height x width (float)';
  if (kind === 'canonical' && (input.dims[2] !== null || input.dims[3] !== null))
    return 'it has a fixed input size; resizing an image to another aspect ratio would make its metres wrong: use an ONNX export with dynamic height and width';
  return null;
}

/**
 * Returns in words the first input or output of a graph that is missing or has another shape than required; `null` if
 * all match.
 */
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
