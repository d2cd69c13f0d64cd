import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Operation } from '#contract';
import { AssayError, type JsonObject } from '#kernel';
import { pointerPart, unstorableTexts } from './read-json.ts';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface Fault {
  readonly pointer: string;
  readonly message: string;
}

const nothing = z.strictObject({});

/** Parses the three parts of a request by the operation's schemas; what they do not name is refused. */
export function inputReader(operation: Operation): (request: FastifyRequest) => Input {
  const params = operation.params ?? nothing;
  const rest = /\{([^}]+)\*\}$/.exec(operation.path)?.[1];
  const query = (operation.query ?? nothing).strict();
  return (request) => {
    const given = paramsOf(request, rest);
    const inParams = params.safeParse(given);
    // An id that cannot exist is as absent as one that does not.
    if (!inParams.success || unstorableTexts(given, '').length > 0)
      throw new AssayError('not_found', 'there is nothing at this address');
    const faults: Fault[] = [];
    const inQuery = part(query, request.query, '/query', faults);
    const inBody = bodyOf(operation.body, request.body, faults);
    if (faults.length > 0) throw refusal(faults);
    return { params: inParams.data, query: inQuery, body: inBody };
  };
}

/** The router calls the rest of a path `*`. */
function paramsOf(request: FastifyRequest, rest: string | undefined): Record<string, unknown> {
  const { '*': last, ...params } = request.params as Record<string, unknown>;
  return rest === undefined ? params : { ...params, [rest]: last };
}

function bodyOf(schema: z.ZodType | undefined, given: unknown, faults: Fault[]): unknown {
  if (schema !== undefined) return part(schema, given, '/body', faults);
  const empty = given === undefined || given === null || (typeof given === 'object' && isEmpty(given));
  if (!empty) faults.push({ pointer: '/body', message: 'this operation takes no body' });
  return undefined;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function part(schema: z.ZodType, given: unknown, at: string, faults: Fault[]): unknown {
  for (const pointer of unstorableTexts(given, at))
    faults.push({ pointer, message: 'a text may not hold U+0000 or half a surrogate pair' });
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  faults.push(...parsed.error.issues.flatMap((issue) => faultsOf(issue, at)));
  return undefined;
}

function faultsOf(issue: z.core.$ZodIssue, at: string): readonly Fault[] {
  const pointer = [at, ...issue.path.map(pointerPart)].join('/');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${pointerPart(key)}`,
      message: 'there is no such member',
    }));
  return [{ pointer, message: lowerFirst(issue.message) }];
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const mostFaults = 50;

function refusal(faults: readonly Fault[]): AssayError {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  return new AssayError('invalid_request', `${first.pointer}: ${first.message}${more}`, {
    advice: 'correct what `errors` points at; /v1/openapi.json has the schemas',
    details: { errors: faults.slice(0, mostFaults) as unknown as readonly JsonObject[] },
  });
}
