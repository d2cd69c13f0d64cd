import {
  Capture,
  type Field,
  type FieldType,
  type MessageDecoder,
  type StructType,
  type Taps,
} from '@assay/ros-messages';
import { ProtobufReader } from './protobuf-wire.ts';

/**
 * Creates a decoder that walks a message once, extracts the fields in `taps` and skips the rest; its `decode` throws
 * RangeError past the end of a message.
 */
export function createProtobufDecoder(root: StructType, taps: Taps): MessageDecoder {
  return new ProtobufDecoder(root, taps);
}

type Action =
  | { readonly do: 'number'; readonly read: number; readonly group: number; readonly slot: number }
  | { readonly do: 'text'; readonly slot: number }
  | { readonly do: 'name' }
  | { readonly do: 'payload' }
  | { readonly do: 'stamp' }
  | { readonly do: 'enter'; readonly node: Node };

/** Actions for the fields of a message, by field number. */
interface Node {
  readonly actions: Map<number, Action>;
  /** Numbers that every list element must add, present or not. */
  readonly perElement: readonly { readonly group: number; readonly missing: number }[];
  readonly namesPerElement: boolean;
  /** Groups to clear before each element. */
  readonly clearedGroups: readonly number[];
  /** Groups that keep what their first element with numbers holds. */
  readonly firstGroups: readonly number[];
}

/** Protobuf number types; `Action.read` is an index into this list. */
const numberForms = [
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'uint32',
  'enum',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
];
const wireTypes = [1, 5, 0, 0, 0, 1, 5, 0, 0, 0, 5, 1, 0, 0];

class ProtobufDecoder implements MessageDecoder {
  readonly out: Capture;
  readonly #reader = new ProtobufReader();
  readonly #root: Node;
  /** Default values of absent fields by group and slot; `null` for lists. */
  readonly #defaults: readonly (Float64Array | null)[];
  readonly #lists: readonly number[];
  #nameCount = 0;

  constructor(root: StructType, taps: Taps) {
    this.out = new Capture(taps);
    const compiler = new Compiler(taps);
    this.#root = compiler.node(root, '');
    this.#defaults = compiler.defaults;
    this.#lists = taps.numbers.flatMap(({ paths }, g) =>
      paths.some((path) => path.includes('[]')) ? [g] : [],
    );
  }

  decode(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    this.out.begin(bytes);
    this.#nameCount = 0;
    for (let g = 0; g < this.#defaults.length; g++) {
      const defaults = this.#defaults[g];
      if (defaults === null) continue;
      this.out.room(g, defaults.length)?.set(defaults);
    }
    this.#reader.reset(bytes, view, start, end);
    this.#message(this.#root);
    for (const g of this.#lists) this.#dropIfAbsent(g);
    this.out.finish();
    return true;
  }

  /** Clears a list group if every element lacks the field. */
  #dropIfAbsent(g: number): void {
    const values = this.out.numbers[g];
    for (let i = 0; i < this.out.counts[g]; i++) if (!Number.isNaN(values[i])) return;
    this.out.counts[g] = 0;
  }

  #message(node: Node): void {
    const reader = this.#reader;
    while (reader.pos < reader.end) {
      const key = reader.varint();
      const wireType = key % 8;
      const action = node.actions.get((key - wireType) / 8);
      if (action === undefined) reader.skip(wireType);
      else this.#act(action, wireType);
    }
  }

  #act(action: Action, wireType: number): void {
    const reader = this.#reader;
    if (action.do === 'number') {
      this.#number(action, wireType);
      return;
    }
    if (wireType !== 2) {
      reader.skip(wireType);
      return;
    }
    const length = reader.length();
    const at = reader.pos;
    if (action.do === 'enter') {
      this.#enter(action.node, at + length);
      return;
    }
    reader.pos = at + length;
    if (action.do === 'text') this.out.setText(action.slot, at, at + length);
    else if (action.do === 'payload') this.out.setPayload(at, at + length);
    else if (action.do === 'name') {
      this.out.addName(at, at + length);
      this.#nameCount++;
    } else this.#stamp(at, at + length);
  }

  #enter(node: Node, end: number): void {
    const reader = this.#reader;
    const outer = reader.end;
    for (const group of node.clearedGroups) this.out.counts[group] = 0;
    const names = this.#nameCount;
    const before = node.perElement.map(({ group }) => this.out.counts[group]);
    const first = node.firstGroups.map((group) => this.out.counts[group]);
    reader.end = end;
    this.#message(node);
    reader.end = outer;
    for (const [i, { group, missing }] of node.perElement.entries()) {
      if (this.out.counts[group] === before[i]) this.#append(group, missing);
    }
    for (const [i, group] of node.firstGroups.entries()) if (first[i] > 0) this.out.counts[group] = first[i];
    if (node.namesPerElement && this.#nameCount === names) {
      this.out.addName(end, end);
      this.#nameCount++;
    }
  }

  #number(action: Extract<Action, { do: 'number' }>, wireType: number): void {
    const reader = this.#reader;
    if (wireType === 2) {
      const length = reader.length();
      const end = reader.pos + length;
      const outer = reader.end;
      reader.end = end;
      while (reader.pos < end) this.#append(action.group, this.#read(action.read));
      reader.end = outer;
    } else if (wireType !== wireTypes[action.read]) reader.skip(wireType);
    else if (action.slot >= 0) this.out.numbers[action.group][action.slot] = this.#read(action.read);
    else this.#append(action.group, this.#read(action.read));
  }

  #append(group: number, value: number): void {
    const at = this.out.counts[group];
    const into = this.out.room(group, 1);
    if (into !== null) into[at] = value;
  }

  #stamp(start: number, end: number): void {
    const reader = this.#reader;
    const outer = reader.end;
    reader.pos = start;
    reader.end = end;
    let sec = 0;
    let nsec = 0;
    while (reader.pos < end) {
      const key = reader.varint();
      if (key === 8) sec = reader.signed();
      else if (key === 16) nsec = reader.signed();
      else reader.skip(key % 8);
    }
    reader.end = outer;
    this.out.setStamp(sec, nsec);
  }

  #read(form: number): number {
    const reader = this.#reader;
    switch (numberForms[form]) {
      case 'double':
        return reader.view.getFloat64(reader.advance(8), true);
      case 'float':
        return reader.view.getFloat32(reader.advance(4), true);
      case 'fixed32':
        return reader.view.getUint32(reader.advance(4), true);
      case 'sfixed32':
        return reader.view.getInt32(reader.advance(4), true);
      case 'fixed64':
        return Number(reader.view.getBigUint64(reader.advance(8), true));
      case 'sfixed64':
        return Number(reader.view.getBigInt64(reader.advance(8), true));
      case 'bool':
        return reader.varint() === 0 ? 0 : 1;
      case 'sint32':
      case 'sint64':
        return zigzag(reader.varint());
      case 'uint32':
      case 'uint64':
        return reader.varint();
      default:
        return reader.signed();
    }
  }
}

