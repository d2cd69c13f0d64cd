/** What an address holds against each other: runs or slices. */
export interface ComparisonAddress {
  readonly one?: string;
  readonly other?: string;
}

/** Reads an address as anybody may have typed it: what makes no sense is left out. */
export function readComparison({ one, other }: Readonly<Record<string, unknown>>): ComparisonAddress {
  return { ...(isId(one) ? { one } : {}), ...(isId(other) ? { other } : {}) };
}

const isId = (given: unknown): given is string =>
  typeof given === 'string' && /^(run|slc)_[0-9a-z]{26}$/.test(given);
