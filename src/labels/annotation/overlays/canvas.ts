import { colourByName, contrastingInk, type Rgb, toCss } from './colours.ts';
import { glyphs } from './glyphs.ts';

/** Height of capitals and depth of descenders, in glyph units. */
const [capitalHeight, descenderDepth] = [21, 7];
const firstCodePoint = 32;
/** Width and size of characters from system fonts, as multiples of the height of capitals. */
const [fallbackWidth, fallbackSize] = [1.4, 1.4];

interface Glyph {
  readonly width: number;
  readonly path: string;
}

const findGlyph = (character: string): Glyph | null => {
  const text = glyphs[(character.codePointAt(0) ?? 0) - firstCodePoint];
  if (text === undefined) return null;
  const at = text.indexOf('M');
  return at < 0
    ? { width: Number(text), path: '' }
    : { width: Number(text.slice(0, at)), path: text.slice(at) };
};

/** Letters that NFKD does not decompose. */
const latinReplacements: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', ø: 'o', ł: 'l' },
  ...{ Æ: 'AE', Ø: 'O', Ł: 'L' },
};

/** Converts text to one line without diacritics, with ASCII quotes, dashes and ellipses. */
const toPlainLine = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—−]/g, '-')
    .replace(/…/g, '...')
    .replace(/[ßæøłÆØŁ]/g, (letter) => latinReplacements[letter]);

/** Returns the width of a line in px; `height` is that of its capitals. */
export function textWidth(text: string, height: number): number {
  let width = 0;
  for (const character of toPlainLine(text))
    width += findGlyph(character)?.width ?? fallbackWidth * capitalHeight;
  return (width * height) / capitalHeight;
}

/**
 * Returns a line of text as SVG paths (as `<text>` with system fonts if it has characters outside ASCII), with the
 * top left of its capitals at the given point.
 */
export function textSvg(
  text: string,
  [left, top]: readonly [number, number],
  { height, colour }: { readonly height: number; readonly colour: string },
): string {
  const line = toPlainLine(text);
  const scale = height / capitalHeight;
  if ([...line].some((character) => findGlyph(character) === null)) {
    const size = (fallbackSize * height).toFixed(1);
    const length = textWidth(text, height).toFixed(1);
    return `<text x="${left.toFixed(1)}" y="${(top + height).toFixed(1)}" font-family="sans-serif" font-size="${size}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${colour}">${xmlText(line)}</text>`;
  }
  const parts: string[] = [];
  let x = 0;
  for (const character of line) {
    const { width, path } = findGlyph(character)!;
    if (path !== '') parts.push(`<path d="${path}" transform="translate(${x} 0)"/>`);
    x += width;
  }
  const place = `translate(${left.toFixed(1)} ${top.toFixed(1)}) scale(${scale.toFixed(3)})`;
  return `<g transform="${place}" fill="none" stroke="${colour}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${parts.join('')}</g>`;
}

/** Returns the height of a line including descenders. */
const lineHeight = (height: number): number =>
  (height * (capitalHeight + descenderDepth + 4)) / capitalHeight;

/**
 * Wraps text into at most `maxLines` lines of `room` px; words that are too long are truncated, and the last line
 * ends with `...` if text was cut off.
 */
export function wrapText(text: string, room: number, height: number, maxLines: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, height) <= room || line === '') {
      line = longer;
      continue;
    }
    if (lines.length === maxLines - 1)
      return [...lines, fitText(`${line} ${words.slice(at).join(' ')}`, room, height)];
    lines.push(fitText(line, room, height));
    line = word;
  }
  return line === '' ? lines : [...lines, fitText(line, room, height)];
}

/** Truncates text to `room` px, with `...` if it was cut off. */
export function fitText(text: string, room: number, height: number): string {
  if (textWidth(text, height) <= room) return text;
  const characters = [...text.slice(0, 2000)];
  while (characters.length > 0 && textWidth(`${characters.join('')}...`, height) > room) characters.pop();
  return `${characters.join('').trimEnd()}...`;
}

const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for XML content and quoted attributes; characters forbidden in XML become U+FFFD. */
function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u{fffe}\u{ffff}]/gu, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => xmlEntities[character]);
}

/** Width and height in px. */
export type Size = readonly [width_px: number, height_px: number];
/** A point in px. */
export type Point = readonly [x: number, y: number];

/** An image stretched over the whole picture, below all marks. */
export interface Raster {
  readonly width_px: number;
  readonly height_px: number;
  /** RGBA, four bytes per pixel. */
  readonly rgba: Uint8Array;
  /** Whether to scale without interpolation, as for class maps. */
  readonly sharp: boolean;
}

const outlineColour = 'rgb(16,18,22)';
const textStyle = { height: 9, maxLines: 3 } as const;
const margin_px = 6;
const noteHeight = lineHeight(textStyle.height) + 4;

/**
 * Returns a size of the given width with the picture's aspect ratio; smaller if the height would exceed twice the
 * width.
 */
export function sizeOfWidth(width_px: number, [width, height]: Size): Size {
  const scale = Math.min(width_px / width, (2 * width_px) / height);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}

