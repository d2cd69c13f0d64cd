import { AssayError } from '#core';

/** An array or scalar of NumPy in a pickle: element type as `numpy.dtype.str`, shape and bytes. */
export class PickledArray {
  descr = '';
  shape: readonly number[] = [];
  column_major = false;
  bytes: Uint8Array = new Uint8Array(0);
}

/** A type of NumPy, or one of its functions, which are only ever recognised by name. */
class NumpyName {
  /** `numpy.dtype`, or the element type such as `<f8` of one that was built. */
  name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a pickle. Tuples and sets are lists, dictionaries are maps. */
export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PickledArray
  | NumpyName
  | PickleValue[]
  | Map<PickleValue, PickleValue>;

/** Estimated memory in bytes that operations may take in all. */
const defaultMemory = 512 * 1024 * 1024;
/** Estimated memory in bytes of an operation, of a container or buffer, and of an item of a dictionary or the memo. */
const cost = { operation: 24, container: 200, item: 48 } as const;
const maxIntegerBytes = 16;
/** Protocol 0 writes the bytes of an array as one line of text. */
const maxLineBytes = 64 * 1024 * 1024;
const maxDimensions = 8;

/**
 * Parses a Python pickle (protocol 0 to 5) of plain containers and NumPy arrays without executing it; throws
 * `unreadable_input` for any other import or call. The functions by which NumPy describes an array are recognised by
 * name. Opcodes as in `pickletools.py` of CPython 3.13.
 * @param memory estimated bytes that its containers may take beside `bytes`
 * @throws AssayError `unreadable_input` that names the refused opcode, the damage, or that it takes too much memory
 */
export function parsePickle(bytes: Uint8Array, path: string, memory = defaultMemory): PickleValue {
  return new PickleMachine(bytes, path, memory).run();
}

/** True if the first bytes are those of a pickle of protocol 2 to 5; older ones have no signature. */
export const isPickle = (head: Uint8Array): boolean => head[0] === 0x80 && head[1] >= 2 && head[1] <= 5;

/** The stack machine that a pickle is a program for. */
class PickleMachine {
  readonly #bytes: Buffer;
  readonly #path: string;
  #position = 0;
  #stack: PickleValue[] = [];
  readonly #marks: PickleValue[][] = [];
  readonly #memo = new Map<number, PickleValue>();
  #memory: number;

  constructor(bytes: Uint8Array, path: string, memory: number) {
    this.#memory = memory;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#path = path;
  }

  run(): PickleValue {
    for (;;) {
      this.charge(cost.operation);
      const opcode = this.uint(1);
      if (opcode === stop) return this.pop();
      const operation = operations.get(opcode);
      if (operation === undefined) throw this.#unknown(opcode);
      operation(this);
    }
  }

  /** Counts estimated memory, so that a small file cannot describe more values than fit. */
  charge(bytes: number): void {
    this.#memory -= bytes;
    if (this.#memory >= 0) return;
    throw new AssayError('unreadable_input', `${this.#path} is a pickle of too many values to load`, {
      path: this.#path,
      advice: 'save the values as NumPy arrays, with numpy.savez or in one file per step',
    });
  }

  #unknown(opcode: number): AssayError {
    const name = refusedOpcodes.get(opcode);
    return name === undefined
      ? this.damaged(`has the unknown opcode 0x${opcode.toString(16)} at byte ${this.#position - 1}`)
      : this.refused(name);
  }

  refused(opcode: string, what = ''): AssayError {
    return new AssayError(
      'unreadable_input',
      `${this.#path} is a pickle with the opcode ${opcode}${what}, which could run code; it is not loaded`,
      {
        path: this.#path,
        advice: 'save the values as plain containers and NumPy arrays, or with numpy.savez',
      },
    );
  }

  damaged(what: string): AssayError {
    return new AssayError('unreadable_input', `${this.#path} is not a readable pickle: it ${what}`, {
      path: this.#path,
      advice: 'copy the file again',
    });
  }