function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

class Compiler {
  readonly defaults: (Float64Array | null)[];
  readonly #taps: Taps;

  constructor(taps: Taps) {
    this.#taps = taps;
    this.defaults = taps.numbers.map(() => null);
  }

  node(type: StructType, path: string): Node {
    const actions = new Map<number, Action>();
    const perElement: { group: number; missing: number }[] = [];
    let namesPerElement = false;
    for (const field of type.fields) {
      const action = this.#action(field, path === '' ? field.name : `${path}.${field.name}`);
      if (action === null || field.wire === undefined) continue;
      actions.set(field.wire.number, action);
      if (!path.endsWith('[]')) continue;
      if (action.do === 'number' && field.type.kind === 'number') {
        perElement.push({ group: action.group, missing: field.wire.optional ? Number.NaN : 0 });
      }
      if (action.do === 'name') namesPerElement = true;
    }
    return {
      actions,
      perElement,
      namesPerElement,
      clearedGroups: this.#single(path, 'last'),
      firstGroups: this.#single(path, 'first'),
    };
  }

  /** Returns the groups that keep only one element of the list of this path. */
  #single(path: string, only: 'first' | 'last'): number[] {
    if (!path.endsWith('[]')) return [];
    return this.#taps.numbers.flatMap((tap, g) =>
      tap.only === only && tap.paths.some((tapped) => tapped.startsWith(`${path}.`)) ? [g] : [],
    );
  }

  #action(field: Field, path: string): Action | null {
    const { type } = field;
    if (path === this.#taps.stamp) return type.kind === 'time' ? { do: 'stamp' } : null;
    if (path === this.#taps.names) return { do: 'name' };
    if (path === this.#taps.payload) return { do: 'payload' };
    const text = this.#taps.texts.indexOf(path);
    if (text >= 0 && type.kind === 'string') return { do: 'text', slot: text };
    const number = this.#number(field, path);
    if (number !== null) return number;
    return this.#inner(type, path);
  }

  #inner(type: FieldType, path: string): Action | null {
    const inner = type.kind === 'array' ? type.of : type;
    if (inner.kind !== 'struct') return null;
    const node = this.node(inner, type.kind === 'array' ? `${path}[]` : path);
    return node.actions.size === 0 ? null : { do: 'enter', node };
  }

  #number(field: Field, path: string): Action | null {
    const group = this.#taps.numbers.findIndex(({ paths }) => paths.includes(path));
    const read = numberForms.indexOf(field.wire?.type ?? '');
    if (group < 0 || read < 0) return null;
    if (field.type.kind === 'array' || path.includes('[]')) return { do: 'number', read, group, slot: -1 };
    const { paths } = this.#taps.numbers[group];
    const slot = paths.indexOf(path);
    this.defaults[group] ??= new Float64Array(paths.length);
    const defaults = this.defaults[group];
    if (defaults !== null && field.wire?.optional === true) defaults[slot] = Number.NaN;
    return { do: 'number', read, group, slot };
  }
}
