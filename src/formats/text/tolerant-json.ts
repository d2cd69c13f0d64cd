import { AssayError, isLfsPointer, type JsonValue, lfsPointerWords } from '#kernel';

export interface TolerantJson {
  readonly value: JsonValue;
  /** What had to be forgiven, in words: a byte order mark, NaN, text after the end. */
  readonly oddities: readonly string[];
}

/**
 * JSON as it is found: with a byte order mark, with the literals NaN and Infinity that Python writes (read as null),
 * with a comma before a closing bracket, with zero bytes or text after the end. Throws `unreadable_input` naming
 * `path` when nothing helps.
 */
export function parseTolerantJson(source: string, path: string): TolerantJson {
  if (source === '') throw notThere(path, 'is empty (0 bytes)', 'write or copy the file again');
  if (isLfsPointer(source)) throw notThere(path, lfsPointerWords.what, lfsPointerWords.advice);
  const oddities: string[] = [];
  let text = source;
  if (text.startsWith('\ufeff')) {
    text = text.slice(1);
    oddities.push('a byte order mark');
  }
  try {
    return { value: JSON.parse(text) as JsonValue, oddities };
  } catch (thrown) {
    const repaired = repair(text, oddities);
    try {
      return { value: JSON.parse(repaired) as JsonValue, oddities };
    } catch {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      throw new AssayError('unreadable_input', `${path} is not JSON: ${detail}`, {
        path,
        advice: 'write the file again; a download that stopped half way looks like this',
      });
    }
  }
}

const notThere = (path: string, what: string, advice: string): AssayError =>
  new AssayError('unreadable_input', `${path} ${what}`, { path, advice });

export interface TolerantLines {
  readonly values: readonly JsonValue[];
  readonly oddities: readonly string[];
  /** Lines that could not be read, from 1. */
  readonly bad_lines: readonly number[];
}

/** JSON lines with CRLF, blank lines, a byte order mark or broken lines among the good. */
export function parseTolerantJsonLines(source: string, path: string): TolerantLines {
  const values: JsonValue[] = [];
  const oddities = new Set<string>();
  const bad_lines: number[] = [];
  source.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    try {
      const parsed = parseTolerantJson(line, path);
      values.push(parsed.value);
      for (const oddity of parsed.oddities) oddities.add(oddity);
    } catch {
      bad_lines.push(index + 1);
    }
  });
  return { values, oddities: [...oddities], bad_lines };
}

/** Rewrites what stands outside strings, and cuts what follows the first whole value. */
function repair(text: string, oddities: string[]): string {
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
      note(oddities, `the literal ${literal[1]}`);
      out += 'null';
      i += literal[1].length;
      continue;
    }
    if (character === ',' && /^,\s*[}\]]/.test(text.slice(i, i + 200))) {
      note(oddities, 'a comma before a closing bracket');
      i += 1;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    out += character;
    i += 1;
    if (depth === 0 && (character === '}' || character === ']')) break;
  }
  if (text.slice(i).trim() !== '') note(oddities, 'text after the end');
  return out;
}

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

function note(oddities: string[], what: string): void {
  if (!oddities.includes(what)) oddities.push(what);
}
