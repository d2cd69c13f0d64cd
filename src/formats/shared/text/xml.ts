import { AssayError } from '#core';

/** An element of an XML document. Namespaces stay in the names. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text and CDATA directly in it, without that of its children. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly attributes: Map<string, string>;
  readonly children: OpenElement[];
  text: string;
}

const maxDepth = 100;
const maxTagLength = 4 * 1024 * 1024;

/**
 * Parses an XML document and returns its root element, in time linear in its length. Comments and processing instructions
 * are skipped. Entities that a document declares are not expanded: a document that declares any is refused.
 * @throws AssayError `unreadable_input` with the offset
 */
export function parseXml(text: string, path: string): XmlElement {
  const document = createElement('');
  const open = [document];
  const fail = (what: string, at: number) =>
    new AssayError('unreadable_input', `${path} is not well-formed XML: ${what} at character ${at}`, {
      path,
      advice: 'export the file again',
    });
  for (let at = 0; ; ) {
    const top = open[open.length - 1];
    const tag = text.indexOf('<', at);
    top.text += decodeEntities(text.slice(at, tag < 0 ? undefined : tag));
    if (tag < 0) break;
    const special = skipSpecial(text, tag);
    if (special === 'declares') throw fail('a document type with declarations, which is not supported', tag);
    if (special !== null) {
      if (special < 0) throw fail('an unfinished comment, CDATA section or declaration', tag);
      if (text.startsWith(cdata, tag)) top.text += text.slice(tag + cdata.length, special - 3);
      at = special;
      continue;
    }
    const end = findTagEnd(text, tag + 1);
    if (end < 0) throw fail('an unfinished tag', tag);
    at = end + 1;
    if (text[tag + 1] === '/') {
      const name = text.slice(tag + 2, end).trim();
      if (open.length === 1 || top.name !== name) throw fail(`</${name}> without its start`, tag);
      open.pop();
      continue;
    }
    const isEmpty = text[end - 1] === '/';
    const element = parseTag(text.slice(tag + 1, isEmpty ? end - 1 : end));
    if (element === null) throw fail('an invalid tag', tag);
    top.children.push(element);
    if (!isEmpty) open.push(element);
    if (open.length > maxDepth) throw fail(`more than ${maxDepth} nested elements`, tag);
  }
  if (open.length > 1) throw fail(`<${open[open.length - 1].name}> is not closed`, text.length);
  if (document.children.length !== 1) throw fail('no single root element', 0);
  return document.children[0];
}

const cdata = '<![CDATA[';

/**
 * Returns the position after a comment, CDATA section, processing instruction or document type at `tag`: -1 if it is not
 * finished, `declares` for a document type with declarations, `null` for an ordinary tag.
 */
function skipSpecial(text: string, tag: number): number | 'declares' | null {
  const after = (close: string, from: number) => {
    const end = text.indexOf(close, from);
    return end < 0 ? -1 : end + close.length;
  };
  if (text.startsWith('<!--', tag)) return after('-->', tag + 4);
  if (text.startsWith(cdata, tag)) return after(']]>', tag + cdata.length);
  if (text[tag + 1] === '?') return after('?>', tag + 2);
  if (text[tag + 1] !== '!') return null;
  const end = after('>', tag);
  return end > 0 && text.slice(tag, end).includes('[') ? 'declares' : end;
}

/** Returns the position of the `>` that ends a tag, outside of quotes; -1 if there is none within 4 MiB. */
function findTagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length && at - from < maxTagLength; at++) {
    const char = text[at];
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  return -1;
}

const space = /\s*/y;
const tagName = /[^\s=<>"'/]+/y;
const assignment = /\s*=\s*("[^"]*"|'[^']*')/y;

function parseTag(tag: string): OpenElement | null {
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(tag);
    if (found !== null) at = pattern.lastIndex;
    return found === null ? null : (found[1] ?? found[0]);
  };
  const name = take(tagName);
  if (name === null) return null;
  const element = createElement(name);
  for (take(space); at < tag.length; take(space)) {
    const key = take(tagName);
    const value = key === null ? null : take(assignment);
    if (key === null || value === null) return null;
    element.attributes.set(key, decodeEntities(value.slice(1, -1)));
  }
  return element;
}

const createElement = (name: string): OpenElement => ({
  name,
  attributes: new Map(),
  children: [],
  text: '',
});

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (whole, name: string) => {
    if (name[0] !== '#') return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Returns the text of the first child of that name, trimmed; `null` if there is none. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text.trim() ?? null;
}

/** Returns all children of that name. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
