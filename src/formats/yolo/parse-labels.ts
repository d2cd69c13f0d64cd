import type { YoloConfig } from './config.ts';
import type { LabelOddity } from './oddities.ts';

/** A label as shares of the picture: class and the box around what was drawn, [x, y, width, height]. */
interface ShareLabel {
  readonly class_index: number;
  readonly box: readonly [number, number, number, number];
}

export interface ParsedLabels {
  readonly labels: readonly ShareLabel[];
  readonly boxes: number;
  /** Outlines and turned boxes. */
  readonly outlines: number;
}

export type LabelContext = Pick<YoloConfig, 'names' | 'keypoints'>;
/** Called for everything odd, with the line from 1. */
export type NoteOddity = (kind: LabelOddity, line: number) => void;

/** Beyond this a share of the picture is none: it is a pixel. */
const surelyPixels = 2;
const rounding = 1e-6;

/** Reads the lines of one label file; those that are no labels are noted and left out. */
export function parseLabels(text: string, context: LabelContext, note: NoteOddity): ParsedLabels {
  const labels: ShareLabel[] = [];
  const boxLines: number[] = [];
  const seen = new Set<string>();
  let outlines = 0;
  if (text.includes('\r\n')) note('line_ends_crlf', 1);
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .forEach((raw, i) => {
      const tokens = raw.trim().split(/\s+/);
      if (tokens[0] === '') return;
      const row = i + 1;
      if (seen.size === seen.add(tokens.join(' ')).size) note('line_twice', row);
      const label = parseLine(tokens, context, (kind) => note(kind, row));
      if (label === null) return;
      labels.push({ class_index: label.class_index, box: label.box });
      if (label.shape === 'box') boxLines.push(row);
      if (label.shape === 'outline') outlines++;
    });
  if (outlines > 0) for (const row of boxLines) note('box_among_polygons', row);
  return { labels, boxes: boxLines.length, outlines };
}

interface Line extends ShareLabel {
  readonly shape: 'box' | 'outline' | 'pose';
}

function parseLine(
  tokens: readonly string[],
  { names, keypoints }: LabelContext,
  note: (kind: LabelOddity) => void,
): Line | null {
  const [class_index, ...numbers] = tokens.map(Number);
  if (numbers.length < 4 || ![class_index, ...numbers].every(Number.isFinite)) {
    note('line_malformed');
    return null;
  }
  if (!Number.isInteger(class_index) || class_index < 0) {
    note('class_malformed');
    return null;
  }
  if (names !== null && !names.has(class_index)) note('class_unknown');
  const shape = shapeOf(numbers.length, keypoints);
  if (shape === 'polygon_odd' || shape === 'keypoints_other') {
    note(shape);
    return null;
  }
  if (shape === 'confidence') note('confidence');
  const coordinates = coordinatesOf(numbers, shape, keypoints);
  if (coordinates.some((value) => Math.abs(value) > surelyPixels)) note('coordinates_pixels');
  else if (coordinates.some((value) => value < -rounding || value > 1 + rounding))
    note('coordinates_outside');
  const box = shape === 'outline' ? around(numbers) : centred(numbers);
  if (!(box[2] > 0 && box[3] > 0)) note('box_empty');
  return { class_index, box, shape: shape === 'confidence' ? 'box' : shape };
}

function shapeOf(
  count: number,
  keypoints: LabelContext['keypoints'],
): 'box' | 'confidence' | 'outline' | 'pose' | 'polygon_odd' | 'keypoints_other' {
  if (count === 4) return 'box';
  if (keypoints !== null) return count === 4 + keypoints[0] * keypoints[1] ? 'pose' : 'keypoints_other';
  if (count === 5) return 'confidence';
  return count % 2 === 0 ? 'outline' : 'polygon_odd';
}

/** Numbers that must lie within the picture: not the confidence, and not the visibility of a key point. */
function coordinatesOf(
  numbers: readonly number[],
  shape: ReturnType<typeof shapeOf>,
  keypoints: LabelContext['keypoints'],
): readonly number[] {
  if (shape === 'confidence') return numbers.slice(0, 4);
  if (shape !== 'pose' || keypoints === null || keypoints[1] === 2) return numbers;
  return numbers.filter((_, i) => i < 4 || (i - 4) % 3 !== 2);
}

/** Centre and size of a box. */
function centred([x, y, width, height]: readonly number[]): ShareLabel['box'] {
  return [x - width / 2, y - height / 2, width, height];
}

/** The box around corners. */
function around(corners: readonly number[]): ShareLabel['box'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < corners.length; i += 2) {
    left = Math.min(left, corners[i]);
    right = Math.max(right, corners[i]);
    top = Math.min(top, corners[i + 1]);
    bottom = Math.max(bottom, corners[i + 1]);
  }
  return [left, top, right - left, bottom - top];
}
