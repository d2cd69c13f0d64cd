import { compare, type GeneratedFile } from '../files.ts';
import { pascalCase } from '../names.ts';
import { argumentName, className, functionName, moduleName } from './names.ts';
import { docText } from './type-writer.ts';
import type { Argument, PythonOperation } from './types.ts';

const future = 'from __future__ import annotations\n';

/** Without docstrings, whose words may be names too. */
const code = (text: string): string => text.replace(/"""[\s\S]*?"""/g, '');

/** Modules of what a text names, as imports. `from`: the dots before their names. */
function importsOf(text: string, homes: ReadonlyMap<string, string>, from: string, own?: string): string {
  const names = new Set(code(text).match(/\b[A-Z]\w*\b/g) ?? []);
  const byHome = Map.groupBy(
    [...names].filter((name) => homes.has(name)),
    (name) => homes.get(name) ?? '',
  );
  return [...byHome]
    .filter(([home]) => home !== own)
    .sort(([a], [b]) => compare(a, b))
    .map(
      ([home, named]) =>
        `from ${from}${moduleName(home)} import (\n${named
          .toSorted(compare)
          .map((name) => `    ${name},\n`)
          .join('')})\n`,
    )
    .join('');
}

const typing = ['Any', 'List', 'Literal'];
const extensions = ['NotRequired', 'TypeAlias', 'TypedDict'];

const named = (text: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => new RegExp(`\\b${name}\\b`).test(code(text)));

const importNames = (module: string, names: readonly string[]): string =>
  names.length === 0 ? '' : `from ${module} import ${names.join(', ')}\n`;

/** The types of a noun, or those that several share. */
export function typesFile(
  home: string,
  definitions: readonly string[],
  homes: ReadonlyMap<string, string>,
): GeneratedFile {
  const text = definitions.join('\n\n');
  const page = /\bPage\[/.test(text) ? 'from ...pages import Page\n' : '';
  return {
    path: `types/${moduleName(home)}.py`,
    text: `${future}\n${importNames('typing', named(text, typing))}\n${importNames('typing_extensions', named(text, extensions))}\n${page}${importsOf(text, homes, '.', home)}\n\n${text}`,
  };
}

/** The operations of a noun as functions of a class, for one of both kinds of client. */
export function nounFile(
  noun: string,
  operations: readonly PythonOperation[],
  homes: ReadonlyMap<string, string>,
  isAsync: boolean,
): GeneratedFile {
  const functions = operations.map((operation) => functionText(operation, isAsync));
  const body = functions.join('\n\n');
  const calls = isAsync ? 'AsyncCalls' : 'Calls';
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  const httpx = /\bhttpx\./.test(body) ? 'import httpx\n' : '';
  const page = /\bPage\[/.test(body) ? 'from ...pages import Page\n' : '';
  const options = named(body, ['CallOptions', 'OMITTED', 'Omitted']);
  return {
    path: `${isAsync ? 'aio' : 'sync'}/${moduleName(noun)}.py`,
    text: `${future}
${importNames('collections.abc', named(body, [iterator]))}${importNames('typing', named(body, typing))}
${httpx}
from ...calls import ${calls}
${importNames('...options', options)}${page}${importsOf(body, homes, '..types.')}

class ${className(noun, isAsync)}:
    def __init__(self, calls: ${calls}) -> None:
        self._calls = calls

${body}
`,
  };
}

function functionText(
  { operation, arguments: all, answer, whole_body }: PythonOperation,
  isAsync: boolean,
): string {
  const { id, noun, kind, summary, description } = operation;
  const isStream = kind === 'events';
  const sorted = [...all.filter(({ required }) => required), ...all.filter(({ required }) => !required)];
  const asked = ['self', ...(sorted.length > 0 ? ['*'] : []), ...sorted.map(argumentText)];
  const options =
    sorted.length > 0 ? 'options: CallOptions | None = None' : '*, options: CallOptions | None = None';
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  const result = isStream ? `${iterator}[${answer}]` : answer;
  const given = `{${all.map(({ member, name }) => `"${member}": ${name}`).join(', ')}}`;
  const call = `self._calls.${isStream ? 'follow' : 'call'}("${id}", ${given}, options${whole_body ? ', whole_body=True' : ''})`;
  const lead = isAsync && !isStream ? 'async def' : 'def';
  return `    ${lead} ${functionName(id, noun)}(
${[...asked, options].map((line) => `        ${line},`).join('\n')}
    ) -> ${result}:
${docText(`${summary}.\n\n${description}${notesOn(all)}`, 8)}
        ${answer === 'None' ? '' : 'return '}${isAsync && !isStream ? 'await ' : ''}${call}`;
}

const argumentText = ({ name, type, required }: Argument): string =>
  required ? `${name}: ${type}` : `${name}: ${type} | Omitted = OMITTED`;

function notesOn(all: readonly Argument[]): string {
  const notes = all.flatMap(({ name, description }) =>
    description === undefined ? [] : [`${name}: ${description.replaceAll('\n', ' ')}`],
  );
  return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
}

/** Generates the runtime table of operations, which remains when types are erased. */
export function rowsFile(operations: readonly PythonOperation[]): GeneratedFile {
  const rows = operations.map(
    ({ operation: { id, method, path, kind, body, keyed } }) =>
      `    "${id}": Row("${method}", "${path}", "${kind}"${body === null ? '' : ', body=True'}${keyed ? ', keyed=True' : ''}),`,
  );
  return {
    path: 'rows.py',
    text: `${future}
from ..row import Row

ROWS: dict[str, Row] = {
${rows.join('\n')}
}
`,
  };
}

/** The nouns put together, for both kinds of client. */
export function doorFiles(nouns: readonly string[], types: ReadonlyMap<string, string>): GeneratedFile[] {
  const sorted = nouns.toSorted(compare);
  const door = (isAsync: boolean): GeneratedFile => {
    const folder = isAsync ? 'aio' : 'sync';
    const calls = isAsync ? 'AsyncCalls' : 'Calls';
    const imports = sorted.map(
      (noun) => `from .${folder}.${moduleName(noun)} import ${className(noun, isAsync)}`,
    );
    const members = sorted.map(
      (noun) => `        self.${argumentName(moduleName(noun))} = ${className(noun, isAsync)}(calls)`,
    );
    return {
      path: `${folder}_nouns.py`,
      text: `${future}
from ..calls import ${calls}
${imports.join('\n')}


class ${isAsync ? 'Async' : ''}${pascalCase('nouns')}:
    """Every operation, by what it is about."""

    def __init__(self, calls: ${calls}) -> None:
${members.join('\n')}
`,
    };
  };
  const byHome = Map.groupBy(
    [...types].sort(([a], [b]) => compare(a, b)),
    ([, home]) => home,
  );
  const exported = [...byHome]
    .sort(([a], [b]) => compare(a, b))
    .map(
      ([home, all]) =>
        `from ._generated.types.${moduleName(home)} import (\n${all.map(([name]) => `    ${name} as ${name},\n`).join('')})`,
    );
  return [
    door(false),
    door(true),
    { path: '../types.py', text: `"""Every type of the contract."""\n\n${exported.join('\n')}\n` },
    ...['', 'types/', 'sync/', 'aio/'].map((folder) => ({ path: `${folder}__init__.py`, text: '' })),
  ];
}
