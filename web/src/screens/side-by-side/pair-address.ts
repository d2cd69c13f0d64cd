/** Two episodes that are shown side by side, as URL parameters. */
export interface PairAddress {
  /** Absent: there is nothing to show. */
  readonly one?: string;
  /** Absent: the episode that is most like the first. */
  readonly other?: string;
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^ep_[0-9a-z]{26}$/.test(value) ? value : undefined;

/** Parses URL parameters; invalid ones are ignored. */
export function readPair(search: Readonly<Record<string, unknown>>): PairAddress {
  const [one, other] = [idOf(search.one), idOf(search.other)];
  return { ...(one === undefined ? {} : { one }), ...(other === undefined ? {} : { other }) };
}
