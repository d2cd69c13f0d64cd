import { posix } from 'node:path';

/** Target of a link. */
export type Target =
  | { readonly kind: 'page' | 'file'; readonly path: string; readonly href: string }
  | { readonly kind: 'outside'; readonly href: string }
  /** Sources and folders, which are not on the site. */
  | { readonly kind: 'none' };

/** Returns the path of a source on the site: `docs/checks.md` becomes `checks.html`, a README the page of its folder. */
export function placeOf(source: string): string {
  const inner = source.startsWith('docs/') ? source.slice('docs/'.length) : source;
  if (!inner.endsWith('.md')) return inner;
  if (posix.basename(inner) === 'README.md') return posix.join(posix.dirname(inner), 'index.html');
  return `${inner.slice(0, -'.md'.length).toLowerCase()}.html`;
}

/** Resolves a link of the page `source`: `pages` are the sources on the site, `isFile` tests for other files of the project. */
export function targetOf(
  link: string,
  source: string,
  pages: ReadonlySet<string>,
  isFile: (path: string) => boolean,
): Target {
  if (/^[a-z]+:/i.test(link) || link.startsWith('#')) return { kind: 'outside', href: link };
  const [file, anchor] = link.split('#');
  const path = posix.join(posix.dirname(source), file);
  const isPage = pages.has(path);
  if (!isPage && !(path.startsWith('docs/') && isFile(path))) return { kind: 'none' };
  const href = posix.relative(posix.dirname(placeOf(source)), placeOf(path));
  return {
    kind: isPage ? 'page' : 'file',
    path,
    href: anchor === undefined ? href : `${href}#${anchor}`,
  };
}
