import { posix } from 'node:path';
import { placeOf } from './place.ts';
import { escaped, type ReadPage } from './read-page.ts';

export interface NamedSection {
  readonly title: string;
  readonly pages: readonly { readonly source: string; readonly title: string }[];
}

/** A page of the site around what was read of its source. */
export function renderPage(source: string, page: ReadPage, contents: readonly NamedSection[]): string {
  const place = placeOf(source);
  const to = (path: string) => escaped(posix.relative(posix.dirname(place), path));
  const title = page.title === 'Assay' ? 'Assay' : `${page.title} · Assay`;
  return `<!doctype html>
<html lang="en" data-root="${to('index.html').slice(0, -'index.html'.length)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/base.css')}">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script defer src="${to('assets/site.js')}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<span class="brand"><a href="${to('index.html')}">Assay</a></span>
<span class="where">Documentation</span>
<search class="search">
<input type="search" aria-label="Search the documentation" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<div class="found" hidden></div>
</search>
</header>
<div class="columns">
<nav class="contents" aria-label="Pages"><details open><summary>Pages</summary>
${contents.map((section) => sectionOf(section, source, to)).join('\n')}
</details></nav>
<main id="main" tabindex="-1">
<article>
${page.html}</article>
</main>
${onThisPage(page)}
</div>
</body>
</html>
`;
}

function sectionOf({ title, pages }: NamedSection, source: string, to: (path: string) => string): string {
  const links = pages.map(
    (each) =>
      `<li><a href="${to(placeOf(each.source))}"${each.source === source ? ' aria-current="page"' : ''}>${escaped(each.title)}</a></li>`,
  );
  return `<h2>${escaped(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
}

function onThisPage({ headings }: ReadPage): string {
  const own = headings.filter(({ depth }) => depth === 2);
  if (own.length < 2) return '';
  const links = own.map(({ id, title }) => `<li><a href="#${escaped(id)}">${escaped(title)}</a></li>`);
  return `<nav class="here" aria-label="On this page"><h2>On this page</h2>\n<ul>\n${links.join('\n')}\n</ul></nav>`;
}
