import { z } from 'zod';
import { type InputFault, invalidInput, readPart } from './input-part.ts';

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

/** Returns a function that parses one flat object by the schemas of all parts and throws `invalid_request` for unknown members. */
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
