import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AssayError } from '#core';
import { type InputFault, invalidInput, type Operation, readPart, unstorableTexts } from '#core/api';

export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const nothing = z.strictObject({});
const advice = 'correct what `errors` points at; /v1/openapi.json has the schemas';

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
    const faults: InputFault[] = [];
    const inQuery = readPart(query, request.query, '/query', faults);
    const inBody = bodyOf(operation.body, request.body, faults);
    const [first, ...others] = faults;
    if (first !== undefined) throw invalidInput([first, ...others], advice);
    return { params: inParams.data, query: inQuery, body: inBody };
  };
}

/** The router calls the rest of a path `*`. */
function paramsOf(request: FastifyRequest, rest: string | undefined): Record<string, unknown> {
  const { '*': last, ...params } = request.params as Record<string, unknown>;
  return rest === undefined ? params : { ...params, [rest]: last };
}

function bodyOf(schema: z.ZodType | undefined, given: unknown, faults: InputFault[]): unknown {
  if (schema !== undefined) return readPart(schema, given, '/body', faults);
  const empty = given === undefined || given === null || (typeof given === 'object' && isEmpty(given));
  if (!empty) faults.push({ pointer: '/body', message: 'this operation takes no body' });
  return undefined;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
