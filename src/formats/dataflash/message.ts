import { numberAt } from '../shared/flight/decode-numbers.ts';
import type { MessageType } from './message-type.ts';

/** One message by the names of its columns; NaN and '' for a column that is not there. */
export interface Message {
  readonly type: MessageType;
  number(name: string): number;
  text(name: string): string;
}

const utf8 = new TextDecoder('utf-8');

/** A message as it lies in a binary log. One object, pointed at one message after the other. */
export class BinaryMessage implements Message {
  type: MessageType;
  #view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;

  constructor(type: MessageType) {
    this.type = type;
  }

  /** `start`: of the body. */
  at(type: MessageType, view: DataView, start: number): this {
    this.type = type;
    this.#view = view;
    this.#start = start;
    return this;
  }

  number(name: string): number {
    const field = this.type.numbers.find((candidate) => candidate.name === name);
    return field === undefined ? Number.NaN : numberAt(this.#view, this.#start, field);
  }

  text(name: string): string {
    const field = this.type.texts.find((candidate) => candidate.name === name);
    if (field === undefined) return '';
    const from = this.#view.byteOffset + this.#start + field.offset;
    const bytes = new Uint8Array(this.#view.buffer, from, field.bytes);
    const zero = bytes.indexOf(0);
    return utf8.decode(zero < 0 ? bytes : bytes.subarray(0, zero)).trim();
  }
}

/** A message of a text log. */
export class TextMessage implements Message {
  readonly type: MessageType;
  readonly #cells: readonly string[];

  constructor(type: MessageType, cells: readonly string[]) {
    this.type = type;
    this.#cells = cells;
  }

  number(name: string): number {
    const cell = this.#cells[this.type.columns.indexOf(name)];
    return cell === undefined || cell === '' ? Number.NaN : Number(cell);
  }

  text(name: string): string {
    return this.#cells[this.type.columns.indexOf(name)] ?? '';
  }
}
