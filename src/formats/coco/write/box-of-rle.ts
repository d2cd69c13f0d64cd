/**
 * The rectangle around a mask in COCO's run lengths: x, y, width and height in px. `size`: height and width of the picture;
 * the mask has a pixel. As `rleFrString` of pycocotools' maskApi.c reads the text, column by column.
 */
export function boxOfRle(
  counts: string,
  [height, width]: readonly [height_px: number, width_px: number],
): [x: number, y: number, width: number, height: number] {
  let [left, right, top, bottom] = [width, -1, height, -1];
  let at = 0;
  for (const [place, run] of runsOf(counts).entries()) {
    const [first, last] = [at, at + run - 1];
    at += run;
    if (place % 2 === 0 || run === 0) continue;
    const [from, to] = [Math.floor(first / height), Math.floor(last / height)];
    left = Math.min(left, from);
    right = Math.max(right, to);
    // A run over the end of a column reaches its bottom, and the next one's top.
    top = Math.min(top, from === to ? first % height : 0);
    bottom = Math.max(bottom, from === to ? last % height : height - 1);
  }
  return [left, top, right - left + 1, bottom - top + 1];
}

/** How many pixels such a mask has. */
export const pixelsOfRle = (counts: string): number =>
  runsOf(counts).reduce((sum, run, place) => (place % 2 === 0 ? sum : sum + run), 0);

/** Runs outside and inside by turns. From the fourth on they are written as what they differ by from the last but one. */
function runsOf(text: string): number[] {
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
