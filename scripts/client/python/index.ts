import { readFileSync } from 'node:fs';
import { type OpenApiDocument, operationsOf } from '../document.ts';
import type { GeneratedFile } from '../files.ts';
import { doorFiles, nounFile, rowsFile, typesFile } from './files.ts';
import { synchronous } from './synchronous.ts';
import { pythonTypes } from './types.ts';

/** Output folder; it may contain nothing but generated files. */
export const pythonFolder = 'clients/python/src/assay_client/_generated';

const notice = '# Written by `npm run generate` from src/core/api. Change it there.\n';

/** The generated part of the Python client, from the contract's document alone. */
export function pythonFiles(document: OpenApiDocument): readonly GeneratedFile[] {
  const { homes, operations } = pythonTypes(document, operationsOf(document));
  const homeOf = new Map(
    [...homes].flatMap(([home, definitions]) =>
      definitions.map((text) => [/^(?:class )?(\w+)/.exec(text)?.[1] ?? '', home] as const),
    ),
  );
  const nouns = [...new Set(operations.map(({ operation }) => operation.noun))];
  const ofNoun = (noun: string) => operations.filter(({ operation }) => operation.noun === noun);
  const files = [
    ...[...homes].filter(([, all]) => all.length > 0).map(([home, all]) => typesFile(home, all, homeOf)),
    ...nouns.flatMap((noun) => [false, true].map((isAsync) => nounFile(noun, ofNoun(noun), homeOf, isAsync))),
    rowsFile(operations),
    ...doorFiles(nouns, homeOf),
    ...['client', 'sender'].map((name) => ({ path: `${name}.py`, text: twinOf(name) })),
  ];
  return files.map(({ path, text }) => ({
    path: new URL(path, `file:///${pythonFolder}/`).pathname.slice(1),
    text: `${notice}${text === '' ? '' : `\n${text.replace(/\n{4,}/g, '\n\n\n').replace(/\n+$/, '')}\n`}`,
  }));
}

/** The synchronous twin of what is written by hand. */
const twinOf = (name: string): string =>
  synchronous(readFileSync(new URL(`../../../${pythonFolder}/../async_${name}.py`, import.meta.url), 'utf8'));
