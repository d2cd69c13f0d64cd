import { createHash } from 'node:crypto';
import type { JsonValue } from '#kernel';
import { parseTolerantJson } from '#kernel';
import type { SourceTree } from '#sources';

export interface JsonRecords {
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256: string;
  /** Lists at the top level that were met, with how many objects each held. */
  readonly lists: ReadonlyMap<string, number>;
  /** `object` as it should be, `list` for a bare list, `cut` when the file ends before its last bracket. */
  readonly shape: 'object' | 'list' | 'cut' | 'other';
  /** Records that are not JSON. */
  readonly broken: number;
}

const blockBytes = 1024 * 1024;
/** One record may be this long; a mask in full polygons of a large picture is some hundreds of kilobytes. */
const mostRecord = 64 * 1024 * 1024;

/**
 * Walks a JSON file `{"name": [ {…}, {…} ], …}` of any size, handing over one record after the other: memory follows
 * the record, not the file. Only braces, brackets and strings are looked at between records.
 */
export async function readJsonRecords(
  tree: SourceTree,
  path: string,
  onRecord: (list: string, record: JsonValue) => void,
): Promise<JsonRecords> {
  const digest = createHash('sha256');
  const scanner = new Scanner((list, text) => onRecord(list, parseTolerantJson(text, path).value));
  const decoder = new TextDecoder('utf-8');
  await using file = await tree.openFile(path);
  const block = Buffer.allocUnsafe(blockBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, blockBytes, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const bytes = block.subarray(0, bytesRead);
    digest.update(bytes);
    scanner.feed(decoder.decode(bytes, { stream: true }));
  }
  return { sha256: digest.digest('hex'), lists: scanner.lists, shape: scanner.shape, broken: scanner.broken };
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const colon = 58;

/** Finds the objects of the lists of the top object, across pieces of text. */
class Scanner {
  readonly lists = new Map<string, number>();
  broken = 0;
  readonly #onRecord: (list: string, text: string) => void;
  #depth = 0;
  #first = 0;
  #inString = false;
  #escaped = false;
  /** Text of the string being read at the top level, which may be a key. */
  #key = '';
  #lastString = '';
  #list: string | null = null;
  /** Pieces of the record being read; null outside of one. */
  #record: string[] | null = null;
  #recordLength = 0;

  constructor(onRecord: (list: string, text: string) => void) {
    this.#onRecord = onRecord;
  }

  get shape(): JsonRecords['shape'] {
    if (this.#first === 0) return 'other';
    if (this.#depth > 0 || this.#inString) return 'cut';
    return this.#first === openBracket ? 'list' : 'object';
  }

  feed(text: string): void {
    let start = this.#record === null ? -1 : 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (this.#inString) {
        this.#string(code, text, i);
        continue;
      }
      if (code === quote) {
        this.#inString = true;
        this.#lastString = '';
      } else if (code === colon && this.#depth === 1) this.#key = this.#lastString;
      else if (code === openBrace || code === openBracket) {
        if (this.#open(code)) start = i;
      } else if ((code === closeBrace || code === closeBracket) && this.#close()) {
        this.#take(text.slice(start, i + 1));
        this.#finish();
        start = -1;
      }
    }
    if (start >= 0) this.#take(text.slice(start));
  }

  #string(code: number, text: string, i: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === backslash) this.#escaped = true;
    else if (code === quote) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1) this.#lastString += text[i];
  }

  /** True when a record begins here. */
  #open(code: number): boolean {
    if (this.#depth === 0 && this.#first === 0) this.#first = code;
    this.#depth++;
    if (this.#depth === 2 && code === openBracket && this.#first === openBrace) {
      this.#list = this.#key;
      this.lists.set(this.#key, this.lists.get(this.#key) ?? 0);
    }
    if (this.#depth !== 3 || code !== openBrace || this.#list === null) return false;
    this.#record = [];
    this.#recordLength = 0;
    return true;
  }

  /** True when a record ends here. */
  #close(): boolean {
    this.#depth--;
    if (this.#depth === 1) this.#list = null;
    return this.#depth === 2 && this.#record !== null;
  }

  #take(piece: string): void {
    this.#recordLength += piece.length;
    if (this.#recordLength <= mostRecord) this.#record?.push(piece);
  }

  #finish(): void {
    const list = this.#list ?? '';
    const text = this.#record?.join('') ?? '';
    this.#record = null;
    this.lists.set(list, (this.lists.get(list) ?? 0) + 1);
    if (this.#recordLength > mostRecord) {
      this.broken++;
      return;
    }
    try {
      this.#onRecord(list, text);
    } catch {
      this.broken++;
    }
  }
}
