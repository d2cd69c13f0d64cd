import type { Episode, Finding } from '#core/episode';
import { type DatasetFacts, discover, type ReadOptions, type Unreadable } from '#formats';
import type { RecordingsSource } from '#io/sources';

export interface ReadSet {
  readonly format: string;
  readonly path: string;
  readonly evidence: readonly string[];
  readonly findings: readonly Finding[];
  readonly episodes: readonly Episode[];
  readonly unreadable: readonly Unreadable[];
  readonly declared_episodes: number | null;
  readonly facts: DatasetFacts;
}

/** Discovers everything under a folder and reads it, unit after unit. */
export async function readEverything(
  path: RecordingsSource,
  options: ReadOptions = {},
): Promise<{ sets: ReadSet[]; findings: readonly Finding[] }> {
  const { datasets, findings } = await discover(path);
  const sets: ReadSet[] = [];
  for (const { path: folder, recognition, dataset } of datasets) {
    const episodes: Episode[] = [];
    const unreadable: Unreadable[] = [];
    for (const unit of dataset.units) {
      for await (const item of dataset.read(unit, options)) {
        if ('unreadable' in item) unreadable.push(item);
        else episodes.push(item);
      }
    }
    await dataset.close();
    const { evidence, format } = recognition;
    const { declared_episodes } = dataset.facts;
    sets.push({
      format,
      path: folder,
      evidence,
      findings: dataset.findings,
      episodes,
      unreadable,
      declared_episodes,
      facts: dataset.facts,
    });
  }
  return { sets, findings };
}
