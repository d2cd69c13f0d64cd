import { z } from 'zod';
import { type InputFault, invalidInput, readPart } from '../input-part.ts';

/** The three parts of an operation's input, which a tool takes as one flat object. */
export interface InputParts {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

/** What a use case is given: the parts side by side. */
export type ToolInput<Parts extends InputParts> = Parsed<Parts['params']> &
  Parsed<Parts['query']> &
  Parsed<Parts['body']>;

const nothing = z.strictObject({});

/** Parses one object by the schemas of all parts; what none of them names is refused. */
export function inputReader<Parts extends InputParts>(
  parts: Parts,
): (input: unknown) => ToolInput<Parts> & object {
  const params = (parts.params ?? nothing).strict();
  const query = (parts.query ?? nothing).strict();
  const body = parts.body ?? nothing;
  return (input) => {
    const faults: InputFault[] = [];
    const given = readPart(z.record(z.string(), z.unknown()), input ?? {}, '', faults) ?? {};
    const rest = Object.entries(given).filter(([key]) => !(key in params.shape) && !(key in query.shape));
    const read = {
      ...readPart(params, pick(given, params), '', faults),
      ...readPart(query, pick(given, query), '', faults),
      ...asObject(readPart(body, Object.fromEntries(rest), '', faults)),
    };
    const [first, ...others] = faults;
    if (first !== undefined)
      throw invalidInput(
        [first, ...others],
        'correct what `errors` points at; the tool’s schema has the members',
      );
    return read as ToolInput<Parts> & object;
  };
}

const pick = (given: Readonly<Record<string, unknown>>, { shape }: z.ZodObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([key]) => key in shape));

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
