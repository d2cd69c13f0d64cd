/** Where an episode lies, whoever keeps it. */
interface Origin {
  /** Absent: there is one. */
  readonly source?: string;
  /** Folder of its dataset; `.` for all of the source. */
  readonly dataset: string;
  readonly format: string;
  readonly name: string;
}

/**
 * What a plan calls each episode: its name, and before it whatever is not the same for all of them. A folder and a
 * service that hold the same recordings so make the same plan, with the same hash.
 */
export function planNames(origins: readonly Origin[]): string[] {
  const several = (of: (origin: Origin) => string | undefined): boolean => new Set(origins.map(of)).size > 1;
  const sources = several(({ source }) => source);
  const datasets = sources || several(({ dataset }) => dataset);
  const formats = several(({ source, dataset, format }) => JSON.stringify([source, dataset, format]));
  const named = origins.map(({ source, dataset, name }) =>
    [...(sources ? [source] : []), ...(datasets ? [dataset] : []), name].join('/'),
  );
  if (!formats || new Set(named).size === named.length) return named;
  return named.map((name, i) => `${name} (${origins[i].format})`);
}
