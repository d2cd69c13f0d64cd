/** A fixed list of rows with unique ids, in the order of definition. */
export interface Registry<Row extends { readonly id: string }> extends Iterable<Row> {
  readonly rows: readonly Row[];
  readonly ids: readonly Row['id'][];
  get(id: string): Row | undefined;
}

/** Creates a registry of rows that are looked up by id, and throws an `Error` if two rows have the same id. */
export function defineRegistry<const Row extends { readonly id: string }>(
  rows: readonly Row[],
): Registry<Row> {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    if (byId.has(row.id)) throw new Error(`the registry has two rows with the id ${row.id}`);
    byId.set(row.id, row);
  }
  return {
    rows,
    ids: rows.map((row) => row.id),
    get: (id) => byId.get(id),
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  };
}
