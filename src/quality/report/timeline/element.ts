/** Attributes of an element: `on` holds event listeners, `style` CSS properties; `null` and `false` set nothing. */
export interface Attributes {
  readonly on?: Readonly<Record<string, (event: never) => void>>;
  readonly style?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/** Children of an element; `null`, `undefined` and `false` add nothing. Text is added as text, never as markup. */
export type Child = Node | string | null | undefined | false | readonly Child[];

const svgTags = new Set(['svg', 'g', 'rect', 'path', 'line', 'text', 'circle', 'title']);

/**
 * Creates an HTML or SVG element with attributes, listeners (`on`), styles and children; omits attributes that are
 * `null`, `undefined` or `false`.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes | null,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag];
export function h(tag: string, attributes?: Attributes | null, ...children: readonly Child[]): Element;
export function h(tag: string, attributes?: Attributes | null, ...children: readonly Child[]): Element {
  const element = svgTags.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  const { on = {}, style = {}, ...plain } = attributes ?? {};
  for (const [event, listener] of Object.entries(on))
    element.addEventListener(event, listener as EventListener);
  for (const [property, css] of Object.entries(style))
    (element as HTMLElement | SVGElement).style.setProperty(property, css);
  for (const [name, value] of Object.entries(plain)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...flatten(children));
  return element;
}

function flatten(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    return typeof child === 'string' || child instanceof Node ? [child] : flatten(child);
  });
}

/** Returns a function that runs `work` once in the next frame, however often it is called before. */
export function eachFrame(work: () => void): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      work();
    });
  };
}
