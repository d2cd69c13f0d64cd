import type { Finding } from '#core/episode';
import type { DatasetFacts } from '#formats';
import { applySeverities, type LoaderSeverities, listRefusals, loaderSeverities } from '#formats/rules';
import { type RunRow, type RunWork, runResultRows } from '#store';

/**
 * Returns the findings of a dataset with the severities for the requested loaders, after what these refuse by its facts alone;
 * unchanged without `loaders`. `findings` have the severities of the default loader.
 */
export function findingsForLoaders(
  facts: DatasetFacts,
  findings: readonly Finding[],
  loaders: readonly string[] = [],
): readonly Finding[] {
  if (loaders.length === 0) return findings;
  const all = [...listRefusals(facts, loaders), ...findings];
  return applySeverities(all, loaderSeverities(facts, loaders));
}

type ListedRun = Pick<RunRow, 'findings' | 'layer_findings' | 'settings'>;

/**
 * Returns a page of the findings of a run, worst first: those of listing, of its layers, of the requested loaders about
 * the datasets themselves, and those of each dataset.
 */
export async function pageRunFindings(
  work: RunWork,
  { findings, layer_findings, settings: { loaders = [] } }: ListedRun,
  page: { readonly from: number; readonly limit: number },
): Promise<Finding[]> {
  const severities: Record<number, LoaderSeverities> = {};
  const runFindings = [...findings, ...layer_findings];
  if (loaders.length > 0) {
    for (const { place, facts } of await runResultRows.datasetFacts<DatasetFacts>(work)) {
      severities[place] = loaderSeverities(facts, loaders) ?? {};
      runFindings.push(...listRefusals(facts, loaders));
    }
  }
  return runResultRows.pageFindings(work, { runFindings, severities }, page);
}
