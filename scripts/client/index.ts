import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type OpenApiDocument, operationsOf } from './document.ts';
import {
  commonCodes,
  doorFiles,
  type GeneratedFile,
  nounFile,
  operationsFile,
  rowsFile,
  typesFile,
} from './files.ts';
import { typeParts } from './parts.ts';

/** Output folder; it may contain nothing but generated files. */
export const clientFolder = 'clients/typescript/src/generated';

const notice = '// Written by `npm run generate` from src/core/api. Change it there.\n';

/** The generated part of the TypeScript client, from the contract's document alone. */
export function clientFiles(document: OpenApiDocument): readonly GeneratedFile[] {
  const operations = operationsOf(document);
  const parts = new Map(typeParts(document, operations).map((part) => [part.name, part]));
  const nouns = [...new Set(operations.map(({ noun }) => noun))];
  const homes = new Set([...parts.values()].map(({ home }) => home));
  const common = commonCodes(operations);
  const ofNoun = (noun: string) => operations.filter((operation) => operation.noun === noun);
  return formatted([
    ...[...homes].map((home) => typesFile(home, parts)),
    ...nouns.map((noun) => nounFile(noun, ofNoun(noun), parts)),
    ...nouns.map((noun) => operationsFile(noun, ofNoun(noun), parts, common)),
    rowsFile(operations),
    ...doorFiles(nouns, homes, common),
  ]);
}

const mark = '// file: ';

/** All files as the formatter writes them, in one call of it. */
function formatted(files: readonly GeneratedFile[]): GeneratedFile[] {
  const input = files.map(({ path, text }) => `${mark}${path}\n${text}\n`).join('');
  const biome = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
  const asked = [biome, 'format', '--stdin-file-path', `${clientFolder}/all.ts`];
  const { status, stdout, stderr } = spawnSync(process.execPath, asked, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the client is no TypeScript: ${stderr}`);
  return stdout
    .split(mark)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { path: `${clientFolder}/${part.slice(0, end)}`, text: `${notice}${part.slice(end).trim()}\n` };
    });
}
