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

/** A model of 32-bit floats, at opset 13. */
function onnxModel(model: {
  readonly inputs: Readonly<Record<string, Dims>>;
  readonly nodes: readonly Node[];
  readonly outputs: Readonly<Record<string, Dims>>;
}): Uint8Array {
  const tensors = (field: number, of: Readonly<Record<string, Dims>>) =>
    Object.entries(of).flatMap(([name, dims]) => bytes(field, tensor(name, dims)));
  const graph = [
    ...model.nodes.flatMap((one) => bytes(1, node(one))),
    ...text(2, 'test'),
    ...tensors(11, model.inputs),
    ...tensors(12, model.outputs),
  ];
  return Uint8Array.from([...number(1, 7), ...bytes(8, number(2, 13)), ...bytes(7, graph)]);
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
