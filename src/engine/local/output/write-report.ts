import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError } from '#core';
import { checks } from '#quality/readiness';
import { createReport, filmAssets, type ReportFile, type ReportFilm, reportAssets } from '#quality/report';
import { writeAtomically } from '../../steps/judge/receipt-files.ts';
import { worstFirst } from '../../steps/judge/verdict.ts';
import type { AssessHooks } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import type { AssessmentResult } from '../result.ts';
import type { ReportAnnotations } from './report-annotations.ts';

/** Number of episodes between yields to the event loop, in which signals are received. */
const episodesPerTurn = 64;

interface ReportInputs {
  readonly title: string;
  /** Films; `null` for a report without films. */
  readonly films: readonly ReportFilm[] | null;
  /** Annotations to show; `null` for none. */
  readonly layers?: ReportAnnotations | null;
}

/**
 * Writes the report's pages, data and assets into `out`; episodes beyond its target size (the best ones) come without
 * pictures.
 * @throws `cancelled`, `output_unwritable`
 */
export async function writeReport(
  out: string,
  { title, films, layers = null }: ReportInputs,
  result: AssessmentResult,
  { signal, onProgress }: AssessHooks,
): Promise<void> {
  const meter = new ProgressMeter(onProgress);
  meter.stage('write', { episodes: result.verdicts.length, bytes: 0 });
  const made = new Set<string>();
  const write = (files: readonly ReportFile[]) => {
    for (const { path, content } of files) writeAtomically(join(out, path), content, made);
  };
  const report = createReport({ title, checks: checks.rows, films });
  const pictured = selectPicturedEpisodes(result);
  let written = 0;
  for (const rendered of result.rendered()) {
    const episode = layers === null ? rendered : await layers.add(rendered);
    write(report.add(episode, pictured === null || pictured.has(episode.row.id)));
    meter.add(1, 0);
    if (++written % episodesPerTurn > 0) continue;
    await new Promise(setImmediate);
    if (signal?.aborted === true) throw new AssayError('cancelled', 'stopped before the report was written');
  }
  write(report.finish(result.summary()));
  const assets = films === null ? reportAssets : [...reportAssets, ...filmAssets];
  for (const { path, url } of assets) writeAtomically(join(out, path), readFileSync(url), made);
}

/** Target maximum size of a report, without receipts. */
const maxReportBytes = 30e6;
/** Compressed size of an episode's numbers and receipt. */
const episodeBytes = 5500;
/** Minimum space for pictures in any report. */
const minPictureBytes = 4e6;

/**
 * Returns the ids of the episodes whose pictures the report shows (the worst first), or null if there is room for
 * all.
 */
export function selectPicturedEpisodes({
  verdicts,
  pictures,
}: Pick<AssessmentResult, 'verdicts' | 'pictures'>): ReadonlySet<string> | null {
  const room = Math.max(minPictureBytes, maxReportBytes - episodeBytes * verdicts.length);
  if (pictures <= room) return null;
  const episodes = Math.floor((room / pictures) * verdicts.length);
  return new Set(
    verdicts
      .toSorted(worstFirst)
      .slice(0, episodes)
      .map(({ id }) => id),
  );
}
