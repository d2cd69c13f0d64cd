import type { ClientOperation, OpenApiDocument, Schema } from './document.ts';
import { answerName, eventName, inputName } from './names.ts';
import { nameOf, namesIn, noteText, pageItem, typeText } from './type-text.ts';

/** A type of the client: its text, the file that it is in, and the types that it names. */
export interface TypePart {
  readonly name: string;
  /** A noun, a noun’s `calls`, or `shared` where several nouns name it. */
  readonly home: string;
  readonly text: string;
  readonly names: readonly string[];
}

export const shared = 'shared';

/** Returns the home of types without a name in the contract: inputs and stream events of a noun's operations. */
const callsOf = (noun: string): string => `${noun} calls`;

/** Names that the shared types have of their own. */
const written = ['Page', 'JsonValue'];

/** Every type of a document: those that the contract names, and what operations take and answer. */
export function typeParts(document: OpenApiDocument, operations: readonly ClientOperation[]): TypePart[] {
  const homes = homesOf(document, operations);
  const named = Object.entries(document.components.schemas)
    .filter(([name]) => !written.includes(name))
    .map(([name, schema]) => typePart(name, homes.get(name) ?? shared, schema));
  return [...named, ...operations.flatMap(ownTypes)];
}

/** Assigns each type of the contract to a file: that of the only noun that uses it, or the shared one. */
export function homesOf(
  { components }: OpenApiDocument,
  operations: readonly ClientOperation[],
): Map<string, string> {
  const nounsOf = new Map<string, Set<string>>();
  const reach = (name: string, noun: string): void => {
    const nouns = nounsOf.get(name) ?? new Set();
    if (nouns.has(noun)) return;
    nounsOf.set(name, nouns.add(noun));
    for (const next of namesIn(components.schemas[name])) reach(next, noun);
  };
  for (const { noun, parameters, body, answer } of operations)
    for (const name of namesIn([parameters, body, answer])) reach(name, noun);
  return new Map([...nounsOf].map(([name, nouns]) => [name, nouns.size === 1 ? [...nouns][0] : shared]));
}

function typePart(name: string, home: string, schema: Schema, note = schema.description): TypePart {
  const text = typeText(schema);
  const declared =
    text.startsWith('{') && !text.includes('\n} ') ? `interface ${name} ${text}` : `type ${name} = ${text};`;
  const comment = note === undefined ? '' : noteText(note);
  return { name, home, text: `${comment}export ${declared}\n`, names: namesOf(schema, text) };
}

const namesOf = (schema: unknown, text: string): string[] => [
  ...new Set([...namesIn(schema), ...written.filter((name) => new RegExp(`\\b${name}\\b`).test(text))]),
];

function ownTypes(operation: ClientOperation): TypePart[] {
  const { id, kind, answer } = operation;
  const noun = callsOf(operation.noun);
  const input = inputPart(operation);
  const own: TypePart[] = input === null ? [] : [input];
  if (kind === 'events' && answer !== null)
    own.push(typePart(eventName(id), noun, eventsOf(answer), `What \`${id}\` tells.`));
  if (kind === 'json' && answer !== null && nameOf(answer) === null && pageItem(answer) === null)
    own.push(typePart(answerName(id), noun, answer, `What \`${id}\` answers.`));
  return own;
}

/** `data` of an event is JSON as text; the client gives it parsed. */
export function eventsOf({ oneOf = [] }: Schema): Schema {
  const parsed = oneOf.map(({ properties = {}, required = [] }) => ({
    type: 'object',
    properties: { ...properties, data: properties.data.contentSchema ?? {} },
    required,
  }));
  return { oneOf: parsed };
}

/** Null where an operation takes nothing. */
function inputPart({ id, noun, parameters, body }: ClientOperation): TypePart | null {
  const home = callsOf(noun);
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description === undefined ? {} : { description }) },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
  const asked: Schema = { type: 'object', properties, required };
  if (body === null) return parameters.length === 0 ? null : typePart(inputName(id), home, asked);
  if (parameters.some((parameter) => parameter.in === 'query'))
    throw new Error(`${id} takes a query and a body`);
  return withBody(inputName(id), home, asked, body.schema);
}

function withBody(name: string, home: string, asked: Schema, body: Schema): TypePart {
  const { properties = {}, required = [] } = asked;
  if (body.properties === undefined) {
    const text = `export type ${name} = ${typeText(asked)} & (${typeText(body)});\n`;
    return { name, home, text, names: namesOf([asked, body], text) };
  }
  const twice = Object.keys(body.properties).filter((member) => member in properties);
  if (twice.length > 0) throw new Error(`${name} has ${twice.join(', ')} in its address and in its body`);
  return typePart(name, home, {
    type: 'object',
    properties: { ...properties, ...body.properties },
    required: [...required, ...(body.required ?? [])],
  });
}

/** The type that an operation answers with, and the names in it. */
export function answerType({ id, kind, answer }: ClientOperation): {
  text: string;
  names: readonly string[];
} {
  if (kind === 'nothing') return { text: 'undefined', names: [] };
  if (kind === 'bytes' || answer === null) return { text: 'Response', names: [] };
  if (kind === 'events') return { text: eventName(id), names: [eventName(id)] };
  const item = pageItem(answer);
  if (nameOf(answer) === null && item === null) return { text: answerName(id), names: [answerName(id)] };
  const text = typeText(answer);
  return { text, names: namesOf(answer, text) };
}