  take(length: number): Buffer {
    const end = this.#position + length;
    if (end > this.#bytes.length) throw this.damaged('is truncated');
    const part = this.#bytes.subarray(this.#position, end);
    this.#position = end;
    return part;
  }

  uint(size: number): number {
    return this.take(size).readUIntLE(0, size);
  }

  /** Reads a length of eight bytes, which cannot exceed the file. */
  length8(): number {
    const length = this.take(8).readBigUInt64LE(0);
    if (length > BigInt(this.#bytes.length)) throw this.damaged('is truncated');
    return Number(length);
  }

  /** Reads bytes that are a value of their own. */
  buffer(length: number): Buffer {
    this.charge(cost.container);
    return this.take(length);
  }

  dictionary(): Map<PickleValue, PickleValue> {
    this.charge(cost.container);
    return new Map();
  }

  list(items: PickleValue[] = []): PickleValue[] {
    this.charge(cost.container);
    return items;
  }

  /** Reads a line of protocol 0. */
  line(encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const end = this.#bytes.indexOf(0x0a, this.#position);
    if (end < 0 || end - this.#position > maxLineBytes) throw this.damaged('is truncated inside a line');
    const text = this.#bytes.toString(encoding, this.#position, end);
    this.#position = end + 1;
    return text;
  }

  push(value: PickleValue): void {
    this.#stack.push(value);
  }

  pop(): PickleValue {
    const value = this.#stack.pop();
    if (value === undefined) throw this.damaged('reads a value that does not exist');
    return value;
  }

  popMany(count: number): PickleValue[] {
    return Array.from({ length: count }, () => this.pop()).reverse();
  }

  top(): PickleValue {
    const value = this.pop();
    this.push(value);
    return value;
  }

  mark(): void {
    this.charge(cost.container);
    this.#marks.push(this.#stack);
    this.#stack = [];
  }

  popMark(): PickleValue[] {
    const values = this.#stack;
    const below = this.#marks.pop();
    if (below === undefined) throw this.damaged('has no mark where one is expected');
    this.#stack = below;
    return values;
  }

  memoize(index = this.#memo.size): void {
    this.charge(cost.item);
    this.#memo.set(index, this.top());
  }

  recall(index: number): void {
    const value = this.#memo.get(index);
    if (value === undefined) throw this.damaged(`refers to value ${index}, which does not exist`);
    this.push(value);
  }

  append(values: readonly PickleValue[]): void {
    const list = this.top();
    if (!Array.isArray(list)) throw this.damaged('appends to a value that is not a list');
    for (const value of values) list.push(value);
  }

  setItems(items: readonly PickleValue[]): void {
    const dict = this.top();
    if (!(dict instanceof Map)) throw this.damaged('sets an item of a value that is not a dictionary');
    this.charge((cost.item * items.length) / 2);
    for (let at = 0; at + 1 < items.length; at += 2) dict.set(items[at], items[at + 1]);
  }

  /** Pushes one of NumPy's own functions or types by name. */
  importName(opcode: string, module: string, name: string): void {
    const full = `${module.replace('numpy._core.', 'numpy.core.')}.${name}`;
    if (!numpyNames.has(full))
      throw this.refused(opcode, `, which imports ${`${module}.${name}`.slice(0, 200)}`);
    this.push(new NumpyName(full));
  }

  /** Builds what a function of NumPy would return for these arguments. */
  reduce(callee: PickleValue, inputs: PickleValue): PickleValue {
    const args = Array.isArray(inputs) ? inputs : [];
    const name = callee instanceof NumpyName ? callee.name : '';
    const [first, second, third, fourth, fifth] = args;
    this.charge(cost.container);
    if (name === 'numpy.core.multiarray._reconstruct') return new PickledArray();
    if (name === 'numpy.dtype' && typeof first === 'string') return new NumpyName(first);
    const bytes = name.endsWith('.scalar') ? this.#bytesOf(second) : null;
    if (bytes !== null && first instanceof NumpyName) return this.array(first.name, [], bytes, false);
    if (
      name === 'numpy.core.numeric._frombuffer' &&
      first instanceof Uint8Array &&
      second instanceof NumpyName &&
      // Arrays with axes in another order have a fifth argument, by which they are turned.
      (fourth === 'C' || fourth === 'F') &&
      fifth == null
    )
      return this.array(second.name, this.shape(third), first, fourth === 'F');
    if (name === '_codecs.encode' && typeof first === 'string' && second === 'latin1')
      return this.#latin1(first);
    if (/^(__builtin__|builtins)\.bytes$/.test(name) && args.length === 0) return Buffer.alloc(0);
    throw this.refused(
      'REDUCE',
      name === '' ? ', which calls a function' : `, which calls ${name} with unusual arguments`,
    );
  }

  /** Sets the contents of an array, or the byte order of a type; other objects have no state that is read. */
  build(target: PickleValue, contents: PickleValue): void {
    const state = Array.isArray(contents) ? contents : [];
    if (target instanceof NumpyName && typeof state[1] === 'string') {
      if (state[3] !== null && state[3] !== undefined) target.name = 'V';
      else if (/^[<>=|]$/.test(state[1])) target.name = state[1] + target.name.replace(/^[<>=|]/, '');
      return;
    }
    const [, shape, type, isFortran, data] = state;
    if (!(target instanceof PickledArray) || !(type instanceof NumpyName)) throw this.refused('BUILD');
    // Arrays of objects have a list in place of bytes.
    const bytes = this.#bytesOf(data);
    const descr = bytes === null ? '|O' : type.name;
    Object.assign(
      target,
      this.array(descr, this.shape(shape), bytes ?? new Uint8Array(0), isFortran === true),
    );
  }

  /** Returns the bytes of an array, which Python 2 writes as text; `null` for other values. */
  #bytesOf(value: PickleValue | undefined): Uint8Array | null {
    if (value instanceof Uint8Array) return value;
    return typeof value === 'string' ? this.#latin1(value) : null;
  }

  #latin1(text: string): Buffer {
    this.charge(cost.container + text.length);
    return Buffer.from(text, 'latin1');
  }

  array(descr: string, shape: readonly number[], bytes: Uint8Array, column_major: boolean): PickledArray {
    return Object.assign(new PickledArray(), { descr, shape, bytes, column_major });
  }

  shape(value: PickleValue | undefined): number[] {
    const sizes = Array.isArray(value) ? value : [];
    const shape = sizes.filter((size): size is number => Number.isSafeInteger(size) && Number(size) >= 0);
    if (!Array.isArray(value) || shape.length !== sizes.length || shape.length > maxDimensions)
      throw this.damaged('has an array without a shape');
    return shape;
  }
}

/** Functions and types by which NumPy writes arrays, and by which protocol 2 writes bytes. NumPy 2 writes `numpy._core`. */
const numpyNames: ReadonlySet<string> = new Set([
  ...['numpy.ndarray', 'numpy.dtype', 'numpy.core.multiarray._reconstruct', 'numpy.core.multiarray.scalar'],
  ...['numpy.core.numeric._frombuffer', '_codecs.encode', '__builtin__.bytes', 'builtins.bytes'],
]);

/** Opcodes that import or call, or take objects from outside of the pickle. */
const refusedOpcodes: ReadonlyMap<number, string> = new Map([
  ...([
    [0x69, 'INST'],
    [0x6f, 'OBJ'],
    [0x81, 'NEWOBJ'],
    [0x92, 'NEWOBJ_EX'],
    [0x50, 'PERSID'],
  ] as const),
  ...([
    [0x51, 'BINPERSID'],
    [0x82, 'EXT1'],
    [0x83, 'EXT2'],
    [0x84, 'EXT4'],
    [0x97, 'NEXT_BUFFER'],
  ] as const),
]);

const stop = 0x2e;
type Operation = (machine: PickleMachine) => void;

/** Reads an integer in two's complement, least significant byte first; those wider than 16 bytes are refused. */
function readLong(machine: PickleMachine, size: number): number | bigint {
  if (size > maxIntegerBytes) throw machine.damaged(`has an integer of ${size} bytes`);
  const bytes = machine.take(size);
  let value = 0n;
  for (let at = size - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at]);
  if (size > 0 && bytes[size - 1] >= 128) value -= 1n << BigInt(8 * size);
  return toNumber(value);
}

const toNumber = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;

/** Reads an integer of protocol 0 in decimal; `00` and `01` are the booleans. */
function parseDecimal(machine: PickleMachine): number | bigint | boolean {
  const text = machine.line().replace(/L$/, '');
  if (text === '00' || text === '01') return text === '01';
  if (!/^\s*-?\d{1,40}\s*$/.test(text)) throw machine.damaged('has an invalid integer');
  return toNumber(BigInt(text.trim()));
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Text of protocol 0 between quotes, with the escapes of Python's `repr`. */
function quoted(machine: PickleMachine): string {
  const text = machine.line('latin1');
  const inner = text.length >= 2 && /^['"]/.test(text) ? text.slice(1, -1) : text;
  return inner.replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Reads a number of protocol 0; Python writes `inf` and `nan`. */
function parseFloatLine(machine: PickleMachine): number {
  const text = machine.line().trim();
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** Text of protocol 0: Latin-1 with `\uXXXX` escapes. */
function rawUnicode(machine: PickleMachine): string {
  return machine
    .line('latin1')
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const utf8 = (bytes: Buffer): string => bytes.toString('utf8');

const operations: ReadonlyMap<number, Operation> = new Map<number, Operation>([
  [0x80, (m) => void m.take(1)], // PROTO
  [0x95, (m) => void m.take(8)], // FRAME
  [0x28, (m) => m.mark()], // MARK
  [0x30, (m) => void m.pop()], // POP
  [0x31, (m) => void m.popMark()], // POP_MARK
  [0x32, (m) => m.push(m.top())], // DUP
  [0x4e, (m) => m.push(null)], // NONE
  [0x88, (m) => m.push(true)], // NEWTRUE
  [0x89, (m) => m.push(false)], // NEWFALSE
  [0x49, (m) => m.push(parseDecimal(m))], // INT
  [0x4a, (m) => m.push(m.take(4).readInt32LE(0))], // BININT
  [0x4b, (m) => m.push(m.uint(1))], // BININT1
  [0x4d, (m) => m.push(m.uint(2))], // BININT2
  [0x4c, (m) => m.push(parseDecimal(m))], // LONG
  [0x8a, (m) => m.push(readLong(m, m.uint(1)))], // LONG1
  [0x8b, (m) => m.push(readLong(m, m.uint(4)))], // LONG4
  [0x46, (m) => m.push(parseFloatLine(m))], // FLOAT
  [0x47, (m) => m.push(m.take(8).readDoubleBE(0))], // BINFLOAT
  [0x53, (m) => m.push(quoted(m))], // STRING
  [0x54, (m) => m.push(m.take(m.uint(4)).toString('latin1'))], // BINSTRING
  [0x55, (m) => m.push(m.take(m.uint(1)).toString('latin1'))], // SHORT_BINSTRING
  [0x42, (m) => m.push(m.buffer(m.uint(4)))], // BINBYTES
  [0x43, (m) => m.push(m.buffer(m.uint(1)))], // SHORT_BINBYTES
  [0x8e, (m) => m.push(m.buffer(m.length8()))], // BINBYTES8
  [0x96, (m) => m.push(m.buffer(m.length8()))], // BYTEARRAY8
  [0x98, () => {}], // READONLY_BUFFER
  [0x56, (m) => m.push(rawUnicode(m))], // UNICODE
  [0x58, (m) => m.push(utf8(m.take(m.uint(4))))], // BINUNICODE
  [0x8c, (m) => m.push(utf8(m.take(m.uint(1))))], // SHORT_BINUNICODE
  [0x8d, (m) => m.push(utf8(m.take(m.length8())))], // BINUNICODE8
  [0x5d, (m) => m.push(m.list())], // EMPTY_LIST
  [0x29, (m) => m.push(m.list())], // EMPTY_TUPLE
  [0x8f, (m) => m.push(m.list())], // EMPTY_SET
  [0x61, (m) => m.append(m.popMany(1))], // APPEND
  [0x65, (m) => m.append(m.popMark())], // APPENDS
  [0x90, (m) => m.append(m.popMark())], // ADDITEMS
  [0x6c, (m) => m.push(m.popMark())], // LIST
  [0x74, (m) => m.push(m.popMark())], // TUPLE
  [0x91, (m) => m.push(m.popMark())], // FROZENSET
  [0x85, (m) => m.push(m.list(m.popMany(1)))], // TUPLE1
  [0x86, (m) => m.push(m.list(m.popMany(2)))], // TUPLE2
  [0x87, (m) => m.push(m.list(m.popMany(3)))], // TUPLE3
  [0x7d, (m) => m.push(m.dictionary())], // EMPTY_DICT
  [0x64, (m) => pushDict(m)], // DICT
  [0x73, (m) => m.setItems(m.popMany(2))], // SETITEM
  [0x75, (m) => m.setItems(m.popMark())], // SETITEMS
  [0x67, (m) => m.recall(Number(m.line()))], // GET
  [0x68, (m) => m.recall(m.uint(1))], // BINGET
  [0x6a, (m) => m.recall(m.uint(4))], // LONG_BINGET
  [0x70, (m) => m.memoize(Number(m.line()))], // PUT
  [0x71, (m) => m.memoize(m.uint(1))], // BINPUT
  [0x72, (m) => m.memoize(m.uint(4))], // LONG_BINPUT
  [0x94, (m) => m.memoize()], // MEMOIZE
  [0x63, (m) => m.importName('GLOBAL', m.line(), m.line())], // GLOBAL
  [0x93, (m) => importFromStack(m)], // STACK_GLOBAL
  [0x52, (m) => reduceTop(m)], // REDUCE
  [0x62, (m) => buildTop(m)], // BUILD
]);

function pushDict(machine: PickleMachine): void {
  const items = machine.popMark();
  machine.push(machine.dictionary());
  machine.setItems(items);
}

function importFromStack(machine: PickleMachine): void {
  const [module, name] = machine.popMany(2);
  if (typeof module !== 'string' || typeof name !== 'string') throw machine.refused('STACK_GLOBAL');
  machine.importName('STACK_GLOBAL', module, name);
}

function reduceTop(machine: PickleMachine): void {
  const [callee, args] = machine.popMany(2);
  machine.push(machine.reduce(callee, args));
}

function buildTop(machine: PickleMachine): void {
  const state = machine.pop();
  machine.build(machine.top(), state);
}
