/** A member of a JSON object. Read its values before the next member. */
export interface JsonMember {
  readonly name: string;
  /** True if its value is a list, whose elements are `values`; else `values` is the value alone. */
  readonly isList: boolean;
  readonly values: Iterable<unknown>;
}

/**
 * Yields the members of a JSON object one by one, parsed from its bytes while reading, and throws `SyntaxError` at
 * the first invalid byte. Elements of a list are parsed one by one too. Only one value is text at a time, so the
 * object may be larger than the longest string of V8 (512 MiB).
 */
export function* jsonMembers(bytes: Uint8Array): Generator<JsonMember> {
  const cursor = new JsonCursor(bytes);
  cursor.expect('{');
  for (let isFirst = true; !cursor.skip('}'); isFirst = false) {
    if (!isFirst) cursor.expect(',');
    const name = cursor.value();
    if (typeof name !== 'string') throw new SyntaxError('a member of a JSON object has no name');
    cursor.expect(':');
    const isList = cursor.skip('[');
    yield { name, isList, values: isList ? elements(cursor) : [cursor.value()] };
  }
  cursor.expectEnd();
}

function* elements(cursor: JsonCursor): Generator<unknown> {
  for (let isFirst = true; !cursor.skip(']'); isFirst = false) {
    if (!isFirst) cursor.expect(',');
    yield cursor.value();
  }
}

const [quote, backslash] = [0x22, 0x5c];
const opening: ReadonlySet<number> = new Set(Buffer.from('[{'));
const closing: ReadonlySet<number> = new Set(Buffer.from(']}'));
const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

class JsonCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Skips spaces and this character; returns false if another follows. */
  skip(character: string): boolean {
    this.#skipSpaces();
    if (this.#bytes[this.#at] !== character.charCodeAt(0)) return false;
    this.#at++;
    return true;
  }

  expect(character: string): void {
    if (!this.skip(character)) throw new SyntaxError(`expected ${character} at byte ${this.#at}`);
  }

  expectEnd(): void {
    this.#skipSpaces();
    if (this.#at < this.#bytes.length) throw new SyntaxError(`unexpected text at byte ${this.#at}`);
  }

  /** Parses the value that follows. */
  value(): unknown {
    this.#skipSpaces();
    const from = this.#at;
    let depth = 0;
    do {
      const byte = this.#bytes[this.#at];
      if (byte === quote) this.#skipString();
      else if (opening.has(byte)) depth++;
      else if (closing.has(byte)) depth--;
      else if (depth === 0) this.#skipScalar();
      this.#at++;
    } while (depth > 0 && this.#at < this.#bytes.length);
    return JSON.parse(this.#bytes.toString('utf8', from, this.#at));
  }

  #skipSpaces(): void {
    while (spaces.has(this.#bytes[this.#at])) this.#at++;
  }

  /** Moves from the first quote of a string to its last. */
  #skipString(): void {
    do {
      if (this.#bytes[this.#at] === backslash) this.#at++;
      this.#at++;
    } while (this.#at < this.#bytes.length && this.#bytes[this.#at] !== quote);
  }

  /** Moves from the first byte of a number or word to its last. */
  #skipScalar(): void {
    while (/[\w.+-]/.test(String.fromCharCode(this.#bytes[this.#at + 1] ?? 0))) this.#at++;
  }
}
