import type { ClientOperation } from './document.ts';
import { camelCase, inputName, kebabCase, methodName, pascalCase } from './names.ts';
import { answerType, shared, type TypePart } from './parts.ts';
import { noteText } from './type-text.ts';

/** A file of the client, below its `src/generated`. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

export const compare = (a: string, b: string): number => (a < b ? -1 : 1);

/** Imports of types, a line for each file that they are in. */
function importTypes(
  names: Iterable<string>,
  parts: ReadonlyMap<string, TypePart>,
  from: string,
  own?: string,
): string {
  const byHome = Map.groupBy(new Set(names), (name) => parts.get(name)?.home ?? shared);
  return [...byHome]
    .filter(([home]) => home !== own)
    .map(([home, named]): [string, string[]] => [`${from}${kebabCase(home)}.ts`, named.sort(compare)])
    .sort(([a], [b]) => compare(a, b))
    .map(([path, named]) => `import type { ${named.join(', ')} } from '${path}';\n`)
    .join('');
}

const pageText = `/** One page of a list; \`next_cursor\` is null on the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
`;

const jsonText = `/** Any JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
`;

/** The types of a noun, or those that several share. */
export function typesFile(home: string, parts: ReadonlyMap<string, TypePart>): GeneratedFile {
  const own = [...parts.values()].filter((part) => part.home === home);
  const names = own.flatMap((part) => part.names);
  const texts = [...(home === shared ? [jsonText, pageText] : []), ...own.map(({ text }) => text)];
  return {
    path: `types/${kebabCase(home)}.ts`,
    text: `${importTypes(names, parts, './', home)}\n${texts.join('\n')}`,
  };
}

/** The operations of a noun as functions. */
export function nounFile(
  noun: string,
  operations: readonly ClientOperation[],
  parts: ReadonlyMap<string, TypePart>,
): GeneratedFile {
  const methods = operations.map((operation) => method(operation, parts));
  const twice = methods.find(({ name }, at) => methods.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined) throw new Error(`two operations of ${noun} would be called ${twice.name}`);
  const kinds = new Set(operations.map(({ kind }) => (kind === 'events' ? 'StreamOptions' : 'CallOptions')));
  const functions = new Set(operations.map(({ kind }) => (kind === 'events' ? 'follow' : 'call')));
  const names = operations.flatMap((operation) => namesOf(operation, parts));
  return {
    path: `nouns/${kebabCase(noun)}.ts`,
    text: `import type { Calls } from '../../calls.ts';
import type { ${[...kinds].sort(compare).join(', ')} } from '../../options.ts';
${importTypes(names, parts, '../types/')}
export const ${camelCase(noun)} = ({ ${[...functions].sort(compare).join(', ')} }: Calls) => ({
${methods.map(({ text }) => text).join('\n\n')}
});
`,
  };
}

function method(
  operation: ClientOperation,
  parts: ReadonlyMap<string, TypePart>,
): { name: string; text: string } {
  const { id, noun, kind, summary, description, body, parameters } = operation;
  const name = methodName(id, noun);
  const answer = answerType(operation).text;
  const isStream = kind === 'events';
  const demanded = parameters.some(({ required }) => required) || body?.required === true;
  const input = parts.has(inputName(id)) ? `input: ${inputName(id)}${demanded ? '' : ' = {}'}, ` : '';
  const signature = `(${input}options?: ${isStream ? 'StreamOptions' : 'CallOptions'})`;
  const result = isStream ? `AsyncGenerator<${answer}>` : `Promise<${answer}>`;
  const given = input === '' ? '{}' : 'input';
  return {
    name,
    text: `${noteText(`${summary}.\n\n${description}`)}${name}: ${signature}: ${result} => ${isStream ? 'follow' : 'call'}('${id}', ${given}, options),`,
  };
}

const repeatedText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `, repeated: [${names.map((name) => `'${name}'`).join(', ')}]`;

