import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import { checks } from '#quality/readiness';
import { createReport, filmAssets, type ReportFile, type ReportFilm, reportAssets } from '#quality/report';
import { writeWhole } from '../../steps/judge/receipt-files.ts';
import { worstFirst } from '../../steps/judge/verdict.ts';
import type { AssessHooks } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import type { AssessmentResult } from '../result/result.ts';
import type { ReportAnnotations } from './report-annotations.ts';

/** Episodes between two turns of the event loop, in which signals are heard. */
const breath = 64;

interface ReportOf {
  readonly title: string;
  /** Null: the report carries none. */
  readonly films: readonly ReportFilm[] | null;
  /** Layers that its pages show; null: none. */
  readonly layers?: ReportAnnotations | null;
}

/** Writes the report's pages and data into `out`. Throws `cancelled`, `output_unwritable`. */
export async function writeReport(
  out: string,
  { title, films, layers = null }: ReportOf,
  result: AssessmentResult,
  { signal, onProgress }: AssessHooks,
): Promise<void> {
  const meter = new ProgressMeter(onProgress);
  meter.stage('write', { episodes: result.verdicts.length, bytes: 0 });
  const made = new Set<string>();
  const write = (files: readonly ReportFile[]) => {
    for (const { path, content } of files) writeWhole(join(out, path), content, made);
  };
  const report = createReport({ title, checks: checks.rows, films });
  const pictured = picturedEpisodes(result);
  let written = 0;
  for (const rendered of result.rendered()) {
    const episode = layers === null ? rendered : await layers.add(rendered);
    write(report.add(episode, pictured === null || pictured.has(episode.row.id)));
    meter.add(1, 0);
    if (++written % breath > 0) continue;
    await new Promise(setImmediate);
    if (signal?.aborted === true) throw new AssayError('cancelled', 'stopped before the report was written');
  }
  write(report.finish(result.summary()));
  const assets = films === null ? reportAssets : [...reportAssets, ...filmAssets];
  for (const { path, url } of assets) writeWhole(join(out, path), readFileSync(url), made);
}

/** A report is to stay below this, receipts not counted. */
const reportBytes = 30e6;
/** Of an episode's numbers and its receipt, packed. */
const episodeBytes = 5500;
/** Pictures that any report may hold. */
const leastBytes = 4e6;

/**
 * Ids of the episodes whose pictures the report shows, those that need looking at most; null: of all, since there is
 * room for them.
 */
export function picturedEpisodes({
  verdicts,
  pictures,
}: Pick<AssessmentResult, 'verdicts' | 'pictures'>): ReadonlySet<string> | null {
  const room = Math.max(leastBytes, reportBytes - episodeBytes * verdicts.length);
  if (pictures <= room) return null;
  const episodes = Math.floor((room / pictures) * verdicts.length);
  return new Set(
    verdicts
      .toSorted(worstFirst)
      .slice(0, episodes)
      .map(({ id }) => id),
  );
}
