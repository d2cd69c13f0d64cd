import { isUtf8 } from 'node:buffer';
import { AssayError } from './errors.ts';
import type { JsonValue } from './json.ts';
import { isLfsPointer, lfsPointerWords } from './lfs-pointer.ts';

export interface TolerantJson {
  readonly value: JsonValue;
  /** Parts that standard JSON does not allow, in words: a byte order mark, NaN, text after the end of the document. */
  readonly oddities: readonly string[];
  /** The oddities on which Python's `json.load` fails; it accepts NaN and Infinity. */
  readonly refused: readonly string[];
}

/**
 * Parses JSON despite defects such as a byte order mark, UTF-16, NaN (read as null) or a trailing comma, and lists
 * those found; throws `unreadable_input` for an empty file, a Git LFS pointer, or defects beyond repair. Tolerated
 * are also invalid UTF-8, Infinity, and zero bytes or text after the end of the document. Pass the bytes of a file
 * where its encoding matters. The error names `path`.
 */
export function parseTolerantJson(source: string | Uint8Array, path: string): TolerantJson {
  if (source.length === 0) throw notThere(path, 'is empty (0 bytes)', 'write or copy the file again');
  const odd = new Oddities();
  const text = withoutMark(decode(source, odd), odd);
  if (isLfsPointer(text)) throw notThere(path, lfsPointerWords.what, lfsPointerWords.advice);
  const value = parse(text, path, odd);
  noteLimits(text, odd);
  return { value, oddities: odd.all, refused: odd.refused };
}

const notThere = (path: string, what: string, advice: string): AssayError =>
  new AssayError('unreadable_input', `${path} ${what}`, { path, advice });

export interface TolerantLines {
  readonly values: readonly JsonValue[];
  readonly oddities: readonly string[];
  /** The oddities on which the Python package `jsonlines` fails; unlike `json` it skips byte order marks. */
  readonly refused: readonly string[];
  /** Lines that could not be read, from 1. */
  readonly bad_lines: readonly number[];
}

/**
 * Parses JSON lines, each as tolerantly as `parseTolerantJson`; skips blank lines and returns the numbers of
 * unreadable lines, from 1, in `bad_lines` instead of throwing.
 */
export function parseTolerantJsonLines(source: string | Uint8Array, path: string): TolerantLines {
  const values: JsonValue[] = [];
  const bad_lines: number[] = [];
  const odd = new Oddities();
  const oddities = new Set<string>();
  const refused = new Set<string>();
  // Python ends a line at \r too.
  const text = decode(source, odd);
  const lines = text.includes('\r') ? text.split(/\r\n?|\n/) : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  lines.forEach((line, index) => {
    if (line.trim() === '') {
      refused.add('a blank line');
      return;
    }
    try {
      const parsed = parseTolerantJson(line, path);
      values.push(parsed.value);
      if (parsed.value === null) refused.add('a line with null');
      for (const oddity of parsed.oddities) oddities.add(oddity);
      for (const oddity of parsed.refused) if (oddity !== byteOrderMark) refused.add(oddity);
    } catch {
      bad_lines.push(index + 1);
    }
  });
  return {
    values,
    oddities: [...new Set([...odd.all, ...oddities])],
    refused: [...new Set([...odd.refused, ...refused])],
    bad_lines,
  };
}

const byteOrderMark = 'a byte order mark';

/** Collects the oddities of one text, each once. */
class Oddities {
  readonly all: string[] = [];
  readonly refused: string[] = [];

  /** Adds an oddity that Python accepts. */
  accept(what: string): void {
    if (!this.all.includes(what)) this.all.push(what);
  }

  /** Adds an oddity on which Python fails. */
  refuse(what: string): void {
    this.accept(what);
    if (!this.refused.includes(what)) this.refused.push(what);
  }
}

function decode(source: string | Uint8Array, odd: Oddities): string {
  if (typeof source === 'string') return source;
  const utf16 = detectUtf16(source);
  if (utf16 !== null) {
    odd.refuse('UTF-16 instead of UTF-8');
    return new TextDecoder(utf16).decode(source);
  }
  if (!isUtf8(source)) odd.refuse('invalid UTF-8');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(source);
}

/**
 * Returns the UTF-16 encoding that the byte order mark at the start of a file names, or `null` if it starts with
 * none.
 */
export function detectUtf16(start: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const mark = (start[0] << 8) | start[1];
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : null;
}

function withoutMark(text: string, odd: Oddities): string {
  if (!text.startsWith('\ufeff')) return text;
  odd.refuse(byteOrderMark);
  return text.slice(1);
}

function parse(text: string, path: string, odd: Oddities): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (thrown) {
    const repaired = repair(text, odd);
    try {
      return JSON.parse(repaired) as JsonValue;
    } catch {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      throw new AssayError('unreadable_input', `${path}: invalid JSON: ${detail}`, {
        path,
        advice: 'write or download the file again; an interrupted download causes this',
      });
    }
  }
}

/** Nesting depth that Python's `json` still loads: it stops at 1,000 stack frames, some of them the caller's. Measured: 960 load, 2,000 do not. */
const maxPythonNesting = 960;
/** Digits of the longest integer that Python parses: the default of `sys.set_int_max_str_digits`. */
const maxPythonDigits = 4300;

/** Records nesting and integers that Python's `json` refuses. */
function noteLimits(text: string, odd: Oddities): void {
  if (text.length <= maxPythonNesting || !(hasManyBrackets(text) || hasManyDigits(text))) return;
  let depth = 0;
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) i = stringEnd(text, i) - 1;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > maxPythonNesting) odd.refuse(`nesting deeper than ${maxPythonNesting} levels`);
    if (code >= 0x30 && code <= 0x39) digits += 1;
    else {
      const isInteger = !'.eE'.includes(text[i]) && !'.eE+'.includes(text[i - digits - 1] ?? '.');
      if (digits > maxPythonDigits && isInteger)
        odd.refuse(`an integer with more than ${maxPythonDigits} digits`);
      digits = 0;
    }
  }
}

/** Returns true if a text has enough opening brackets to nest too deep; much faster than reading every character. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > maxPythonNesting) return true;
  return false;
}

/** Returns true if a text may hold an integer that is too long: such an integer covers at least one of the probed positions. */
function hasManyDigits(text: string): boolean {
  for (let at = maxPythonDigits; at < text.length; at += maxPythonDigits) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39 && /^\d{50}|\d{50}$/.test(text.slice(Math.max(0, at - 50), at + 50)))
      return true;
  }
  return false;
}

/** Rewrites what is outside strings to valid JSON (NaN becomes null) and drops what follows the first complete value. */
function repair(text: string, odd: Oddities): string {
  let out = '';
  let depth = 0;
  let i = 0;
  while (i < text.length) {
    const character = text[i];
    if (character === '"') {
      const end = stringEnd(text, i);
      out += text.slice(i, end);
      i = end;
      continue;
    }
    const literal = /^(-?Infinity|NaN)\b/.exec(text.slice(i, i + 10));
    if (literal !== null) {
      odd.accept(`the literal ${literal[1]}`);
      out += 'null';
      i += literal[1].length;
      continue;
    }
    if (character === ',' && /^,\s*[}\]]/.test(text.slice(i, i + 200))) {
      odd.refuse('a trailing comma');
      i += 1;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    out += character;
    i += 1;
    if (depth === 0 && (character === '}' || character === ']')) break;
  }
  if (text.slice(i).trim() !== '') odd.refuse('text after the end of the document');
  return out;
}

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}
