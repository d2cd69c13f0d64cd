/** Values of a tensor, by their type. */
interface TensorData {
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly uint8: Uint8Array;
  readonly int8: Int8Array;
  readonly uint16: Uint16Array;
  readonly int16: Int16Array;
  readonly int32: Int32Array;
  readonly int64: BigInt64Array;
  /** One byte a value, 0 or 1. */
  readonly bool: Uint8Array;
}

export type TensorType = keyof TensorData;

/** Numbers in rows of rows; the last dimension runs fastest. */
export type Tensor = {
  readonly [Type in TensorType]: {
    readonly type: Type;
    readonly dims: readonly number[];
    readonly data: TensorData[Type];
  };
}[TensorType];

export type Tensors = Readonly<Record<string, Tensor>>;

/** What a model takes or gives under a name. A dimension that is not fixed is null. */
export interface TensorSpec {
  readonly name: string;
  readonly type: string;
  readonly dims: readonly (number | null)[];
}
