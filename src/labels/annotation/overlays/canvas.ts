import { colourOf, cssOf, inkOn, type Rgb } from './colours.ts';
import { glyphs } from './text/glyphs.ts';

/** Height of capitals, and how far tails reach below them, in units of the glyphs. */
const [capital, tail] = [21, 7];
const first = 32;
/** Shares of the height of capitals, for characters of the machine's own fonts. */
const [wide, em] = [1.4, 1.4];

interface Glyph {
  readonly width: number;
  readonly path: string;
}

const glyphOf = (character: string): Glyph | null => {
  const text = glyphs[(character.codePointAt(0) ?? 0) - first];
  if (text === undefined) return null;
  const at = text.indexOf('M');
  return at < 0
    ? { width: Number(text), path: '' }
    : { width: Number(text.slice(0, at)), path: text.slice(at) };
};

/** Letters that are no other letter with a sign. */
const latin: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l' },
  ...{ Æ: 'AE', Ø: 'O', Ł: 'L' },
};

/** Without what is written above and below letters, on one line. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—−]/g, '-')
    .replace(/…/g, '...')
    .replace(/[ßæøłÆØŁ]/g, (letter) => latin[letter]);

/** How far a line reaches, `height` being that of its capitals. */
export function textWidth(text: string, height: number): number {
  let width = 0;
  for (const character of plain(text)) width += glyphOf(character)?.width ?? wide * capital;
  return (width * height) / capital;
}

/** A line of text as SVG, left and top of its capitals given; other characters than ASCII are left to the machine's fonts. */
export function textSvg(
  text: string,
  [left, top]: readonly [number, number],
  { height, colour }: { readonly height: number; readonly colour: string },
): string {
  const line = plain(text);
  const scale = height / capital;
  if ([...line].some((character) => glyphOf(character) === null)) {
    const size = (em * height).toFixed(1);
    const length = textWidth(text, height).toFixed(1);
    return `<text x="${left.toFixed(1)}" y="${(top + height).toFixed(1)}" font-family="sans-serif" font-size="${size}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${colour}">${xmlText(line)}</text>`;
  }
  const parts: string[] = [];
  let x = 0;
  for (const character of line) {
    const { width, path } = glyphOf(character)!;
    if (path !== '') parts.push(`<path d="${path}" transform="translate(${x} 0)"/>`);
    x += width;
  }
  const place = `translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale.toFixed(3)})`;
  return `<g transform="${place}" fill="none" stroke="${colour}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${parts.join('')}</g>`;
}

/** Room that a line takes, tails included. */
const lineHeight = (height: number): number => (height * (capital + tail + 4)) / capital;

/** Cut into lines that fit, as many as there may be; the last says by dots that there was more. */
export function wrapped(text: string, room: number, height: number, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, height) <= room || line === '') {
      line = longer;
      continue;
    }
    if (lines.length === most - 1)
      return [...lines, fitted(`${line} ${words.slice(at).join(' ')}`, room, height)];
    lines.push(line);
    line = word;
  }
  return line === '' ? lines : [...lines, fitted(line, room, height)];
}

/** The text, or as much of it as fits with dots behind it. */
export function fitted(text: string, room: number, height: number): string {
  if (textWidth(text, height) <= room) return text;
  const characters = [...text.slice(0, 2000)];
  while (characters.length > 0 && textWidth(`${characters.join('')}...`, height) > room) characters.pop();
  return `${characters.join('').trimEnd()}...`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as XML takes it, between tags and in quoted attributes; what XML forbids becomes U+FFFD. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u{fffe}\u{ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => entities[character]);
}

export type Size = readonly [width_px: number, height_px: number];
export type Point = readonly [x: number, y: number];

/** Pixels that are stretched over the whole picture, below all marks. */
export interface Raster {
  readonly width_px: number;
  readonly height_px: number;
  /** Four bytes a pixel, the last how much it covers. */
  readonly rgba: Uint8Array;
  /** Whether each pixel keeps its edges when it is enlarged: of classes, nothing lies between two. */
  readonly sharp: boolean;
}

const dark = 'rgb(16,18,22)';
const text = { height: 9, most: 3 } as const;
const margin = 6;
const noteHeight = lineHeight(text.height) + 4;

