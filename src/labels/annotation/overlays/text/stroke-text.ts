import { glyphs } from './glyphs.ts';
import { xmlText } from './xml-text.ts';

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
export const lineHeight = (height: number): number => (height * (capital + tail + 4)) / capital;

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
