import { basename, resolve } from 'node:path';
import type { ExportFormatId } from '#contract';
import { type EditRequest, readEdits } from '#exports';
import { AssayError } from '#kernel';
import {
  type ChosenEpisode,
  chooseEpisodes,
  type EpisodeChoice,
} from '../../steps/export/choose-episodes.ts';
import type { ExportedSet, ExportSetTask } from '../../steps/export/export-task.ts';
import type { Lineage } from '../../steps/export/lineage.ts';
import { type SealedEpisode, sealSet } from '../../steps/export/seal-set.ts';
import { type SealedReceipt, sealedReceipts, sourcesUnchanged } from '../../steps/export/sealed-receipts.ts';
import { assess } from '../assess.ts';
import { askAgain } from '../look.ts';
import type { AssessHooks, AssessOptions, FoundDataset } from '../options.ts';
import { refuseOverlap } from '../output/output-folder.ts';
import { ProgressMeter } from '../progress.ts';
import type { AssessmentResult } from '../result/result.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { stageFolder } from './staged-folder.ts';

export interface ExportOptions extends EpisodeChoice {
  /** What is written; `lerobot-v3` where none is given. */
  readonly format?: ExportFormatId;
  /** Rows a second; absent: the recording's own. */
  readonly rate_hz?: number;
  /** What is changed on the way. */
  readonly edits?: EditRequest;
  /** How episodes are judged first. */
  readonly assess?: AssessOptions;
  /** Only decides; nothing is written. */
  readonly dry_run?: boolean;
}

export interface ExportResult {
  readonly episodes: readonly ChosenEpisode[];
  /** Null after a dry run. */
  readonly lineage: Lineage | null;
}

/**
 * Judges a dataset and writes the episodes that may be trained on as a set of their own into `out`, with its lineage.
 * The folder appears whole or not at all. Throws as `assess`, and `usage`, `not_ready` where the source has changed
 * since it was judged.
 */
export async function exportDataset(
  path: string,
  out: string,
  options: ExportOptions,
  hooks: AssessHooks = {},
): Promise<ExportResult> {
  const edits = options.edits ?? {};
  readEdits(edits);
  const staged = options.dry_run === true ? null : stageOutside(out, path);
  try {
    const onFound = (datasets: readonly FoundDataset[]) => {
      demandOne(datasets);
      hooks.onFound?.(datasets);
    };
    const result = await assess(path, { ...options.assess, receipts: true }, { ...hooks, onFound });
    try {
      const dataset = onlyDataset(result);
      const episodes = chooseEpisodes(result.verdicts, options);
      if (staged === null) return { episodes, lineage: null };
      const receipts = sealedReceipts(result.receipts());
      const keep = keptIds(episodes);
      const { format = 'lerobot-v3', rate_hz } = options;
      const own = { dataset, keep, format, edits, folder: staged.path };
      const set = await inThread(path, { ...own, ...(rate_hz === undefined ? {} : { rate_hz }) }, hooks);
      sourcesUnchanged(set.sources, receipts, keep);
      const [{ facts }] = result.datasets;
      const origin = {
        source: { name: basename(resolve(path)), format: facts.format, version: facts.version },
        settings_hash: result.settings.hash,
        episodes: sealedEpisodes(episodes, receipts),
        set,
      };
      const { lineage } = await sealSet(staged.path, origin, hooks);
      staged.finish();
      return { episodes, lineage };
    } finally {
      await result.close();
    }
  } catch (thrown) {
    staged?.discard();
    throw hooks.signal?.aborted === true
      ? new AssayError('cancelled', 'the export was stopped; nothing was written')
      : thrown;
  }
}

function stageOutside(out: string, path: string) {
  refuseOverlap(out, path);
  return stageFolder(out);
}

const keptIds = (episodes: readonly ChosenEpisode[]): string[] =>
  episodes.flatMap(({ verdict, dropped }) => (dropped === null ? [verdict.id] : []));

/** Its path below the one named; an export holds one dataset. */
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

/** Before anything is measured. Throws `usage`. */
function demandOne(datasets: readonly FoundDataset[]): void {
  if (datasets.length === 1) return;
  const some = datasets.slice(0, 5).map(({ path, format }) => `${path || '.'} (${format})`);
  throw new AssayError(
    'usage',
    `there are ${datasets.length} datasets under the path, and an export takes one`,
    { advice: `name one of them: ${some.join(', ')}${datasets.length > 5 ? ', …' : ''}` },
  );
}

async function inThread(path: string, set: ExportSetTask, hooks: AssessHooks): Promise<ExportedSet> {
  const meter = new ProgressMeter(hooks.onProgress);
  meter.stage('export', { episodes: set.keep.length, bytes: 0 });
  const threads = new ThreadPool();
  try {
    const onProgress = (episodes: number) => meter.add(episodes, 0);
    const { answer, worker } = await askAgain(
      path,
      threads,
      { onProgress },
      (thread, given_up) => thread.export({ path, given_up, set }),
      hooks.signal,
    );
    await worker.stop();
    return answer;
  } finally {
    await threads.dispose();
  }
}

/** Each episode with what its receipt says, for the lineage. */
function sealedEpisodes(
  episodes: readonly ChosenEpisode[],
  receipts: ReadonlyMap<string, SealedReceipt>,
): SealedEpisode[] {
  return episodes.map(({ verdict, dropped }) => ({
    id: verdict.id,
    source_index: verdict.index,
    decision: verdict.decision,
    receipt: receipts.get(verdict.id)?.content_hash ?? null,
    dropped,
    flags: [...verdict.flags, ...verdict.findings].map(({ code }) => code),
  }));
}
