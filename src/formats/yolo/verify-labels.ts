import type { YoloConfig } from './config.ts';
import type { YoloLabelRule } from './rules.ts';

/** Why training leaves a picture out. */
export interface LabelFault {
  readonly rule: YoloLabelRule;
  readonly why: string;
}

/** Numbers as Python's float() takes them, without underscores. */
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const mostShare = Math.fround(1.01);
const leastShare = Math.fround(-0.01);

/**
 * What Ultralytics refuses in a label file, in the order in which it looks (verify_image_label of 8.4.190, whose 1 % it
 * is); null: it takes the labels. `text` null: it is not UTF-8. Poses where data.yaml has kpt_shape.
 */
export function labelFault(
  text: string | null,
  { classes, keypoints }: Pick<YoloConfig, 'classes' | 'keypoints'>,
): LabelFault | null {
  if (text === null) return { rule: 'yolo_label_not_numbers', why: 'it is not UTF-8' };
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
  if (box !== undefined) return { rule: 'yolo_label_mixed', why: `line ${box.line} is a box among outlines` };
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
  const why = `line ${other.line} has ${other.tokens.length} numbers in place of ${columns}`;
  return { rule: isPose ? 'yolo_label_keypoints' : 'yolo_label_columns', why };
}

function textFault(rows: readonly Row[]): LabelFault | null {
  for (const { line, tokens } of rows) {
    const bad = tokens.find((token) => !number.test(token));
    if (bad !== undefined)
      return { rule: 'yolo_label_not_numbers', why: `line ${line} holds ${bad.slice(0, 40)}` };
  }
  return null;
}

/** Class, and the middle and size of the box around corners. */
function boxAround([category, ...corners]: readonly number[]): number[] {
  const xs = corners.filter((_, i) => i % 2 === 0);
  const ys = corners.filter((_, i) => i % 2 === 1);
  const [left, right] = extremesOf(xs);
  const [top, bottom] = extremesOf(ys);
  const middle = (low: number, high: number) => Math.fround((low + high) / 2);
  return [
    category,
    middle(left, right),
    middle(top, bottom),
    Math.fround(right - left),
    Math.fround(bottom - top),
  ];
}

function extremesOf(values: readonly number[]): [least: number, most: number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
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
  const far = rows.find(({ numbers }) => coordinates(numbers).some((value) => value > mostShare));
  if (far !== undefined)
    return {
      rule: 'yolo_label_outside',
      why: `line ${far.line} has the coordinate ${Math.max(...coordinates(far.numbers))}`,
    };
  const all = rows.flatMap(({ numbers }) => numbers);
  const [least] = extremesOf(all);
  const [leastSize] = extremesOf(rows.flatMap(({ numbers }) => numbers.slice(3, 5)));
  if (least < 0 && !(least >= leastShare && leastSize >= 0)) {
    const { line } = rows.find(({ numbers }) => numbers.includes(least))!;
    return { rule: 'yolo_label_negative', why: `line ${line} has the number ${least}` };
  }
  const part = rows.find(({ numbers }) => !Number.isInteger(numbers[0]));
  if (part !== undefined)
    return { rule: 'yolo_label_class_fraction', why: `line ${part.line} has the class ${part.numbers[0]}` };
  const beyond = rows.find(({ numbers }) => classes !== null && numbers[0] >= classes);
  if (beyond === undefined) return null;
  const why = `line ${beyond.line} has the class ${beyond.numbers[0]} of ${classes}`;
  return { rule: 'yolo_label_class_unknown', why };
}
