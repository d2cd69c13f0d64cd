import { SaxesParser } from 'saxes';
import { AssayError } from '#core';

/** An element of an XML document. Namespaces stay in the names. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Partial<Record<string, string>>>;
  readonly children: readonly XmlElement[];
  /** Text and CDATA directly in it, without that of its children. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  text: string;
}

const maxDepth = 100;
const maxElements = 2_000_000;

/**
 * Parses an XML document and returns its root element; throws `unreadable_input`, with line and column, if it is not
 * well-formed, too large or too deeply nested, or declares entities. Comments and processing instructions are skipped.
 * Entities can expand to any size.
 */
export function parseXml(text: string, path: string): XmlElement {
  const document: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const parser = new SaxesParser();
  const fail = (what: string): never => {
    const message = `${path} is not well-formed XML, or not supported: line ${parser.line}, column ${parser.column}: ${what}`;
    throw new AssayError('unreadable_input', message, { path, advice: 'export the file again' });
  };
  const addText = (part: string) => {
    open[open.length - 1].text += part;
  };
  let elements = 0;
  // The parser's messages begin with the position.
  parser.on('error', ({ message }) => fail(message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', (declaration) => {
    if (declaration.includes('[')) fail('a document type with declarations');
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: OpenElement = { name, attributes, children: [], text: '' };
    open[open.length - 1].children.push(element);
    if (open.push(element) > maxDepth + 1) fail(`more than ${maxDepth} nested elements`);
    if (++elements > maxElements) fail(`more than ${maxElements} elements`);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  return document.children[0];
}

/** Returns the text of the first child of that name, trimmed; `null` if there is none. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text.trim() ?? null;
}

/** Returns the direct children of that name; empty if there are none. */
export function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
