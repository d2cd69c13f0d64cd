import { IssueCounter, type IssueTable } from '../shared/finding-lists.ts';
import type { YoloConfig } from './config.ts';

/** A label in fractions of the picture: class and bounding box [x, y, width, height]. */
interface ShareLabel {
  readonly class_index: number;
  readonly box: readonly [number, number, number, number];
}

/** Labels of one file, with the number of box and polygon lines. */
export interface ParsedLabels {
  readonly labels: readonly ShareLabel[];
  readonly boxes: number;
  /** Polygons and rotated boxes. */
  readonly outlines: number;
}

/** Configuration that labels are parsed with. */
export type LabelContext = Pick<YoloConfig, 'names' | 'keypoints'>;
/** Receives each issue with its line, from 1. */
export type ReportIssue = (kind: LabelIssue, line: number) => void;

/** Coordinates above this are pixels, not fractions. */
const minPixelValue = 2;
const roundingTolerance = 1e-6;

/**
 * Parses the lines of a label file; invalid lines are left out, and they and odd ones are passed to `report` with their
 * number.
 */
export function parseLabels(text: string, context: LabelContext, report: ReportIssue): ParsedLabels {
  const labels: ShareLabel[] = [];
  const boxLines: number[] = [];
  const uniqueLines = new Set<string>();
  let outlines = 0;
  if (text.includes('\r\n')) report('line_ends_crlf', 1);
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .forEach((raw, i) => {
      const tokens = raw.trim().split(/\s+/);
      if (tokens[0] === '') return;
      const row = i + 1;
      if (uniqueLines.size === uniqueLines.add(tokens.join(' ')).size) report('line_twice', row);
      const label = parseLine(tokens, context, (kind) => report(kind, row));
      if (label === null) return;
      labels.push({ class_index: label.class_index, box: label.box });
      if (label.shape === 'box') boxLines.push(row);
      if (label.shape === 'outline') outlines++;
    });
  if (outlines > 0) for (const row of boxLines) report('box_among_polygons', row);
  return { labels, boxes: boxLines.length, outlines };
}

interface Line extends ShareLabel {
  readonly shape: 'box' | 'outline' | 'pose';
}

function parseLine(
  tokens: readonly string[],
  { names, keypoints }: LabelContext,
  report: (kind: LabelIssue) => void,
): Line | null {
  const [class_index, ...numbers] = tokens.map(Number);
  if (numbers.length < 4 || ![class_index, ...numbers].every(Number.isFinite)) {
    report('line_malformed');
    return null;
  }
  if (!Number.isInteger(class_index) || class_index < 0) {
    report('class_malformed');
    return null;
  }
  if (names !== null && !names.has(class_index)) report('class_unknown');
  const shape = classifyLine(numbers.length, keypoints);
  if (shape === 'polygon_odd' || shape === 'keypoints_other') {
    report(shape);
    return null;
  }
  if (shape === 'confidence') report('confidence');
  const coordinates = selectCoordinates(numbers, shape, keypoints);
  if (coordinates.some((value) => Math.abs(value) > minPixelValue)) report('coordinates_pixels');
  else if (coordinates.some((value) => value < -roundingTolerance || value > 1 + roundingTolerance))
    report('coordinates_outside');
  const box = shape === 'outline' ? boxAroundCorners(numbers) : boxFromCentre(numbers);
  if (!(box[2] > 0 && box[3] > 0)) report('box_empty');
  return { class_index, box, shape: shape === 'confidence' ? 'box' : shape };
}

function classifyLine(
  count: number,
  keypoints: LabelContext['keypoints'],
): 'box' | 'confidence' | 'outline' | 'pose' | 'polygon_odd' | 'keypoints_other' {
  if (count === 4) return 'box';
  if (keypoints !== null) return count === 4 + keypoints[0] * keypoints[1] ? 'pose' : 'keypoints_other';
  if (count === 5) return 'confidence';
  return count % 2 === 0 ? 'outline' : 'polygon_odd';
}

/** Returns the numbers that must lie within the picture: without confidence and key point visibility. */
function selectCoordinates(
  numbers: readonly number[],
  shape: ReturnType<typeof classifyLine>,
  keypoints: LabelContext['keypoints'],
): readonly number[] {
  if (shape === 'confidence') return numbers.slice(0, 4);
  if (shape !== 'pose' || keypoints === null || keypoints[1] === 2) return numbers;
  return numbers.filter((_, i) => i < 4 || (i - 4) % 3 !== 2);
}

/** Returns the box with this centre and size. */
function boxFromCentre([x, y, width, height]: readonly number[]): ShareLabel['box'] {
  return [x - width / 2, y - height / 2, width, height];
}

/** Returns the bounding box of corners. */
function boxAroundCorners(corners: readonly number[]): ShareLabel['box'] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < corners.length; i += 2) {
    left = Math.min(left, corners[i]);
    right = Math.max(right, corners[i]);
    top = Math.min(top, corners[i + 1]);
    bottom = Math.max(bottom, corners[i + 1]);
  }
  return [left, top, right - left, bottom - top];
}

/** Issue kinds of label lines; consequences as in Ultralytics 8. */
const issueTable = {
  line_malformed: [
    'error',
    'lines are not a class and numbers; training drops the whole image',
    'write a class and numbers, separated by spaces',
  ],
  class_malformed: [
    'error',
    'lines have a class that is not a non-negative integer',
    'number the classes from 0',
  ],
  class_unknown: [
    'error',
    'lines have an undefined class; training drops the whole image',
    'complete names, or correct the class',
  ],
  coordinates_pixels: [
    'error',
    'lines have coordinates far above 1: they look like pixels, and training drops the whole image',
    'divide by the width and height of the image',
  ],
  coordinates_outside: [
    'error',
    'lines have coordinates below 0 or above 1; if above 1.01, training drops the whole image',
    'clip the labels to the image',
  ],
  box_empty: ['warning', 'boxes have zero area', 'delete them, or correct width and height'],
  polygon_odd: [
    'error',
    'polygons have an odd number of coordinates: one is missing or extra',
    'write x and y for every point',
  ],
  keypoints_other: [
    'error',
    'lines do not have the keypoints declared by kpt_shape',
    'write a box and kpt_shape[0] points of kpt_shape[1] numbers, or correct kpt_shape',
  ],
  box_among_polygons: [
    'error',
    'box lines are in a file of polygons; training drops the whole image',
    'replace the box by its four corners, or keep boxes and polygons in separate datasets',
  ],
  confidence: [
    'warning',
    'lines have a sixth number, such as the confidence of a prediction; training drops the whole image',
    'remove the confidence, and check that these are labels and not predictions',
  ],
  line_twice: [
    'warning',
    'lines are repeated in their file; training drops the second',
    'delete the duplicates',
  ],
  file_too_large: ['error', 'label files are too large to be read', 'check their contents'],
  file_unreadable: ['error', 'label files could not be read', 'check the read permissions'],
  line_ends_crlf: ['info', 'label files have CRLF line endings', 'nothing to do; they are read like LF'],
} as const satisfies IssueTable<string>;

type LabelIssue = keyof typeof issueTable;

/** Issue counter of the label files of a set. */
export class LabelIssues extends IssueCounter<LabelIssue> {
  constructor() {
    super('yolo', issueTable);
  }
}
