import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

// npm run lint runs this: it fails on names in src that say nothing to a newcomer, and warns of new files that are too small to
// stand alone. docs/glossary.md says which words the project uses instead.

/** Replacements for words that a name must not begin with. */
const replacements: Readonly<Record<string, string>> = {
  told: 'outcome, result or message',
  said: 'text, message or labels',
  shown: 'labels, rendered or visible',
  given: 'inputs or options',
  making: 'the noun of what is made',
  looked: 'inspected or examined',
  wanted: 'requested or required',
  asked: 'requested',
  gone: 'aborted, deleted or missing',
  kept: 'retained, saved or accepted',
  held: 'acquired or locked',
  again: 'retry or repeated',
  fewest: 'min…',
  least: 'min…',
  most: 'max…',
  mend: 'fix',
  spoil: 'corrupt',
  breach: 'violation',
};

/** A file with fewer lines that only one other file imports should be part of that file. */
const minLines = 40;

/** Names that read as English although they begin with such a word. */
const allowed = /^(most(Common|Frequent|Moved)|heldOut|HeldOut)/;

/**
 * Returns the names that a reader meets without reading a body: what a file declares at its top level, methods, and
 * parameters of named functions. Fields are left out, because many of them are stored or sent.
 */
function visibleNames(text: string): { readonly name: string; readonly line: number }[] {
  const source = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
  const names: { name: string; line: number }[] = [];
  const add = ({ name }: ts.NamedDeclaration) => {
    if (name === undefined || !(ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) return;
    names.push({ name: name.text, line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1 });
  };
  const addCallable = (node: ts.FunctionDeclaration | ts.MethodDeclaration | ts.ConstructorDeclaration) => {
    add(node);
    node.parameters.forEach(add);
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) statement.declarationList.declarations.forEach(add);
    else if (ts.isFunctionDeclaration(statement)) addCallable(statement);
    else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) add(statement);
    else if (ts.isClassDeclaration(statement)) {
      add(statement);
      for (const member of statement.members)
        if (ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member)) addCallable(member);
    }
  }
  return names;
}

/** The word of `replacements` that `name` begins with, or `null`: `least` for `leastRange_m`, `null` for `almost`. */
function forbiddenWord(name: string): string | null {
  const word = name
    .replace(/^[#_]+/, '')
    .split(/(?=[A-Z])|_/)[0]
    .toLowerCase();
  return Object.hasOwn(replacements, word) && !allowed.test(name) ? word : null;
}

/** Files of `changed` below `minLines` that exactly one other file of `texts` imports, with that file. */
function smallFiles(
  changed: readonly string[],
  texts: ReadonlyMap<string, string>,
): { readonly file: string; readonly importer: string }[] {
  const importers = new Map<string, string[]>();
  for (const [file, text] of texts)
    for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return changed.flatMap((file) => {
    const text = texts.get(file);
    const [importer, ...others] = importers.get(file) ?? [];
    const single = importer !== undefined && others.length === 0 && !importer.endsWith('index.ts');
    return text !== undefined && single && text.split('\n').length < minLines ? [{ file, importer }] : [];
  });
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n');
const sources = git('ls-files', 'src').filter((file) => /(?<!\.test)\.ts$/.test(file) && existsSync(file));
const texts = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));
const added = git('diff', '--name-only', '--diff-filter=A', 'HEAD~1', '--', 'src');

for (const { file, importer } of smallFiles(added, texts))
  console.warn(
    `${file}: warning: has fewer than ${minLines} lines and only ${importer} imports it; move it there`,
  );
let violations = 0;
for (const [file, text] of texts)
  for (const { name, line } of visibleNames(text)) {
    const word = forbiddenWord(name);
    if (word === null) continue;
    violations++;
    console.error(`${file}:${line}: ${name}: say ${replacements[word]} instead of “${word}”`);
  }
if (violations > 0) {
  console.error(`${violations} names to change`);
  process.exitCode = 1;
}
