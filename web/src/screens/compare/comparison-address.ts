/** The two runs or slices compared, as URL parameters. */
export interface ComparisonAddress {
  readonly one?: string;
  readonly other?: string;
}

/** Parses URL parameters; invalid ones are ignored. */
export function readComparison({ one, other }: Readonly<Record<string, unknown>>): ComparisonAddress {
  return { ...(isId(one) ? { one } : {}), ...(isId(other) ? { other } : {}) };
}

const isId = (given: unknown): given is string =>
  typeof given === 'string' && /^(run|slc)_[0-9a-z]{26}$/.test(given);
