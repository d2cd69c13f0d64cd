import { AssayError } from '#core';
import { demandOne } from '../../steps/export/check-export.ts';
import { chooseEpisodes, type EpisodeChoice } from '../../steps/export/choose-episodes.ts';
import { demandExportable } from '../../steps/export/demand-exportable.ts';
import type { ExportAsked, ExportSource } from '../../steps/export/export-task.ts';
import type { LineageSource } from '../../steps/export/lineage.ts';
import { judgedOf, type SealedReceipt, sealedReceipts } from '../../steps/export/sealed-receipts.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions, FoundDataset } from '../options.ts';
import type { AssessmentResult } from '../result/result.ts';
import type { SourceEpisode } from './source-episode.ts';
import type { SourceSet } from './source-sets.ts';

/** A set that was judged, and which of its episodes leave. */
export interface JudgedSource {
  readonly source: ExportSource;
  readonly episodes: readonly SourceEpisode[];
  /** By episode id. */
  readonly receipts: ReadonlyMap<string, SealedReceipt>;
  readonly origin: Omit<LineageSource, 'files'>;
  readonly settings_hash: string;
}

/** Judges a set and chooses among its episodes. Throws as `assess`, and `usage` before anything is measured. */
export async function judgeSource(
  { path, name, names, choice }: SourceSet,
  asked: ExportAsked,
  options: AssessOptions,
  hooks: AssessHooks,
): Promise<JudgedSource> {
  const onFound = (datasets: readonly FoundDataset[]) => {
    demandExportable({ ...asked, sources: [choice] }, [demandOne(datasets).format]);
    hooks.onFound?.(datasets);
  };
  const result = await assess(path, { ...options, receipts: true }, { ...hooks, onFound });
  try {
    const dataset = onlyDataset(result);
    const episodes = chooseEpisodes(result.verdicts, choice).map((one) => ({ ...one, source: name }));
    const [{ facts }] = result.datasets;
    const keep = keptIds(episodes);
    const trims = trimsOf(choice, keep);
    const receipts = sealedReceipts(result.receipts(), new Set(keep), asked.format);
    return {
      source: { name, dataset, keep, names, ...trims, ...judgedOf(receipts) },
      episodes,
      receipts,
      origin: { name, format: facts.format, version: facts.version },
      settings_hash: result.settings.hash,
    };
  } finally {
    await result.close();
  }
}

/** Of the episodes that stay. */
function trimsOf({ trims = {} }: EpisodeChoice, keep: readonly string[]): Pick<ExportSource, 'trims'> {
  const own = keep.flatMap((id) => (Object.hasOwn(trims, id) ? [[id, trims[id]] as const] : []));
  return own.length === 0 ? {} : { trims: Object.fromEntries(own) };
}

const keptIds = (episodes: readonly SourceEpisode[]): string[] =>
  episodes.flatMap(({ verdict, dropped }) => (dropped === null ? [verdict.id] : []));

/** Its path below the one named; an export takes one dataset of each path. */
function onlyDataset({ datasets, incomplete }: AssessmentResult): string {
  if (incomplete.length > 0)
    throw new AssayError(
      'unfinished',
      `${incomplete[0].path} could not be measured: ${incomplete[0].reason}`,
      {
        ...(incomplete[0].path === null ? {} : { path: incomplete[0].path }),
        advice: 'assess it again, then export',
      },
    );
  const [{ path }] = datasets;
  return path === '.' ? '' : path;
}
