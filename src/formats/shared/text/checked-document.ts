import { isAlias, LineCounter, parseDocument, type Document as YamlDocument } from 'yaml';
import { z } from 'zod';
import { AssayError, type ErrorCode } from '#core';

/** Describes a user-written file for error messages. */
export interface DocumentContext {
  readonly path: string;
  /** Kind of document for the message, such as `mapping` or `recipe`. */
  readonly what: string;
  readonly code: ErrorCode;
  readonly advice: string;
}

const maxCharacters = 1024 * 1024;
const maxIssuesShown = 4;

/**
 * Parses YAML (and so JSON) text, validates it with a Zod schema and returns the value; throws `file.code`, naming line
 * and path of the first four problems.
 */
export function parseValidatedDocument<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  file: DocumentContext,
): z.output<Schema> {
  if (text.length > maxCharacters)
    throw invalidDocument(file, null, [`it is longer than ${maxCharacters} characters`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error', schema: 'core' });
  if (document.errors.length > 0) {
    const [{ message, pos }] = document.errors;
    const { line } = lines.linePos(pos[0]);
    throw invalidDocument(file, line, [`line ${line}: ${message.split(' at line ')[0].trim()}`]);
  }
  const parsed = schema.safeParse(toPlainValue(document, file));
  if (parsed.success) return parsed.data;
  const locations = parsed.error.issues.flatMap(locateIssue);
  const lineOf = (path: readonly PropertyKey[]) => lineAt(document, lines, path);
  throw invalidDocument(
    file,
    lineOf(locations[0].path),
    locations.slice(0, maxIssuesShown).map(({ path, message }) => {
      const line = lineOf(path);
      return `${line === null ? '' : `line ${line}, `}${pathText(path)}: ${message}`;
    }),
  );
}

function toPlainValue(document: YamlDocument, file: DocumentContext): unknown {
  try {
    return document.toJS({ maxAliasCount: 16 });
  } catch {
    throw invalidDocument(file, null, ['its YAML anchors and aliases expand without limit']);
  }
}

interface IssueLocation {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Flattens a Zod issue into locations with messages: one per unknown key; for unions the alternative that matched
 * deepest.
 */
function locateIssue(issue: z.core.$ZodIssue): IssueLocation[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'unknown setting' }));
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.toSorted(
      (a, b) => maxPathDepth(b) - maxPathDepth(a) || a.length - b.length,
    )[0];
    return nearest.flatMap((inner) =>
      locateIssue({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue),
    );
  }
  return [{ path: issue.path, message: issue.message }];
}

function maxPathDepth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Returns the line of the value at `path`, or of its nearest existing parent; `null` if there is none. */
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

function invalidDocument(
  file: DocumentContext,
  line: number | null,
  problems: readonly string[],
): AssayError {
  return new AssayError(file.code, `${file.path} is not a valid ${file.what}: ${problems.join('; ')}`, {
    path: file.path,
    advice: file.advice,
    ...(line === null ? {} : { place: `line ${line}` }),
  });
}

const rateSchema = z.strictObject({ rate_hz: z.number().positive().max(1e6) });

/**
 * Returns the rate in Hz (0 < rate ≤ 1e6) from a mapping file that declares only `rate_hz`; throws `unreadable_input`
 * naming the lines that do not fit.
 */
export function parseDeclaredRate(text: string, path: string): number {
  return parseValidatedDocument(text, rateSchema, {
    path,
    what: 'rate declaration',
    code: 'unreadable_input',
    advice:
      'the file must contain only rate_hz: and a number in Hz; for mappings of tables see docs/mapping.md',
  }).rate_hz;
}
