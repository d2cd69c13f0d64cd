/** The `most` dimensions with the largest scores above zero, best first, the lower one first among equals. */
export function strongest(dims: number, most: number, scoreOf: (dimension: number) => number): number[] {
  const found: number[] = [];
  const scores: number[] = [];
  for (let d = 0; d < dims; d++) {
    const score = scoreOf(d);
    if (!(score > 0)) continue;
    let at = found.length;
    while (at > 0 && scores[at - 1] < score) at--;
    if (at >= most) continue;
    for (let k = Math.min(found.length, most - 1); k > at; k--) {
      found[k] = found[k - 1];
      scores[k] = scores[k - 1];
    }
    found[at] = d;
    scores[at] = score;
  }
  return found;
}