/** Generates the runtime table of operations, which remains when types are erased. */
export function rowsFile(operations: readonly ClientOperation[]): GeneratedFile {
  const rows = operations.map(
    ({ id, method, path, kind, body, keyed, repeated }) =>
      `${id}: { method: '${method}', path: '${path}', kind: '${kind}'${body === null ? '' : ', body: true'}${keyed ? ', keyed: true' : ''}${repeatedText(repeated)} },`,
  );
  return {
    path: 'rows.ts',
    text: `import type { Row } from '../calls.ts';
import type { OperationId } from './operations.ts';

/** Path and kind of answer of each operation. */
export const rows: Readonly<Record<OperationId, Row>> = {
${rows.join('\n')}
};
`,
  };
}

/** Codes that any operation can be refused with. */
export const commonCodes = (operations: readonly ClientOperation[]): readonly string[] =>
  operations[0].errors.filter((code) => operations.every(({ errors }) => errors.includes(code)));

/** Generates the inputs, answers and error codes of a noun's operations. */
export function operationsFile(
  noun: string,
  operations: readonly ClientOperation[],
  parts: ReadonlyMap<string, TypePart>,
  common: readonly string[],
): GeneratedFile {
  const names = operations.flatMap((operation) => namesOf(operation, parts));
  const rows = operations.map((operation) => {
    const { id, errors } = operation;
    const input = parts.has(inputName(id)) ? inputName(id) : 'Record<never, never>';
    const codes = errors.filter((code) => !common.includes(code)).map((code) => `'${code}'`);
    return `${id}: { input: ${input}; answer: ${answerType(operation).text}; error: ${codes.join(' | ') || 'never'} };`;
  });
  return {
    path: `operations/${kebabCase(noun)}.ts`,
    text: `${importTypes(names, parts, '../types/')}
export interface ${pascalCase(noun)}Operations {
${rows.join('\n')}
}
`,
  };
}

const namesOf = (operation: ClientOperation, parts: ReadonlyMap<string, TypePart>): readonly string[] => {
  const input = inputName(operation.id);
  return [...answerType(operation).names, ...(parts.has(input) ? [input] : [])];
};

/** The nouns put together, and the doors to their types. */
export function doorFiles(
  nouns: readonly string[],
  homes: Iterable<string>,
  common: readonly string[],
): GeneratedFile[] {
  const sorted = nouns.toSorted(compare);
  const importNouns = sorted.map(
    (noun) => `import { ${camelCase(noun)} } from './nouns/${kebabCase(noun)}.ts';`,
  );
  const members = sorted.map((noun) => `${camelCase(noun)}: ${camelCase(noun)}(calls),`);
  const importRows = sorted.map(
    (noun) => `import type { ${pascalCase(noun)}Operations } from './operations/${kebabCase(noun)}.ts';`,
  );
  const types = [...homes]
    .map(kebabCase)
    .sort(compare)
    .map((home) => `export type * from './types/${home}.ts';`);
  return [
    {
      path: 'nouns.ts',
      text: `import type { Calls } from '../calls.ts';
${importNouns.join('\n')}

/** Every operation, by what it is about. */
export const nouns = (calls: Calls) => ({
${members.join('\n')}
});
`,
    },
    {
      path: 'operations.ts',
      text: `${importRows.join('\n')}
import type { Problem } from './types/${problemHome}.ts';

/** Codes with which the service says what went wrong. */
export type ErrorCode = Problem['code'];

/** Those that any operation can be refused with. */
export type CommonCode = ${common.map((code) => `'${code}'`).join(' | ')};

/** Every operation by its id: what it takes, what it answers, and the codes of its own that it can be refused with. */
export interface Operations extends ${sorted.map((noun) => `${pascalCase(noun)}Operations`).join(', ')} {}

export type OperationId = keyof Operations;
`,
    },
    { path: 'types.ts', text: types.join('\n') },
  ];
}

/** No operation answers with it, so that no noun has it. */
const problemHome = shared;
