import GithubSlugger from 'github-slugger';
import { Marked, type Token, type Tokens } from 'marked';
import type { Target } from './place.ts';

interface Heading {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

/** Search result: a heading with the text below it. */
interface Passage extends Heading {
  readonly text: string;
}

export interface ReadPage {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
}

/** Reads a page of Markdown; `resolve` says where its links lead on the site. Headings have the ids that GitHub gives them. */
export function readPage(markdown: string, resolve: (link: string) => Target): ReadPage {
  const slugs = new GithubSlugger();
  const ids = new Map<Token, string>();
  const marked = new Marked({
    walkTokens: (token) => {
      if (token.type === 'image') token.href = hrefOf(resolve(token.href)) ?? token.href;
      if (token.type === 'html') token.text = withPlaces(token.text, resolve);
    },
    renderer: {
      heading(token) {
        const id = ids.get(token) ?? '';
        return `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const to = hrefOf(resolve(href));
        return to === null ? inner : `<a href="${escaped(to)}">${inner}</a>`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const textOf = (of: Token[]) => plain(marked.parser(of));
  const headings = tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => {
      const title = textOf([{ type: 'paragraph', raw: '', text: '', tokens: token.tokens } as Token]);
      const id = slugs.slug(title);
      ids.set(token, id);
      return { token, id, title, depth: token.depth };
    });
  marked.walkTokens(tokens, marked.defaults.walkTokens ?? (() => {}));
  const starts = headings.map(({ token }) => tokens.indexOf(token));
  return {
    title: headings[0]?.title ?? '',
    html: scrollable(marked.parser(tokens)),
    headings: headings.map(({ id, title, depth }) => ({ id, title, depth })),
    passages: headings.map(({ id, title, depth }, at) => ({
      ...{ id, title, depth },
      text: textOf(tokens.slice(starts[at] + 1, starts[at + 1])),
    })),
  };
}

const hrefOf = (target: Target): string | null => (target.kind === 'none' ? null : target.href);

/** Pictures and links of HTML that stands in Markdown. */
const withPlaces = (html: string, resolve: (link: string) => Target): string =>
  html.replaceAll(/\b(src|srcset|href)="([^"]+)"/g, (whole, name: string, link: string) => {
    const to = hrefOf(resolve(link));
    return to === null ? whole : `${name}="${escaped(to)}"`;
  });

/** Wraps wide content so that it scrolls by itself, also by keyboard. */
const scrollable = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name])
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Text for an attribute or an element. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