/** The size of that width, or less where the height would pass the width twice: shaped like a picture. */
export function sizeOfWidth(width_px: number, [width, height]: Size): Size {
  const scale = Math.min(width_px / width, (2 * width_px) / height);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** What is drawn over a picture of some size: pixels, and above them marks as SVG. */
export class Canvas {
  readonly width_px: number;
  readonly height_px: number;
  readonly rasters: Raster[] = [];
  readonly #marks: string[] = [];
  /** Where bands at the lower edge begin, and lines at the upper edge end. */
  #bottom: number;
  #top: number;
  /** Lines in the upper left corner, with those that it was told of. */
  lines: number;

  /** `lines`: room in the upper left corner that another drawing over the same picture takes. */
  constructor([width_px, height_px]: Size, lines = 0) {
    this.lines = lines;
    this.#top = margin + lines * noteHeight;
    this.width_px = width_px;
    this.height_px = height_px;
    this.#bottom = height_px;
  }

  /** An SVG document of the marks alone. */
  svg(below = ''): string {
    const { width_px: width, height_px: height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${below}${this.#marks.join('')}</svg>`;
  }

  get isEmpty(): boolean {
    return this.rasters.length === 0 && this.#marks.length === 0;
  }

  /** Adds SVG, in px of the canvas. */
  add(svg: string): void {
    this.#marks.push(svg);
  }

  /** A place in a picture of another size, in px of the canvas. */
  place([x, y]: Point, [width_px, height_px]: Size): Point {
    return [(x * this.width_px) / width_px, (y * this.height_px) / height_px];
  }

  line(from: Point, to: Point, colour: Rgb, width = 2): void {
    const [x1, y1, x2, y2] = [...from, ...to].map(px);
    for (const [stroke, by] of [
      [dark, width + 1.5],
      [cssOf(colour), width],
    ] as const)
      this.add(
        `<path d="M${x1} ${y1} ${x2} ${y2}" stroke="${stroke}" stroke-width="${by}" stroke-linecap="round"/>`,
      );
  }

  dot(at: Point, colour: Rgb, radius = 2.5): void {
    const [x, y] = at.map(px);
    this.add(
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="${cssOf(colour)}" stroke="${dark}" stroke-width="0.8"/>`,
    );
  }

  /** A box between two corners, with what it is above it, or inside where there is no room. */
  box([x0, y0]: Point, [x1, y1]: Point, label: string, colour: Rgb = colourOf(label)): void {
    const [x, y, width, height] = [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)].map(px);
    for (const [stroke, by] of [
      [dark, 4],
      [cssOf(colour), 2],
    ] as const)
      this.add(
        `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${stroke}" stroke-width="${by}"/>`,
      );
    const high = lineHeight(text.height) + 2;
    this.chip([x0, y0 - high >= 0 ? y0 - high : y0], label, colour);
  }

  /** Text on its own ground, moved so that it lies inside. */
  chip([x, y]: Point, label: string, colour: Rgb): void {
    const width = textWidth(label, text.height) + margin;
    const high = lineHeight(text.height) + 2;
    const left = Math.max(0, Math.min(x, this.width_px - width));
    const top = Math.max(0, Math.min(y, this.height_px - high));
    this.add(
      `<rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(high)}" fill="${cssOf(colour)}"/>`,
    );
    const ink = { height: text.height, colour: inkOn(colour) };
    this.add(textSvg(label, [left + margin / 2, top + 3], ink));
  }

  /** White text without a ground, left of a place or right of it. */
  text(words: string, [x, y]: Point, side: 'left' | 'right'): void {
    const left = side === 'left' ? x - textWidth(words, text.height) : x;
    this.add(textSvg(words, [left, y], { height: text.height, colour: '#fff' }));
  }

  /** A line in the upper left corner, below those that are there. */
  note(line: string, colour: Rgb = [16, 18, 22]): void {
    this.chip([margin, this.#top], line, colour);
    this.#top += noteHeight;
    this.lines++;
  }

  /** Lines of text on a dark band above what is at the lower edge. */
  strip(words: string): void {
    const lines = wrapped(words, this.width_px - 2 * margin, text.height, text.most);
    const high = lineHeight(text.height);
    const top = this.band(lines.length * high + margin);
    for (const [at, line] of lines.entries())
      this.add(
        textSvg(line, [margin, top + margin / 2 + 2 + at * high], { height: text.height, colour: '#fff' }),
      );
  }

  /** A dark band above what is at the lower edge; answers its upper edge. */
  band(height: number): number {
    this.#bottom -= height;
    this.add(
      `<rect x="0" y="${px(this.#bottom)}" width="${this.width_px}" height="${px(height)}" fill="${dark}" fill-opacity="0.78"/>`,
    );
    return this.#bottom;
  }
}

/** To a tenth of a px. */
export const px = (value: number): number => Math.round(10 * value) / 10;
