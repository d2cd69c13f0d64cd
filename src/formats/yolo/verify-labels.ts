import type { YoloConfig } from './config.ts';
import type { YoloLabelRule } from './rules.ts';

/** Reason why training leaves out a picture. */
export interface LabelFault {
  readonly rule: YoloLabelRule;
  readonly why: string;
}

/** Numbers that Python's float() accepts, without underscores. */
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const maxCoordinate = Math.fround(1.01);
const minCoordinate = Math.fround(-0.01);

/**
 * Returns the first fault for which Ultralytics rejects a label file, in its order of checks and with its tolerance of
 * 1 % (verify_image_label of 8.4.190); `null` if it accepts the labels. `text` is null if the file is not UTF-8. Key
 * points are expected if data.yaml has kpt_shape.
 */
export function findLabelFault(
  text: string | null,
  { classes, keypoints }: Pick<YoloConfig, 'classes' | 'keypoints'>,
): LabelFault | null {
  if (text === null) return { rule: 'yolo_label_not_numbers', why: 'not valid UTF-8' };
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|[\n\r\v\f]/);
  const rows = lines.flatMap((line, i) => {
    const tokens = line.trim().split(/\s+/);
    return tokens[0] === '' ? [] : [{ line: i + 1, tokens }];
  });
  if (rows.length === 0) return null;
  const columns = keypoints === null ? 5 : 5 + keypoints[0] * keypoints[1];
  const isOutlines = keypoints === null && rows.some(({ tokens }) => tokens.length > 6);
  const fault = isOutlines ? outlineFault(rows) : columnFault(rows, columns, keypoints !== null);
  if (fault !== null) return fault;
  const numbers = rows.map(({ tokens }) => tokens.map((token) => Math.fround(Number(token))));
  const boxes = isOutlines ? numbers.map(boxAround) : numbers;
  return valueFault(
    rows.map(({ line }, i) => ({ line, numbers: boxes[i] })),
    classes,
    keypoints,
  );
}

interface Row {
  readonly line: number;
  readonly tokens: readonly string[];
}

function outlineFault(rows: readonly Row[]): LabelFault | null {
  const box = rows.find(({ tokens }) => tokens.length === 5);
  if (box !== undefined)
    return { rule: 'yolo_label_mixed', why: `line ${box.line} is a box in a file of polygons` };
  const text = textFault(rows);
  if (text !== null) return text;
  const odd = rows.find(({ tokens }) => tokens.length % 2 === 0 || tokens.length < 3);
  if (odd === undefined) return null;
  const why = `line ${odd.line} has ${odd.tokens.length - 1} coordinates`;
  return { rule: 'yolo_label_outline_odd', why };
}

function columnFault(rows: readonly Row[], columns: number, isPose: boolean): LabelFault | null {
  const other = rows.find(({ tokens }) => tokens.length !== columns);
  if (other === undefined) return textFault(rows);
  const why = `line ${other.line} has ${other.tokens.length} numbers instead of ${columns}`;
  return { rule: isPose ? 'yolo_label_keypoints' : 'yolo_label_columns', why };
}

function textFault(rows: readonly Row[]): LabelFault | null {
  for (const { line, tokens } of rows) {
    const bad = tokens.find((token) => !number.test(token));
    if (bad !== undefined)
      return { rule: 'yolo_label_not_numbers', why: `line ${line} contains ${bad.slice(0, 40)}` };
  }
  return null;
}

/** Returns class, centre and size of the bounding box of corners. */
function boxAround([category, ...corners]: readonly number[]): number[] {
  const xs = corners.filter((_, i) => i % 2 === 0);
  const ys = corners.filter((_, i) => i % 2 === 1);
  const [left, right] = minMax(xs);
  const [top, bottom] = minMax(ys);
  const middle = (low: number, high: number) => Math.fround((low + high) / 2);
  return [
    category,
    middle(left, right),
    middle(top, bottom),
    Math.fround(right - left),
    Math.fround(bottom - top),
  ];
}

function minMax(values: readonly number[]): [min: number, max: number] {
  return values.reduce<[number, number]>(
    ([min, max], value) => [Math.min(min, value), Math.max(max, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

function valueFault(
  rows: readonly { readonly line: number; readonly numbers: readonly number[] }[],
  classes: number | null,
  keypoints: YoloConfig['keypoints'],
): LabelFault | null {
  const coordinates = (numbers: readonly number[]) =>
    keypoints === null ? numbers.slice(1) : numbers.slice(5).filter((_, i) => i % keypoints[1] < 2);
  const far = rows.find(({ numbers }) => coordinates(numbers).some((value) => value > maxCoordinate));
  if (far !== undefined)
    return {
      rule: 'yolo_label_outside',
      why: `line ${far.line} has the coordinate ${Math.max(...coordinates(far.numbers))}`,
    };
  const all = rows.flatMap(({ numbers }) => numbers);
  const [smallest] = minMax(all);
  const [leastSize] = minMax(rows.flatMap(({ numbers }) => numbers.slice(3, 5)));
  if (smallest < 0 && !(smallest >= minCoordinate && leastSize >= 0)) {
    const { line } = rows.find(({ numbers }) => numbers.includes(smallest))!;
    return { rule: 'yolo_label_negative', why: `line ${line} has the number ${smallest}` };
  }
  const part = rows.find(({ numbers }) => !Number.isInteger(numbers[0]));
  if (part !== undefined)
    return { rule: 'yolo_label_class_fraction', why: `line ${part.line} has the class ${part.numbers[0]}` };
  const beyond = rows.find(({ numbers }) => classes !== null && numbers[0] >= classes);
  if (beyond === undefined) return null;
  const why = `line ${beyond.line} has class ${beyond.numbers[0]}, but only ${classes} classes are defined`;
  return { rule: 'yolo_label_class_unknown', why };
}
