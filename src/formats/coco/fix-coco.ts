import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonValue } from '#core';
import type { Change, FileFix, Unfixed } from '../shared/fix/fix.ts';
import { isObject, JsonDocument } from '../shared/fix/json-files.ts';

/** COCO rules that fixes resolve: clipping boxes, and writing standard JSON. */
export const cocoFixableCodes = ['coco_box_outside', 'coco_json_refused'] as const;

type Box = readonly [x: number, y: number, width: number, height: number];

/**
 * Plans, without writing anything, to clip boxes to their pictures in a COCO file and to rewrite JSON that Python
 * refuses; `null` if it is no COCO file, and throws if it is no JSON object. Plans no change if over 20 % of the boxes
 * would change: the numbers then may mean something else.
 * @throws AssayError `unreadable_input`
 */
export async function planCocoFixes(root: string, path: string): Promise<FileFix | null> {
  const document = await JsonDocument.read(join(root, path), path);
  const { images, annotations } = document.value;
  if (!Array.isArray(images) || !Array.isArray(annotations)) return null;
  const sizes = readSizes(images);
  const changes: Change[] = [];
  const unfixed: Unfixed[] = [];
  for (const [at, annotation] of annotations.entries()) {
    if (!isObject(annotation)) continue;
    const box = parseBox(annotation.bbox);
    const size = sizes.get(String(annotation.image_id));
    if (box === null || size === undefined || isInside(box, size)) continue;
    const clipped = clip(box, size);
    const name = `annotation ${JSON.stringify(annotation.id ?? at)}`;
    if (clipped === null) {
      unfixed.push({
        ...{ code: 'coco_box_outside', path, episode: null },
        message: `${name} lies completely outside its image of ${size.join('x')} px: [${box.join(', ')}]`,
        advice: 'Correct the box, or delete the annotation.',
      });
      continue;
    }
    document.set(['annotations', String(at), 'bbox'], [...clipped]);
    changes.push(boxChange(path, `bbox of ${name}`, `[${box.join(', ')}]`, `[${clipped.join(', ')}]`));
    const area = clipped[2] * clipped[3];
    if (annotation.area === box[2] * box[3]) {
      document.set(['annotations', String(at), 'area'], area);
      changes.push(boxChange(path, `area of ${name}`, String(annotation.area), String(area)));
    }
  }
  if (changes.length + unfixed.length > maxOutsideShare * annotations.length)
    return suspectCoordinates(path, changes.length);
  const isNested = (oddity: string) => oddity.startsWith('nesting');
  const nested = document.refused.filter(isNested);
  if (nested.length > 0) unfixed.push(nestedJson(path, nested[0]));
  const fixable = document.oddities.filter((oddity) => !isNested(oddity));
  if (fixable.length > 0 && (changes.length > 0 || document.refused.length > nested.length))
    changes.push({ ...jsonChange, path, before: fixable.join(', ') });
  if (changes.length === 0) return { changes, unfixed, files: [] };
  const write = (target: string) => writeFile(target, document.text());
  return { changes, unfixed, files: [{ does: 'write', path, write }] };
}

function suspectCoordinates(path: string, boxes: number): FileFix {
  const unfixed: Unfixed = {
    ...{ code: 'coco_box_outside', path, episode: null },
    message: `${boxes} boxes in ${path} extend beyond their images; so many suggest a different box format`,
    advice: 'Check that boxes are [x, y, width, height] in pixels, not corner coordinates.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}

function boxChange(path: string, what: string, before: string, after: string): Change {
  return { fix: 'coco-boxes', answers: ['coco_box_outside'], path, what, before, after, episode: null };
}

/** Change of a file that is rewritten as standard JSON, without its path and what is odd about it. */
const jsonChange = {
  ...{ fix: 'json-text', answers: ['coco_json_refused'], what: 'text' },
  ...{ after: 'standard JSON', episode: null },
};

const nestedJson = (path: string, nesting: string): Unfixed => ({
  ...{ code: 'coco_json_refused', path, episode: null },
  message: `${path} contains ${nesting}, which Python cannot parse`,
  advice: 'Remove the deeply nested values, or rewrite the file.',
});

function readSizes(images: readonly JsonValue[]): Map<string, readonly [number, number]> {
  const sizes = new Map<string, readonly [number, number]>();
  for (const image of images) {
    if (!isObject(image) || typeof image.width !== 'number' || typeof image.height !== 'number') continue;
    if (image.width > 0 && image.height > 0) sizes.set(String(image.id), [image.width, image.height]);
  }
  return sizes;
}

function parseBox(value: JsonValue | undefined): Box | null {
  if (!Array.isArray(value) || value.length !== 4 || !value.every((part) => Number.isFinite(part)))
    return null;
  const [x, y, width, height] = value.map(Number);
  return width > 0 && height > 0 ? [x, y, width, height] : null;
}

/** Tolerance at the picture edge, as in the reader: rounding, and end-inclusive boxes. */
const slack_px = 1;
/** Above this share of boxes outside, the numbers may mean something else, such as corners. */
const maxOutsideShare = 0.2;

function isInside([x, y, width, height]: Box, [right, bottom]: readonly [number, number]): boolean {
  return x >= -slack_px && y >= -slack_px && x + width <= right + slack_px && y + height <= bottom + slack_px;
}

/** Clips a box to the picture; `null` if it lies completely outside. */
function clip([x, y, width, height]: Box, [right, bottom]: readonly [number, number]): Box | null {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [w, h] = [Math.min(right, x + width) - left, Math.min(bottom, y + height) - top];
  return w > 0 && h > 0 ? [left, top, w, h] : null;
}
