/** Location of an episode. */
interface Origin {
  /** Absent if there is only one source. */
  readonly source?: string;
  /** Folder of its dataset; `.` for the whole source. */
  readonly dataset: string;
  readonly format: string;
  readonly name: string;
}

/**
 * Returns the name of each episode in a plan: its own name, prefixed with source and dataset only if these differ within
 * the set, so that a folder and a service with the same recordings produce plans with the same hash.
 */
export function planNames(origins: readonly Origin[]): string[] {
  const several = (of: (origin: Origin) => string | undefined): boolean => new Set(origins.map(of)).size > 1;
  const sources = several(({ source }) => source);
  const datasets = sources || several(({ dataset }) => dataset);
  const formats = several(({ source, dataset, format }) => JSON.stringify([source, dataset, format]));
  const names = origins.map(({ source, dataset, name }) =>
    [...(sources ? [source] : []), ...(datasets ? [dataset] : []), name].join('/'),
  );
  if (!formats || new Set(names).size === names.length) return names;
  return names.map((name, i) => `${name} (${origins[i].format})`);
}
