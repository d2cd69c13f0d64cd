import { colourOf, cssOf, inkOn, type Rgb } from './colours.ts';
import { lineHeight, textSvg, textWidth, wrapped } from './text/stroke-text.ts';

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
