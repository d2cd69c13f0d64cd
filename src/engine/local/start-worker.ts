import { join } from 'node:path';
import type { ReadinessSettings } from '#core/api';
import type { RecognisedDataset } from '#formats';
import type { TempFiles } from '../spool/temp-files.ts';
import type { SeenDatasets } from '../steps/look/datasets.ts';
import type { DatasetRef, StepOptions } from '../steps/tasks.ts';
import { AssessThread } from './assess-thread.ts';
import type { AssessWorker } from './assess-worker.ts';
import type { AssessOptions } from './options.ts';
import type { Plan } from './plan.ts';
import type { ProgressMeter } from './progress.ts';
import type { ThreadPool } from './threads/thread-pool.ts';

export interface StartContext {
  readonly options: AssessOptions;
  readonly settings: ReadinessSettings;
  readonly meter: ProgressMeter;
  readonly onWarning: (text: string) => void;
  readonly temp: TempFiles;
  readonly threads: ThreadPool;
  /** Codes of one episode's sketch, where episodes are drawn. */
  readonly sketch_codes: number;
  /** Has the datasets open already; null where it is gone. */
  readonly looker: AssessThread | null;
}

/** Starts workers; the first is the one that has looked, with its datasets open. */
export function workerStarter(all: SeenDatasets, plan: Plan, context: StartContext): () => AssessWorker {
  const { options, meter, temp, threads, onWarning } = context;
  const hooks = { onProgress: (episodes: number, bytes: number) => meter.add(episodes, bytes), onWarning };
  const steps = stepOptions(all, plan, context);
  const datasets = refsOf(all, options);
  let { looker } = context;
  return () => {
    const worker = looker ?? new AssessThread(threads, hooks);
    looker = null;
    worker.start({ options: steps, datasets, spools: [temp.open(), temp.open(), temp.open()] });
    return worker;
  };
}

/** Of a large set the report has room for few. */
function usualThumbnails({ episodes_expected }: Plan): number {
  return episodes_expected > 2000 ? 2 : 6;
}

function stepOptions(
  { cache }: SeenDatasets,
  plan: Plan,
  { options, settings, sketch_codes }: StartContext,
): StepOptions {
  return {
    settings,
    kind: options.kind ?? null,
    ...(options.recipe === undefined ? {} : { recipe: options.recipe }),
    ...(options.rate_hz === undefined ? {} : { rate_hz: options.rate_hz }),
    limit: options.limit ?? null,
    ...(options.pictures === undefined || options.pictures === 'sampled'
      ? {}
      : { pictures: options.pictures }),
    seal: options.receipts === true || options.render === true || options.receiptsFolder !== undefined,
    receipts: options.receipts ?? false,
    ...(options.embed === true ? { embed: 'told' } : {}),
    render: options.render ?? false,
    thumbnails: options.render === true ? (options.thumbnails ?? usualThumbnails(plan)) : 0,
    sketch_codes,
    media_children: plan.media_children,
    ...(plan.large ? { end_decoders: true } : {}),
    reader_threads: plan.reader_threads,
    hold: !plan.large && options.render !== true,
    spool_bytes: plan.large ? 1e6 : 8e6,
    receipts_from: options.receiptsFrom ?? '',
    ...(cache === null ? {} : { cache }),
  };
}

function refsOf({ path, found }: SeenDatasets, options: AssessOptions): DatasetRef[] {
  const single = found.length === 1;
  const taken = new Set<string>();
  return found.map(({ recognised, root, stamp, dataset }, index) => {
    const folder = single ? 'receipts' : `receipts/${folderName(recognised, taken)}`;
    return {
      index,
      path,
      root,
      recognised,
      stamp,
      carried: dataset.carried,
      receipts_folder: options.receiptsFolder === undefined ? null : join(options.receiptsFolder, folder),
      receipts_name: folder,
      many: dataset.units.reduce((sum, unit) => sum + unit.expected_episodes, 0) > 1000,
    };
  });
}

/** A dataset's name as one folder name, unlike all names before. */
function folderName({ path, recognition }: RecognisedDataset, taken: Set<string>): string {
  const safe = (path || recognition.format).replace(/[^\w.-]+/g, '_').replace(/^\.+/, '') || 'dataset';
  let unique = safe;
  for (let n = 2; taken.has(unique.toLowerCase()); n++) unique = `${safe}_${n}`;
  taken.add(unique.toLowerCase());
  return unique;
}
