import { AssayError, type JsonValue } from '#core';
import { pictureFormat } from '#core/episode';
import { NpyArray } from '../shared/arrays/npy-array.ts';
import { type NpyType, parseNpyType } from '../shared/arrays/npy-header.ts';
import { PickledArray, type PickleValue } from '../shared/arrays/parse-pickle.ts';
import { memoryBytes } from '../shared/arrays/zip-member.ts';

/** A value of a step: an array or number, a text, or an encoded picture. */
export type StepValue = NpyArray | string | Uint8Array;

/** Values by dotted path, and the reasons why others cannot be read. */
export interface NamedValues {
  readonly values: Map<string, StepValue>;
  readonly unread: Map<string, AssayError>;
}

const maxDepth = 8;
const maxValues = 10_000;
/** Members of dictionaries that are visited: a pickle can refer to the same dictionary many times. */
const maxMembers = 100_000;
/** A mapping cannot name longer paths. */
const maxPathLength = 500;
const maxTextLength = 64 * 1024;
/** Bytes of all arrays that are made of lists. */
const maxJoinedBytes = 256 * 1024 * 1024;
const doubles: NpyType = { kind: 'f', bytes: 8, little_endian: true };

/**
 * Returns the values of a JSON object or a pickled dictionary by dotted path, such as `arm.q`, and an error for each
 * one that cannot be read.
 * @throws AssayError `unreadable_input` if its dictionaries have more than 100,000 members
 */
export function namedValues(root: PickleValue | JsonValue, label: string): NamedValues {
  const reader = new ValueReader(label);
  reader.visit(root, '');
  return reader;
}

/** Type, shape and bytes of a list that is one array. */
interface JoinedList {
  readonly type: NpyType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Reads the values of one root. Members and bytes are limited per root, and each list is joined once. */
class ValueReader implements NamedValues {
  readonly values = new Map<string, StepValue>();
  readonly unread = new Map<string, AssayError>();
  readonly #label: string;
  readonly #ancestors = new Set<unknown>();
  readonly #joined = new Map<readonly unknown[], JoinedList | null>();
  #members = 0;
  #joinedBytes = 0;

  constructor(label: string) {
    this.#label = label;
  }

