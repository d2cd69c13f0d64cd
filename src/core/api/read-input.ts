import { z } from 'zod';
import { AssayError, type JsonObject, pointerPart } from '#core';

/** The three parts of an operation's input, which a tool takes as one flat object. */
export interface InputParts {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** Parsed input of an operation: the members of all parts in one object. */
export type ToolInput<Parts extends InputParts> = Parsed<Parts['params']> &
  Parsed<Parts['query']> &
  Parsed<Parts['body']>;

const emptySchema = z.strictObject({});

/**
 * Returns a function that parses one flat object (`undefined` counts as `{}`) by the schemas of all parts, and throws
 * `invalid_request` with every violation, unknown members included.
 */
export function inputReader<Parts extends InputParts>(
  parts: Parts,
): (input: unknown) => ToolInput<Parts> & object {
  const params = (parts.params ?? emptySchema).strict();
  const query = (parts.query ?? emptySchema).strict();
  const body = parts.body ?? emptySchema;
  return (input) => {
    const faults: InputFault[] = [];
    const members = readPart(z.record(z.string(), z.unknown()), input ?? {}, '', faults) ?? {};
    const rest = Object.entries(members).filter(([key]) => !(key in params.shape) && !(key in query.shape));
    const read = {
      ...readPart(params, pick(members, params), '', faults),
      ...readPart(query, pick(members, query), '', faults),
      ...asObject(readPart(body, Object.fromEntries(rest), '', faults)),
    };
    const [first, ...others] = faults;
    if (first !== undefined)
      throw invalidInput(
        [first, ...others],
        'correct the fields listed in `errors`; the tool’s input schema describes them',
      );
    return read as ToolInput<Parts> & object;
  };
}

const pick = (members: Readonly<Record<string, unknown>>, { shape }: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([key]) => key in shape));

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** A violation of the schema by one member of an input. */
export interface InputFault {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

/**
 * Parses one part of an input by its schema; on violations returns `undefined` and appends them to `faults`, with
 * JSON pointers below `at`. Texts that no database can store are appended too, even if the schema accepts them.
 */
export function readPart<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: string,
  faults: InputFault[],
): z.output<Schema> | undefined {
  for (const pointer of unstorableTexts(input, at))
    faults.push({ pointer, message: 'text must not contain U+0000 or an unpaired surrogate' });
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  faults.push(...parsed.error.issues.flatMap((issue) => faultsOf(issue, at)));
  return undefined;
}

function faultsOf(issue: z.core.$ZodIssue, at: string): readonly InputFault[] {
  const pointer = [at, ...issue.path.map(pointerPart)].join('/');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${pointerPart(key)}`,
      message: 'unknown field',
    }));
  return [{ pointer, message: lowerFirst(issue.message) }];
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const maxReportedFaults = 50;

/** Creates an `invalid_request` error whose message names the first fault and whose details hold the first fifty. */
export function invalidInput(faults: readonly [InputFault, ...InputFault[]], advice: string): AssayError {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  const errors: readonly JsonObject[] = faults.slice(0, maxReportedFaults).map((fault) => ({ ...fault }));
  return new AssayError('invalid_request', `${first.pointer}: ${first.message}${more}`, {
    advice,
    details: { errors },
  });
}

/**
 * Returns JSON pointers, below `at`, to the texts in a value that contain U+0000 or an unpaired surrogate, which no
 * database can store; for such a key, to its object.
 */
export function unstorableTexts(value: unknown, at: string): readonly string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(isStorable(key) ? [] : [at]),
    ...unstorableTexts(member, `${at}/${pointerPart(key)}`),
  ]);
}

/** Returns true if a text can be stored: PostgreSQL rejects U+0000, and UTF-8 has no unpaired surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
