import type { Episode, Finding } from '#core/episode';
import type { Dataset, Unreadable } from '../../shared/reader.ts';
import type { Companions } from '../recognised-dataset.ts';
import { datasetFinding, episodeFinding } from './companions.ts';

/**
 * Returns the dataset with a finding per group of companions, which is also added to each episode concerned when it is
 * read; the dataset itself if there are no companions.
 */
export function withCompanions<Open extends Dataset>(dataset: Open, companions: readonly Companions[]): Open {
  if (companions.length === 0) return dataset;
  const groups = companions.map((one) => ({
    finding: episodeFinding(one),
    paths: one.episodes === null ? null : new Set(one.episodes),
  }));
  const findingsOn = ({ sources }: Episode): Finding[] =>
    groups.flatMap(({ finding, paths }) =>
      paths === null || sources.some(({ path }) => paths.has(path)) ? [finding] : [],
    );
  return {
    ...dataset,
    findings: [...dataset.findings, ...companions.map(datasetFinding)],
    close: () => dataset.close(),
    async *read(unit, options): AsyncGenerator<Episode | Unreadable> {
      for await (const item of dataset.read(unit, options))
        yield 'unreadable' in item ? item : { ...item, findings: [...item.findings, ...findingsOn(item)] };
    },
  };
}
