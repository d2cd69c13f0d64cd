import { OddityCount, type OddityTable } from '../shared/pictures/oddity-count.ts';
import type { YoloConfig } from './config.ts';

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

/** What can be odd about lines of labels, named by file and line. Consequences: Ultralytics 8. */
const kinds = {
  line_malformed: [
    'error',
    'lines are no class and numbers; training drops the whole picture',
    'write a class and numbers, separated by blanks',
  ],
  class_malformed: [
    'error',
    'lines have a class that is no whole number from 0 on',
    'number the classes from 0',
  ],
  class_unknown: [
    'error',
    'lines name a class beyond those that are listed; training drops the whole picture',
    'complete names, or correct the class',
  ],
  coordinates_pixels: [
    'error',
    'lines hold coordinates far beyond 1: they look like pixels, and training drops the whole picture',
    'divide by width and height of the picture',
  ],
  coordinates_outside: [
    'error',
    'lines hold coordinates below 0 or above 1; beyond 1 % training drops the whole picture',
    'clip the labels to the picture',
  ],
  box_empty: ['warning', 'boxes have no area', 'drop them, or correct width and height'],
  polygon_odd: [
    'error',
    'outlines have an odd count of coordinates: a number is lost or too many',
    'write x and y for every corner',
  ],
  keypoints_other: [
    'error',
    'lines do not hold the key points that kpt_shape promises',
    'write a box and kpt_shape[0] points of kpt_shape[1] numbers, or correct kpt_shape',
  ],
  box_among_polygons: [
    'error',
    'lines of a box stand among outlines; training drops the whole picture',
    'write four corners in place of the box, or keep boxes and outlines apart',
  ],
  confidence: [
    'warning',
    'lines have a sixth number, as predictions have for confidence; training drops the whole picture',
    'leave the confidence out, and check that these are labels and not predictions',
  ],
  line_twice: ['warning', 'lines stand twice in their file; training drops the second', 'drop the copies'],
  file_too_large: [
    'error',
    'label files are too large to be labels and were not read',
    'check what they are',
  ],
  file_unreadable: ['error', 'label files could not be read', 'check that you may read them'],
  line_ends_crlf: ['info', 'label files end their lines with CR LF', 'nothing to do; they are read alike'],
} as const satisfies OddityTable<string>;

type LabelOddity = keyof typeof kinds;

export class LabelOddities extends OddityCount<LabelOddity> {
  constructor() {
    super('yolo', kinds);
  }
}