/** Collects a drawing over a picture: raster images with SVG marks above them. */
export class Canvas {
  readonly width_px: number;
  readonly height_px: number;
  readonly rasters: Raster[] = [];
  readonly #marks: string[] = [];
  /** Top of the bands at the lower edge, and bottom of the notes at the upper edge, in px. */
  #bottom: number;
  #top: number;
  /** Number of note lines in the upper left corner, including those reserved. */
  noteLines: number;

  /**
   * `noteLines`: note lines to leave free in the upper left corner, used by another drawing over the same picture.
   */
  constructor([width_px, height_px]: Size, noteLines = 0) {
    this.noteLines = noteLines;
    this.#top = margin_px + noteLines * noteHeight;
    this.width_px = width_px;
    this.height_px = height_px;
    this.#bottom = height_px;
  }

  /** Returns an SVG document of the marks, without rasters, above the SVG given as `below`. */
  svg(below = ''): string {
    const { width_px: width, height_px: height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${below}${this.#marks.join('')}</svg>`;
  }

  /** True if nothing has been drawn. */
  get isEmpty(): boolean {
    return this.rasters.length === 0 && this.#marks.length === 0;
  }

  /** Adds an SVG mark, in px of the canvas. */
  add(svg: string): void {
    this.#marks.push(svg);
  }

  /** Converts a point of a picture of another size to px of the canvas. */
  toCanvas([x, y]: Point, [width_px, height_px]: Size): Point {
    return [(x * this.width_px) / width_px, (y * this.height_px) / height_px];
  }

  /** Draws an outlined line. */
  line(from: Point, to: Point, colour: Rgb, width = 2): void {
    const [x1, y1, x2, y2] = [...from, ...to].map(px);
    for (const [stroke, by] of [
      [outlineColour, width + 1.5],
      [toCss(colour), width],
    ] as const)
      this.add(
        `<path d="M${x1} ${y1} ${x2} ${y2}" stroke="${stroke}" stroke-width="${by}" stroke-linecap="round"/>`,
      );
  }

  /** Draws an outlined dot. */
  dot(at: Point, colour: Rgb, radius = 2.5): void {
    const [x, y] = at.map(px);
    this.add(
      `<circle cx="${x}" cy="${y}" r="${radius}" fill="${toCss(colour)}" stroke="${outlineColour}" stroke-width="0.8"/>`,
    );
  }

  /** Draws a box between two corners, with its label above it, or inside if there is no room. */
  box([x0, y0]: Point, [x1, y1]: Point, label: string, colour: Rgb = colourByName(label)): void {
    const [x, y, width, height] = [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)].map(px);
    for (const [stroke, by] of [
      [outlineColour, 4],
      [toCss(colour), 2],
    ] as const)
      this.add(
        `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="${stroke}" stroke-width="${by}"/>`,
      );
    const high = lineHeight(textStyle.height) + 2;
    this.chip([x0, y0 - high >= 0 ? y0 - high : y0], label, colour);
  }

  /** Draws text on a coloured background, moved inside the canvas if needed. */
  chip([x, y]: Point, label: string, colour: Rgb): void {
    const width = textWidth(label, textStyle.height) + margin_px;
    const high = lineHeight(textStyle.height) + 2;
    const left = Math.max(0, Math.min(x, this.width_px - width));
    const top = Math.max(0, Math.min(y, this.height_px - high));
    this.add(
      `<rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(high)}" fill="${toCss(colour)}"/>`,
    );
    const ink = { height: textStyle.height, colour: contrastingInk(colour) };
    this.add(textSvg(label, [left + margin_px / 2, top + 3], ink));
  }

  /** Draws white text without background, left or right of a point. */
  text(words: string, [x, y]: Point, side: 'left' | 'right'): void {
    const left = side === 'left' ? x - textWidth(words, textStyle.height) : x;
    this.add(textSvg(words, [left, y], { height: textStyle.height, colour: '#fff' }));
  }

  /** Adds a note line in the upper left corner, below the others. */
  note(line: string, colour: Rgb = [16, 18, 22]): void {
    this.chip([margin_px, this.#top], line, colour);
    this.#top += noteHeight;
    this.noteLines++;
  }

  /** Adds a dark band at the lower edge, above the others, with text wrapped to at most `textStyle.maxLines` lines. */
  strip(words: string): void {
    const lines = wrapText(words, this.width_px - 2 * margin_px, textStyle.height, textStyle.maxLines);
    const high = lineHeight(textStyle.height);
    const top = this.band(lines.length * high + margin_px);
    for (const [at, line] of lines.entries())
      this.add(
        textSvg(line, [margin_px, top + margin_px / 2 + 2 + at * high], {
          height: textStyle.height,
          colour: '#fff',
        }),
      );
  }

  /** Adds a dark band at the lower edge, above the others; returns its top in px. */
  band(height: number): number {
    this.#bottom -= height;
    this.add(
      `<rect x="0" y="${px(this.#bottom)}" width="${this.width_px}" height="${px(height)}" fill="${outlineColour}" fill-opacity="0.78"/>`,
    );
    return this.#bottom;
  }
}

/** Rounds to a tenth of a px. */
export const px = (value: number): number => Math.round(10 * value) / 10;
