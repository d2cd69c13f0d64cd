import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Episode } from '#core/episode';
import { type Dataset, discover } from '#formats';
import { collectRows, concludeComparisons } from '../../src/quality/readiness/compare-episodes.ts';
import { createFeatures } from '../../src/quality/readiness/features/episode-features.ts';
import { deriveKind } from '../../src/quality/readiness/kind.ts';
import { createEpisodeRecord, sealReceipt } from '../../src/quality/readiness/receipt.ts';
import { judgeEpisode, measureEpisode } from '../../src/quality/readiness/run-checks.ts';
import { resolveSettings } from '../../src/quality/readiness/scoring.ts';

const shared = resolve(import.meta.dirname, '../../../shared/data');
/** Empty where real recordings are at hand, else why tests of them are skipped. For tests. */
export const missing = existsSync(shared) ? '' : ' (skipped: no ../shared/data here)';

async function read(path: string): Promise<{ dataset: Dataset; episodes: Episode[] }> {
  const { datasets } = await discover(resolve(shared, path));
  const [{ dataset }] = datasets;
  const episodes: Episode[] = [];
  for (const unit of dataset.units) {
    for await (const episode of dataset.read(unit, {}))
      if (!('unreadable' in episode)) episodes.push(episode);
  }
  await dataset.close();
  return { dataset, episodes: episodes.sort((a, b) => a.index - b.index) };
}

/** Judges a real recording or set as an assessment does, with pictures left unmeasured. For tests. */
export async function judged(path: string) {
  const { dataset, episodes } = await read(path);
  const settings = resolveSettings();
  const measured = episodes.map((episode) => {
    const { kind, evidence } = deriveKind(episode);
    const subject = { episode, kind, cameras: new Map(), features: createFeatures(episode) };
    return {
      record: createEpisodeRecord(subject, evidence),
      measurements: measureEpisode(subject),
      rows: collectRows(subject),
    };
  });
  const compared = concludeComparisons(
    measured.map(({ record, rows }) => ({ episode: record.episode.id, rows })),
    dataset.facts,
  );
  const sealed = measured.map(({ record, measurements }) => {
    const kept = JSON.parse(JSON.stringify({ record, measurements }));
    const notes = compared.getNotes(record.episode.id);
    return sealReceipt(judgeEpisode(kept.record, kept.measurements, notes, settings));
  });
  return { compared, dataset, sealed, receipts: sealed.map(({ receipt }) => receipt) };
}

export type Judged = Awaited<ReturnType<typeof judged>>;
