import { seededRandom } from '#core';

/** Writes small ONNX models byte by byte: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. */

/** `float32` in ONNX. */
const float = 1;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)];
const bytes = (field: number, value: readonly number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(value.length),
  ...value,
];
const text = (field: number, value: string): number[] => bytes(field, [...Buffer.from(value)]);

/** A number is a fixed size, a name stands for any. */
type Dims = readonly (number | string)[];

const tensor = (name: string, dims: Dims): number[] => {
  const shape = dims.flatMap((size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  const type = bytes(1, [...number(1, float), ...bytes(2, shape)]);
  return [...text(1, name), ...bytes(2, type)];
};

interface Node {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

const node = ({ op, inputs, output, attributes = {} }: Node): number[] => [
  ...inputs.flatMap((input) => text(1, input)),
  ...text(2, output),
  ...text(4, op),
  ...Object.entries(attributes).flatMap(([name, value]) =>
    bytes(
      5,
      typeof value === 'number'
        ? [...text(1, name), ...number(3, value), ...number(20, 2)]
        : [...text(1, name), ...value.flatMap((one) => number(8, one)), ...number(20, 7)],
    ),
  ),
];

/** Numbers that a model holds. */
interface Weights {
  readonly dims: readonly number[];
  readonly values: readonly number[];
}

const initializer = (name: string, { dims, values }: Weights): number[] => [
  ...dims.flatMap((size) => number(1, size)),
  ...number(2, float),
  ...text(8, name),
  ...bytes(9, [...new Uint8Array(Float32Array.from(values).buffer)]),
];

/** A model of 32-bit floats, at opset 13. */
function onnxModel(model: {
  readonly weights?: Readonly<Record<string, Weights>>;
  readonly inputs: Readonly<Record<string, Dims>>;
  readonly nodes: readonly Node[];
  readonly outputs: Readonly<Record<string, Dims>>;
}): Uint8Array {
  const tensors = (field: number, of: Readonly<Record<string, Dims>>) =>
    Object.entries(of).flatMap(([name, dims]) => bytes(field, tensor(name, dims)));
  const graph = [
    ...model.nodes.flatMap((one) => bytes(1, node(one))),
    ...text(2, 'test'),
    ...Object.entries(model.weights ?? {}).flatMap(([name, own]) => bytes(5, initializer(name, own))),
    ...tensors(11, model.inputs),
    ...tensors(12, model.outputs),
  ];
  return Uint8Array.from([...number(1, 7), ...bytes(8, number(2, 13)), ...bytes(7, graph)]);
}

/** Makes a model `size` bytes long by a comment in it. */
export function padOnnx(model: Uint8Array, size: number): Buffer {
  const comment = (length: number) => Buffer.from(bytes(6, new Array(length).fill(32)));
  const missing = size - model.length;
  const head_bytes = comment(missing).length - missing;
  return Buffer.concat([model, comment(missing - head_bytes)]);
}

/** Means of the channels of a picture: `pixels` 1 x 3 x height x width to `means` 1 x 3. */
export const channelMeans = (): Uint8Array =>
  onnxModel({
    inputs: { pixels: [1, 3, 'height', 'width'] },
    nodes: [
      { op: 'ReduceMean', inputs: ['pixels'], output: 'means', attributes: { axes: [2, 3], keepdims: 0 } },
    ],
    outputs: { means: [1, 3] },
  });

/** Two layers of convolutions with weights of chance: `pixel_values` 1 x 3 x height x width to a map of that size. */
export function depthOfPictures(seed: number): Uint8Array {
  const random = seededRandom(seed);
  const weights = (...dims: readonly number[]): Weights => {
    const size = dims.reduce((product, dim) => product * dim, 1);
    return { dims, values: Array.from({ length: size }, () => random.between(-0.5, 0.5)) };
  };
  return onnxModel({
    inputs: { pixel_values: [1, 3, 'height', 'width'] },
    weights: { first: weights(4, 3, 3, 3), bias: weights(4), second: weights(1, 4, 1, 1) },
    nodes: [
      {
        ...{ op: 'Conv', inputs: ['pixel_values', 'first', 'bias'], output: 'features' },
        attributes: { pads: [1, 1, 1, 1] },
      },
      { op: 'Relu', inputs: ['features'], output: 'active' },
      { op: 'Conv', inputs: ['active', 'second'], output: 'planes' },
      {
        op: 'ReduceMean',
        inputs: ['planes'],
        output: 'predicted_depth',
        attributes: { axes: [1], keepdims: 0 },
      },
    ],
    outputs: { predicted_depth: [1, 'height', 'width'] },
  });
}

/** Detection of one colour in test images: its class, with centre and size as shares of the image. */
export interface ColourQuery {
  readonly type: number;
  readonly box: readonly [number, number, number, number];
}

/**
 * A detector of the family of DETR with a query each for red, green and blue: surer the more of its colour is in the
 * picture, sigmoid(8 * mean - 4) of pixels between 0 and 1.
 */
export function detrOfColours(
  queries: readonly [ColourQuery, ColourQuery, ColourQuery],
  classes: number,
): Uint8Array {
  const bias = queries.flatMap(({ type }) =>
    Array.from({ length: classes }, (_, at) => (at === type ? -4 : -30)),
  );
  return onnxModel({
    inputs: { pixel_values: [1, 3, 'height', 'width'] },
    weights: {
      gain: { dims: [1, classes], values: Array.from({ length: classes }, () => 8) },
      bias: { dims: [3, classes], values: bias },
      nothing: { dims: [1, 4], values: [0, 0, 0, 0] },
      boxes: { dims: [3, 4], values: queries.flatMap(({ box }) => box) },
    },
    nodes: [
      { op: 'ReduceMean', inputs: ['pixel_values'], output: 'rows', attributes: { axes: [3], keepdims: 0 } },
      { op: 'ReduceMean', inputs: ['rows'], output: 'means', attributes: { axes: [2], keepdims: 1 } },
      { op: 'MatMul', inputs: ['means', 'gain'], output: 'grown' },
      { op: 'Add', inputs: ['grown', 'bias'], output: 'logits' },
      { op: 'MatMul', inputs: ['means', 'nothing'], output: 'corner' },
      { op: 'Add', inputs: ['corner', 'boxes'], output: 'pred_boxes' },
    ],
    outputs: { logits: [1, 3, classes], pred_boxes: [1, 3, 4] },
  });
}
