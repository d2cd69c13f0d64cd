/** The parts of an OpenAPI document that the client is made from. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly contentSchema?: Schema;
  readonly description?: string;
  readonly pattern?: string;
  readonly format?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Kind of an operation's answer: JSON, events, bytes of another type, or nothing. */
type AnswerKind = 'json' | 'events' | 'bytes' | 'nothing';

/** An operation with what the client needs of it at hand. */
export interface ClientOperation {
  readonly id: string;
  readonly noun: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  readonly kind: AnswerKind;
  /** Schema of JSON answers and events. */
  readonly answer: Schema | null;
  /** Takes an `Idempotency-Key`. */
  readonly keyed: boolean;
  /** Codes that it can be refused with. */
  readonly errors: readonly string[];
  /** Members of the path that the body has as well. */
  readonly repeated: readonly string[];
}

/** Every operation of a document, in its order. */
export function operationsOf({ paths, components }: OpenApiDocument): readonly ClientOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const found = clientOperation(path, method, operation);
      return { ...found, repeated: repeatedMembers(found, components.schemas) };
    }),
  );
}

/** Members of the path that the body has as well. */
function repeatedMembers(
  { path, body }: Pick<ClientOperation, 'path' | 'body'>,
  schemas: OpenApiDocument['components']['schemas'],
): readonly string[] {
  const name = body?.schema.$ref?.split('/').at(-1);
  const { properties = {} } = (name === undefined ? body?.schema : schemas[name]) ?? {};
  return Object.keys(properties).filter((member) => path.includes(`{${member}}`));
}

function clientOperation(
  path: string,
  method: string,
  operation: OperationObject,
): Omit<ClientOperation, 'repeated'> {
  const { operationId, tags, summary, description, parameters = [], requestBody, responses } = operation;
  const { kind, answer } = answerOf(responses);
  return {
    id: operationId,
    noun: tags[0],
    method: method.toUpperCase(),
    path,
    summary,
    description,
    parameters: parameters.filter((parameter) => parameter.$ref === undefined),
    body:
      requestBody === undefined
        ? null
        : { schema: requestBody.content['application/json'].schema, required: requestBody.required },
    kind,
    answer,
    keyed: parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key') === true),
    errors: errorsOf(responses),
  };
}

function answerOf(responses: OperationObject['responses']): { kind: AnswerKind; answer: Schema | null } {
  const [content] = Object.entries(responses).flatMap(([status, response]) =>
    status < '300' && response.content !== undefined ? [response.content] : [],
  );
  if (content === undefined) return { kind: 'nothing', answer: null };
  const [type] = Object.keys(content);
  if (type === 'application/json') return { kind: 'json', answer: content[type].schema };
  if (type === 'text/event-stream') return { kind: 'events', answer: content[type].schema };
  return { kind: 'bytes', answer: null };
}

/** A shared response is named by the codes that it stands for. */
function errorsOf(responses: OperationObject['responses']): readonly string[] {
  return Object.values(responses)
    .flatMap(({ $ref }) => $ref?.split('/').at(-1)?.split('.') ?? [])
    .sort();
}
