/** An array to pickle: rows in C order. */
interface PickleArrayInput {
  readonly descr: 'f8' | 'f4' | 'u1' | 'u2' | 'i8';
  readonly shape: readonly number[];
  readonly values: ArrayBufferView;
}

export type PickleInput =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | PickleArrayInput
  | PickleInput[]
  | { readonly [key: string]: PickleInput };

/** Returns a pickle of protocol 4, with arrays as NumPy 1 writes them. */
export function pickleBytes(value: PickleInput): Buffer {
  return Buffer.concat([Buffer.from([0x80, 4]), encode(value), Buffer.from('.')]);
}

const op = (...bytes: readonly (number | string)[]): Buffer =>
  Buffer.concat(bytes.map((byte) => (typeof byte === 'number' ? Buffer.from([byte]) : Buffer.from(byte))));

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([op('X'), length, bytes]);
}

function bytesOf(view: ArrayBufferView): Buffer {
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([op('B'), length, bytes]);
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return Buffer.concat([op('J'), bytes]);
}

const global = (module: string, name: string): Buffer => Buffer.concat([text(module), text(name), op(0x93)]);
const tuple = (...items: readonly Buffer[]): Buffer => Buffer.concat([op('('), ...items, op('t')]);

function array({ descr, shape, values }: PickleArrayInput): Buffer {
  const reconstruct = [
    global('numpy.core.multiarray', '_reconstruct'),
    tuple(global('numpy', 'ndarray'), tuple(integer(0)), bytesOf(Buffer.from('b'))),
    op('R'),
  ];
  const order = descr === 'u1' ? '|' : '<';
  const type = [
    global('numpy', 'dtype'),
    tuple(text(descr), op(0x89), op(0x88)),
    op('R'),
    tuple(integer(3), text(order), op('N'), op('N'), op('N'), integer(-1), integer(-1), integer(0)),
    op('b'),
  ];
  const state = tuple(
    integer(1),
    tuple(...shape.map(integer)),
    Buffer.concat(type),
    op(0x89),
    bytesOf(values),
  );
  return Buffer.concat([...reconstruct, state, op('b')]);
}

function encode(value: PickleInput): Buffer {
  if (value === null) return op('N');
  if (typeof value === 'string') return text(value);
  if (typeof value === 'boolean') return op(value ? 0x88 : 0x89);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([op('G'), bytes]);
  }
  if (value instanceof Uint8Array) return bytesOf(value);
  if (Array.isArray(value)) return Buffer.concat([op(']', '('), ...value.map(encode), op('e')]);
  if (isArrayInput(value)) return array(value);
  const items = Object.entries(value).flatMap(([key, item]) => [text(key), encode(item)]);
  return Buffer.concat([op('}', '('), ...items, op('u')]);
}

function isArrayInput(
  value: PickleArrayInput | { readonly [key: string]: PickleInput },
): value is PickleArrayInput {
  return 'descr' in value && 'values' in value;
}
