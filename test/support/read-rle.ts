import type { JsonObject } from '#core';

/** Bits of a mask that COCO's run lengths tell, column by column: `rleFrString` of pycocotools. */
export function readRle({
  size,
  counts,
}: JsonObject & { size: readonly number[]; counts: string }): Uint8Array {
  const runs: number[] = [];
  for (let at = 0; at < counts.length; ) {
    let [run, shift, more] = [0, 0, true];
    while (more) {
      const code = counts.charCodeAt(at++) - 48;
      run |= (code & 31) << shift;
      shift += 5;
      more = (code & 32) !== 0;
      if (!more && (code & 16) !== 0) run |= -1 << shift;
    }
    runs.push(runs.length > 2 ? run + runs[runs.length - 2] : run);
  }
  const bits = new Uint8Array(size[0] * size[1]);
  let end = 0;
  for (const [at, run] of runs.entries()) {
    bits.fill(at % 2, end, end + run);
    end += run;
  }
  return bits;
}
