import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { placeOf, targetOf } from './place.ts';
import { type ReadPage, readPage } from './read-page.ts';
import { type NamedSection, renderPage } from './render-page.ts';
import { sections } from './sections.ts';

const require = createRequire(import.meta.url);
const decisions = 'docs/decisions/README.md';

/** Each written out, so that tools that follow imports see that the file is used. */
const assets: readonly (readonly [name: string, from: URL | string])[] = [
  ['base.css', new URL('../../src/quality/report/client/base.css', import.meta.url)],
  ['icon.svg', new URL('../../web/src/icon.svg', import.meta.url)],
  ['site.css', new URL('./client/site.css', import.meta.url)],
  ['site.js', new URL('./client/site.js', import.meta.url)],
  ['minisearch.js', join(dirname(require.resolve('minisearch')), '../umd/index.js')],
];

/** Writes the documentation of the project in `root` as pages that open from disk; gives how many. Throws for a page of `docs` in no section. */
export function writeSite(root: string, folder: string): number {
  const isFile = (path: string) => existsSync(join(root, path)) && statSync(join(root, path)).isFile();
  const listed = sections.flatMap(({ pages }) => pages);
  const inDocs = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const lost = inDocs.filter((source) => !listed.includes(source));
  if (lost.length > 0)
    throw new Error(`${lost.join(', ')}: in no section; add it in scripts/docs-site/sections.ts`);
  const sources = new Set([...listed, ...decisionsBelow(root)]);
  const files = new Set<string>();
  const read = new Map<string, ReadPage>();
  for (const source of sources)
    read.set(
      source,
      readPage(readFileSync(join(root, source), 'utf8'), (link) => {
        const target = targetOf(link, source, sources, isFile);
        if (target.kind === 'file') files.add(target.path);
        return target;
      }),
    );
  rmSync(folder, { recursive: true, force: true });
  const contents: readonly NamedSection[] = sections.map(({ title, pages }) => ({
    title,
    pages: pages.map((source) => ({
      source,
      title: source === 'README.md' ? 'Overview' : (read.get(source)?.title ?? ''),
    })),
  }));
  for (const [source, page] of read) write(join(folder, placeOf(source)), renderPage(source, page, contents));
  for (const path of files) copy(join(root, path), join(folder, placeOf(path)));
  for (const [name, from] of assets) copy(from, join(folder, 'assets', name));
  write(join(folder, 'assets/passages.js'), passagesScript(read));
  return read.size;
}

const decisionsBelow = (root: string): readonly string[] =>
  readdirSync(join(root, dirname(decisions)))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${dirname(decisions)}/${name}`);

/** A script, because a page that was opened from disk may fetch nothing. */
function passagesScript(read: ReadonlyMap<string, ReadPage>): string {
  const passages = [...read].flatMap(([source, { title: page, passages: own }]) =>
    own.map(({ id, title, depth, text }) => {
      const place = placeOf(source);
      return { page, title, text, href: depth === 1 ? place : `${place}#${id}` };
    }),
  );
  return `globalThis.assayPassages = ${JSON.stringify(passages)};\n`;
}

function copy(from: URL | string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
