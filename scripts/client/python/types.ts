import type { ClientOperation, OpenApiDocument, Schema } from '../document.ts';
import { answerName, eventName, pascalCase } from '../names.ts';
import { eventsOf, homesOf, shared } from '../parts.ts';
import { nameOf, pageItem } from '../type-text.ts';
import { argumentName, innerName } from './names.ts';
import { TypeWriter } from './type-writer.ts';

/** An argument of an operation's function. */
export interface Argument {
  /** Name in the contract. */
  readonly member: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string | undefined;
}

/** An operation in the words of Python. */
export interface PythonOperation {
  readonly operation: ClientOperation;
  readonly arguments: readonly Argument[];
  /** The whole body is one argument: it is one of several shapes. */
  readonly whole_body: boolean;
  /** `None`, `httpx.Response`, or a type of the contract; of streams what each event is. */
  readonly answer: string;
}

export interface PythonTypes {
  /** Definitions, by the noun that they belong to. */
  readonly homes: ReadonlyMap<string, readonly string[]>;
  readonly operations: readonly PythonOperation[];
}

/** Written by hand, beside the generated types. */
const written = ['Page'];

/** Every type of a document: those that the contract names, and what operations take and answer. */
export function pythonTypes(document: OpenApiDocument, operations: readonly ClientOperation[]): PythonTypes {
  const { schemas } = document.components;
  const writer = new TypeWriter([...Object.keys(schemas), ...written]);
  const homeOf = homesOf(document, operations);
  const homes = new Map<string, string[]>([[shared, []]]);
  const keep = (home: string): void => {
    homes.set(home, [...(homes.get(home) ?? []), ...writer.take()]);
  };
  for (const [name, schema] of Object.entries(schemas)) {
    if (written.includes(name)) continue;
    writer.define(name, schema);
    keep(homeOf.get(name) ?? shared);
  }
  const said = operations.map((operation) => {
    const one = pythonOperation(operation, writer);
    keep(operation.noun);
    return one;
  });
  return { homes, operations: said };
}

function pythonOperation(operation: ClientOperation, writer: TypeWriter): PythonOperation {
  const { id, parameters, body } = operation;
  const asked = pascalCase(id);
  const argument = (member: string, schema: Schema, required: boolean, description?: string): Argument => ({
    ...{ member, name: argumentName(member), required, description: description ?? schema.description },
    type: writer.text(schema, innerName(asked, member)),
  });
  const whole_body = body !== null && body.schema.properties === undefined;
  return {
    operation,
    arguments: [
      ...parameters.map(({ name, schema, required, description }) =>
        argument(name, schema, required, description),
      ),
      ...(body === null
        ? []
        : whole_body
          ? [argument('body', body.schema, body.required)]
          : Object.entries(body.schema.properties ?? {}).map(([name, schema]) =>
              argument(name, schema, body.schema.required?.includes(name) === true),
            )),
    ],
    whole_body,
    answer: answerText(operation, writer),
  };
}

function answerText({ id, kind, answer }: ClientOperation, writer: TypeWriter): string {
  if (kind === 'nothing') return 'None';
  if (kind === 'bytes' || answer === null) return 'httpx.Response';
  if (kind === 'events') {
    writer.define(eventName(id), eventsOf(answer));
    return eventName(id);
  }
  if (nameOf(answer) !== null || pageItem(answer) !== null) return writer.text(answer, answerName(id));
  return writer.text(answer, answerName(id));
}