  visit(value: unknown, path: string): void {
    if (this.values.size + this.unread.size >= maxValues) return;
    try {
      const members = membersOf(value);
      if (members !== null) this.#visitMembers(value, members, path);
      else if (path !== '') {
        const own = this.#toValue(value, path);
        if (own !== null) this.values.set(path, own);
      }
    } catch (thrown) {
      if (!(thrown instanceof AssayError) || this.#members > maxMembers) throw thrown;
      this.unread.set(path, thrown);
    }
  }

  #visitMembers(owner: unknown, members: Iterable<readonly [unknown, unknown]>, path: string): void {
    if (this.#ancestors.has(owner)) throw this.#unreadable(path, 'contains itself', 'map another value');
    if (this.#ancestors.size >= maxDepth)
      throw this.#unreadable(path, `is nested deeper than ${maxDepth} levels`, 'write it with fewer levels');
    this.#ancestors.add(owner);
    for (const [key, member] of members) {
      if (++this.#members > maxMembers)
        throw this.#unreadable('', `has more than ${maxMembers} members`, 'write the values as arrays');
      if (typeof key !== 'string') continue;
      const name = path === '' ? key : `${path}.${key}`;
      if (name.length <= maxPathLength) this.visit(member, name);
    }
    this.#ancestors.delete(owner);
  }

  #toValue(value: unknown, path: string): StepValue | null {
    if (value instanceof PickledArray)
      return this.#array(pickledList(value, this.#labelOf(path)), path, value);
    if (value instanceof Uint8Array) return pictureFormat(value) === null ? null : value;
    if (typeof value === 'string') return value.slice(0, maxTextLength);
    if (isNumber(value)) return this.#array(numberList([value], []), path);
    if (!Array.isArray(value)) return null;
    let joined = this.#joined.get(value);
    if (joined === undefined) {
      joined = this.#join(value, path);
      this.#joined.set(value, joined);
    }
    return joined === null ? null : this.#array(joined, path);
  }

  /** Returns a list of equal arrays, of numbers or of equally long lists of numbers as one array; `null` for other lists. */
  #join(list: readonly unknown[], path: string): JoinedList | null {
    const [first] = list;
    if (first instanceof PickledArray) {
      if (!list.every((item) => isSameArray(item, first))) return null;
      const { type } = pickledList(first, this.#labelOf(path));
      if (first.shape.reduce((product, size) => product * size, type.bytes) !== first.bytes.length)
        return null;
      this.#charge(list.length * first.bytes.length, path);
      const bytes = Buffer.concat((list as PickledArray[]).map((array) => array.bytes));
      return { type, shape: [list.length, ...first.shape], bytes };
    }
    if (!Array.isArray(first)) {
      this.#charge(list.length * 8, path);
      return list.every(isNumberOrNull) ? numberList(list, [list.length]) : null;
    }
    const width = first.length;
    if (!list.every((row) => Array.isArray(row) && row.length === width)) return null;
    this.#charge(list.length * width * 8, path);
    const numbers = new Float64Array(list.length * width);
    for (const [at, row] of (list as unknown[][]).entries()) {
      if (!row.every(isNumberOrNull)) return null;
      numbers.set(row.map(toDouble), at * width);
    }
    return { type: doubles, shape: [list.length, width], bytes: new Uint8Array(numbers.buffer) };
  }

  #charge(bytes: number, path: string): void {
    if (this.#joinedBytes + bytes > maxJoinedBytes)
      throw this.#unreadable(
        path,
        `and the lists before it are larger than ${maxJoinedBytes / 1024 ** 2} MiB`,
        'write the values as arrays of NumPy',
      );
    this.#joinedBytes += bytes;
  }

  #array(
    { type, shape, bytes }: JoinedList,
    path: string,
    { column_major } = { column_major: false },
  ): NpyArray {
    const count = shape.reduce((product, size) => product * size, 1);
    const header = { type, shape, column_major, count, offset: 0 };
    return new NpyArray(path, this.#labelOf(path), header, memoryBytes(bytes));
  }

  #labelOf(path: string): string {
    return path === '' ? this.#label : `${this.#label}: ${path}`;
  }

  #unreadable(path: string, what: string, advice: string): AssayError {
    return new AssayError('unreadable_input', `${this.#labelOf(path)} ${what}`, {
      path: this.#label,
      advice,
    });
  }
}

function membersOf(value: unknown): Iterable<readonly [unknown, unknown]> | null {
  if (value instanceof Map) return value;
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? Object.entries(value) : null;
}

const isNumber = (value: unknown): value is number | boolean | bigint =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);
const toDouble = (value: unknown): number => (value === null ? Number.NaN : Number(value));

const isSameArray = (item: unknown, first: PickledArray): boolean =>
  item instanceof PickledArray &&
  item.descr === first.descr &&
  !item.column_major &&
  item.bytes.length === first.bytes.length &&
  String(item.shape) === String(first.shape);

const pickledList = ({ descr, shape, bytes }: PickledArray, label: string): JoinedList => ({
  type: parseNpyType(descr, label),
  ...{ shape, bytes },
});

const numberList = (numbers: readonly unknown[], shape: readonly number[]): JoinedList => ({
  type: doubles,
  shape,
  bytes: new Uint8Array(Float64Array.from(numbers, toDouble).buffer),
});

/** Returns a text as an array of one text, so that it can be a value of a file. */
export function textArray(text: string, path: string): NpyArray {
  const bytes = Buffer.from(text === '' ? '\0' : text);
  const type: NpyType = { kind: 'S', bytes: bytes.length, little_endian: true };
  return new NpyArray(
    path,
    path,
    { type, shape: [], column_major: false, count: 1, offset: 0 },
    memoryBytes(bytes),
  );
}
