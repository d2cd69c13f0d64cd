/**
 * Returns the bounding box of a COCO run-length mask: x, y, width and height in px. `size`: height and width of the
 * picture. The mask must not be empty. Runs go column by column, as in `rleFrString` of pycocotools' maskApi.c.
 */
export function computeRleBox(
  counts: string,
  [height, width]: readonly [height_px: number, width_px: number],
): [x: number, y: number, width: number, height: number] {
  let [left, right, top, bottom] = [width, -1, height, -1];
  let at = 0;
  for (const [place, run] of decodeRle(counts).entries()) {
    const [first, last] = [at, at + run - 1];
    at += run;
    if (place % 2 === 0 || run === 0) continue;
    const [from, to] = [Math.floor(first / height), Math.floor(last / height)];
    left = Math.min(left, from);
    right = Math.max(right, to);
    // A run across the end of a column reaches its bottom, and the top of the next one.
    top = Math.min(top, from === to ? first % height : 0);
    bottom = Math.max(bottom, from === to ? last % height : height - 1);
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

/** Returns the number of pixels of a COCO run-length mask. */
export const countRlePixels = (counts: string): number =>
  decodeRle(counts).reduce((sum, run, place) => (place % 2 === 0 ? sum : sum + run), 0);

/**
 * Decodes COCO run lengths, alternately outside and inside. From the fourth on they are stored as the difference from
 * the one two before.
 */
function decodeRle(text: string): number[] {
  const runs: number[] = [];
  for (let at = 0; at < text.length; ) {
    let [value, shift, more] = [0, 0, true];
    while (more) {
      const bits = text.charCodeAt(at++) - 48;
      value += (bits & 0x1f) * 2 ** shift;
      more = (bits & 0x20) !== 0;
      shift += 5;
      if (!more && (bits & 0x10) !== 0) value -= 2 ** shift;
    }
    runs.push(runs.length > 2 ? value + runs[runs.length - 2] : value);
  }
  return runs;
}
