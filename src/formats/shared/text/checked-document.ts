import { isAlias, LineCounter, parseDocument, type Document as YamlDocument } from 'yaml';
import type { z } from 'zod';
import { AssayError, type ErrorCode } from '#core';

/** A file that a person wrote for this program: what to say when it cannot be taken. */
export interface WrittenFile {
  readonly path: string;
  /** What it is, for the message: `mapping`, `recipe`. */
  readonly what: string;
  readonly code: ErrorCode;
  readonly advice: string;
}

const maxCharacters = 1024 * 1024;
const issuesNamed = 4;

/**
 * Reads YAML (and so JSON) and holds it against a schema. Throws the file's error, naming line and path of the first
 * few places that do not fit.
 */
export function checkedDocument<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  file: WrittenFile,
): z.output<Schema> {
  if (text.length > maxCharacters)
    throw refusal(file, null, [`it is longer than ${maxCharacters} characters`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error', schema: 'core' });
  if (document.errors.length > 0) {
    const [{ message, pos }] = document.errors;
    const { line } = lines.linePos(pos[0]);
    throw refusal(file, line, [`line ${line}: ${message.split(' at line ')[0].trim()}`]);
  }
  const parsed = schema.safeParse(plain(document, file));
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.flatMap(placesOf);
  const lineOf = (path: readonly PropertyKey[]) => lineAt(document, lines, path);
  throw refusal(
    file,
    lineOf(places[0].path),
    places.slice(0, issuesNamed).map(({ path, message }) => {
      const line = lineOf(path);
      return `${line === null ? '' : `line ${line}, `}${pathText(path)}: ${message}`;
    }),
  );
}

function plain(document: YamlDocument, file: WrittenFile): unknown {
  try {
    return document.toJS({ maxAliasCount: 16 });
  } catch {
    throw refusal(file, null, ['its anchors and aliases grow without end']);
  }
}

interface Place {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** An unknown key is named where it stands; of several shapes, the one that came nearest is spoken of. */
function placesOf(issue: z.core.$ZodIssue): Place[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'there is no such setting' }));
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted((a, b) => deepest(b) - deepest(a) || a.length - b.length)[0];
    return nearest.flatMap((inner) =>
      placesOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue),
    );
  }
  return [{ path: issue.path, message: issue.message }];
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** The line of the value, or of the nearest thing around it that is there. */
function lineAt(document: YamlDocument, lines: LineCounter, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = rangeOf(node);
    if (range !== null) return lines.linePos(range).line;
  }
  return null;
}

function rangeOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || isAlias(node) || !('range' in node)) return null;
  return Array.isArray(node.range) ? node.range[0] : null;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  return text === '' ? 'the document' : text;
}

function refusal(file: WrittenFile, line: number | null, said: readonly string[]): AssayError {
  return new AssayError(file.code, `${file.path} is no ${file.what}: ${said.join('; ')}`, {
    path: file.path,
    advice: file.advice,
    ...(line === null ? {} : { place: `line ${line}` }),
  });
}
