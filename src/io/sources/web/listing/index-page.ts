import type { Page } from './page.ts';

/** What a page of a server that lists folders names, as addresses below it. */
export interface IndexPage {
  readonly files: readonly URL[];
  readonly folders: readonly URL[];
}

/** Reads the listing of a folder: JSON as nginx and Caddy write it, else the links of the page. */
export function readIndex({ url, headers, text }: Page): IndexPage {
  const isJson = /^application\/(.+\+)?json\b/i.test(headers.get('content-type') ?? '');
  const links = isJson ? linksOfJson(text) : linksOfHtml(text);
  const files = new Map<string, URL>();
  const folders = new Map<string, URL>();
  for (const link of links) {
    const target = URL.canParse(link, url.href) ? new URL(link, url) : null;
    if (target === null || !isDirectlyBelow(target, url)) continue;
    (target.pathname.endsWith('/') ? folders : files).set(target.pathname, target);
  }
  return { files: [...files.values()], folders: [...folders.values()] };
}

function isDirectlyBelow(target: URL, folder: URL): boolean {
  if (target.origin !== folder.origin || target.search !== '' || target.hash !== '') return false;
  if (!target.pathname.startsWith(folder.pathname)) return false;
  const name = target.pathname.slice(folder.pathname.length);
  return name !== '' && name !== '/' && !name.slice(0, -1).includes('/');
}

function linksOfHtml(text: string): string[] {
  const found = text.matchAll(/<a\s[^>]{0,1000}?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi);
  return [...found].map(([, double, single, bare]) => unescaped(double ?? single ?? bare));
}

function unescaped(text: string): string {
  return text
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function linksOfJson(text: string): string[] {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.flatMap(linkOfRow) : [];
  } catch {
    return [];
  }
}

/** nginx says `type`, Caddy `is_dir`. */
function linkOfRow(row: unknown): string[] {
  if (typeof row !== 'object' || row === null || !('name' in row) || typeof row.name !== 'string') return [];
  const isFolder = ('type' in row && row.type === 'directory') || ('is_dir' in row && row.is_dir === true);
  const name = encodeURIComponent(row.name.replace(/\/$/, ''));
  return [isFolder ? `./${name}/` : `./${name}`];
}
