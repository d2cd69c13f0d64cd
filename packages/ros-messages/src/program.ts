import { RosError } from './errors.ts';
import type { Taps } from './taps.ts';
import { type FieldType, numberBytes, numberTypes, type StructType } from './type-tree.ts';

/**
 * A message definition turned into a short list of steps over the wire, one Int32 a word: op code, then operands.
 * Both ROS 1 and CDR lay a message out in the order of its fields; they differ in alignment only, which is the
 * decoder's business. Steps that nothing taps only move the position.
 */
export const op = {
  /** type, group, count: take `count` numbers. */
  numbers: 1,
  /** bytes, count: pass over primitives. */
  skip: 2,
  /** pass over a string. */
  skipText: 3,
  /** slot: remember a string. */
  text: 4,
  /** type, group: take a length-prefixed run of numbers. */
  numberSequence: 5,
  /** bytes: pass over a length-prefixed run of primitives. */
  skipSequence: 6,
  /** count (-1: length-prefixed): pass over strings. */
  skipTexts: 7,
  /** count (-1: length-prefixed): remember the names. */
  names: 8,
  /** remember a length-prefixed run of bytes. */
  payload: 9,
  /**
   * count (-1: length-prefixed), smallest bytes of one, number of groups that keep one element, words of the body; then
   * these groups: those that keep the last element as they are, those that keep the first one below -1.
   */
  loop: 10,
  /** remember the capture time. */
  stamp: 11,
  /** nothing after this can be placed. */
  stop: 12,
  /** bytes: remember a fixed run of bytes as the payload. */
  fixedPayload: 13,
} as const;

/** Words of each step, itself included, by op code. */
export const opWords = Int8Array.of(0, 4, 3, 1, 2, 3, 2, 2, 2, 1, 5, 1, 1, 2);

/** A struct tree shared many times over can unfold to any size. */
const maxWords = 200_000;

/** `placeholder`: a nested struct without fields carries one byte, as ROS 2's interface compiler makes it. */
export function compileRosProgram(root: StructType, taps: Taps, placeholder: boolean): Int32Array {
  const compiler = new Compiler(taps, placeholder);
  compiler.struct(root, '');
  return Int32Array.from(compiler.words);
}

class Compiler {
  readonly words: number[] = [];
  readonly #taps: Taps;
  /** Group of each tapped path. */
  readonly #targets = new Map<string, number>();
  readonly #texts: Map<string, number>;
  readonly #placeholder: boolean;

  constructor(taps: Taps, placeholder: boolean) {
    this.#placeholder = placeholder;
    this.#taps = taps;
    this.#texts = new Map(taps.texts.map((path, slot) => [path, slot]));
    for (const [group, tap] of taps.numbers.entries()) {
      for (const path of tap.paths) this.#targets.set(path, group);
    }
  }

  struct(type: StructType, prefix: string): void {
    if (type.fields.length === 0 && prefix !== '' && this.#placeholder) this.words.push(op.skip, 1, 1);
    for (const field of type.fields) {
      this.#field(field.type, prefix === '' ? field.name : `${prefix}.${field.name}`);
      if (this.words.length > maxWords) {
        throw new RosError('too_large', `${type.name} expands to more than ${maxWords} steps`);
      }
    }
  }

  #field(type: FieldType, path: string): void {
    switch (type.kind) {
      case 'number':
        this.#number(type, path, 1);
        return;
      case 'time':
        if (path === this.#taps.stamp) this.words.push(op.stamp);
        else this.words.push(op.skip, 4, 2);
        return;
      case 'duration':
        this.words.push(op.skip, 4, 2);
        return;
      case 'string':
        this.#string(path);
        return;
      case 'struct':
        this.struct(type, path);
        return;
      case 'array':
        this.#array(type.of, type.length, path);
        return;
      default:
        // wstring: middlewares disagree about its width, so nothing behind one can be trusted.
        this.words.push(op.stop);
    }
  }

  #number(type: Extract<FieldType, { kind: 'number' }>, path: string, count: number): void {
    const group = this.#targets.get(path);
    if (group === undefined) this.words.push(op.skip, numberBytes[type.type], count);
    else this.words.push(op.numbers, numberTypes.indexOf(type.type), group, count);
  }

  #string(path: string): void {
    const slot = this.#texts.get(path);
    if (path === this.#taps.names) this.words.push(op.names, 1);
    else if (slot === undefined) this.words.push(op.skipText);
    else this.words.push(op.text, slot);
  }

  #array(of: FieldType, length: number | null, path: string): void {
    if (of.kind === 'number') this.#numberArray(of, length, path);
    else if (of.kind === 'string') {
      this.words.push(path === this.#taps.names ? op.names : op.skipTexts, length ?? -1);
    } else this.#loop(of, length, path);
  }

  #numberArray(of: Extract<FieldType, { kind: 'number' }>, length: number | null, path: string): void {
    const bytes = numberBytes[of.type];
    if (path === this.#taps.payload && bytes === 1) {
      if (length === null) this.words.push(op.payload);
      else this.words.push(op.fixedPayload, length);
      return;
    }
    if (length !== null) {
      this.#number(of, path, length);
      return;
    }
    const group = this.#targets.get(path);
    if (group === undefined) this.words.push(op.skipSequence, bytes);
    else this.words.push(op.numberSequence, numberTypes.indexOf(of.type), group);
  }

  #loop(of: FieldType, length: number | null, path: string): void {
    const inner = `${path}[]`;
    const kept = this.#taps.numbers.flatMap(({ paths, only }, group) =>
      only !== undefined && paths.some((tapped) => tapped.startsWith(`${inner}.`))
        ? [only === 'last' ? group : -2 - group]
        : [],
    );
    const words = this.words.push(op.loop, length ?? -1, smallestBytes(of, 0), kept.length, 0) - 1;
    this.words.push(...kept);
    const body = this.words.length;
    this.#field(of, inner);
    this.words[words] = this.words.length - body;
  }
}

/** A lower bound for the bytes of one value, to refuse lengths that the message cannot hold. */
function smallestBytes(type: FieldType, depth: number): number {
  if (depth > 8) return 1;
  switch (type.kind) {
    case 'number':
      return numberBytes[type.type];
    case 'time':
    case 'duration':
      return 8;
    case 'array':
      return type.length === null ? 4 : Math.max(1, type.length * smallestBytes(type.of, depth + 1));
    case 'struct':
      return Math.max(
        1,
        type.fields.reduce((sum, field) => sum + smallestBytes(field.type, depth + 1), 0),
      );
    default:
      return 4;
  }
}
