/**
 * Pairs rows with columns at the least sum of costs, leaving out pairs that cost more than `most` (Kuhn, Munkres; shortest
 * augmenting paths).
 */
export function assign(
  costs: readonly (readonly number[])[],
  most: number,
): readonly (readonly [number, number])[] {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return [];
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => costs.map((row) => row[column]));
    return assign(turned, most).map(([column, row]) => [row, column] as const);
  }
  // What costs too much costs all alike: it must not weigh in the choice among the others.
  const capped = costs.map((row) => row.map((cost) => (cost > most ? most + 1e-4 : cost)));
  const owners = shortestPaths(capped, columns);
  return [...owners].flatMap((row, column) =>
    row >= 0 && costs[row][column] <= most ? [[row, column] as const] : [],
  );
}

/** The row of each column, -1 for none; there are as many columns as rows, or more. */
function shortestPaths(costs: readonly (readonly number[])[], columns: number): Int32Array {
  const rowPotential = new Float64Array(costs.length);
  const potential = new Float64Array(columns + 1);
  /** One column more than there are: where each path starts. */
  const owner = new Int32Array(columns + 1).fill(-1);
  for (const row of costs.keys()) {
    owner[columns] = row;
    const before = new Int32Array(columns).fill(columns);
    const least = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const done = new Uint8Array(columns + 1);
    let at = columns;
    while (owner[at] >= 0) {
      done[at] = 1;
      const from = owner[at];
      let next = -1;
      for (let column = 0; column < columns; column++) {
        if (done[column] === 1) continue;
        const cost = costs[from][column] - rowPotential[from] - potential[column];
        if (cost < least[column]) {
          least[column] = cost;
          before[column] = at;
        }
        if (next < 0 || least[column] < least[next]) next = column;
      }
      const step = least[next];
      for (let column = 0; column <= columns; column++)
        if (done[column] === 1) {
          rowPotential[owner[column]] += step;
          potential[column] -= step;
        } else if (column < columns) least[column] -= step;
      at = next;
    }
    while (at !== columns) {
      const from = before[at];
      owner[at] = owner[from];
      at = from;
    }
  }
  return owner.subarray(0, columns);
}
