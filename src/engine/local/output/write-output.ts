import { join } from 'node:path';
import { AssayError, canonicalJson, sha256 } from '#core';
import type { ReportFilm } from '#quality/report';
import type { Recordings } from '../../open-recordings.ts';
import { writeAtomically } from '../../steps/judge/receipt-files.ts';
import { doInThread } from '../../threads/path-threads.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import { ProgressMeter } from '../progress.ts';
import type { AssessmentResult } from '../result.ts';
import { checkOutputFolder, prepareOutputFolder, recordingsTitle } from './output-folder.ts';
import type { ReportAnnotations } from './report-annotations.ts';

/** File name of the bridge plan in the output folder. */
export const bridgePlanFile = 'bridge-plan.json';

/** Options of `assessInto`. */
export interface OutputOptions extends AssessOptions {
  /** Folder from `assay annotate`, whose layers the report shows. */
  readonly annotations?: string;
}

/**
 * Assesses `path`, writes receipts, report and `assessment.json` into `out`, and returns the result, which the caller must
 * close.
 * `out` is a new or empty folder, or that of an earlier assessment.
 * @throws `usage` for other folders
 */
export async function assessInto(
  out: string,
  path: Recordings,
  { annotations, ...options }: OutputOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  const source = typeof path === 'string' ? path : null;
  if (options.video === true) requireFilmable(path, options);
  checkOutputFolder(out, source);
  await using layers = annotations === undefined ? null : await openAnnotations(annotations);
  const result = await assess(
    path,
    { ...options, render: true, receiptsFolder: out },
    { ...hooks, onFound: () => prepareOutputFolder(out, source) },
  );
  try {
    const { writeReport } = await import('./write-report.ts');
    const films = options.video === true ? await makeFilms(out, path, result, hooks) : null;
    await writeReport(out, { title: recordingsTitle(path), films, layers }, result, hooks);
    writeBridgePlan(out, options, result);
    writeAssessment(out, result);
    return result;
  } catch (thrown) {
    await result.close();
    throw thrown;
  }
}

async function openAnnotations(folder: string): Promise<ReportAnnotations> {
  const { ReportAnnotations } = await import('./report-annotations.ts');
  return new ReportAnnotations(folder);
}

/** Writes how the episodes cut from one recording join; no file if there are none. */
function writeBridgePlan(out: string, { recipe }: AssessOptions, { datasets }: AssessmentResult): void {
  const bridged = datasets.flatMap(({ path, bridged }) =>
    bridged.length === 0 ? [] : [{ path, recordings: bridged }],
  );
  if (bridged.length === 0) return;
  const plan = {
    schema: 'assay/bridge-plan/v1',
    recipe: recipe ?? null,
    recipe_hash: recipe === undefined ? null : sha256(canonicalJson(recipe)),
    datasets: bridged,
  };
  writeAtomically(join(out, bridgePlanFile), `${JSON.stringify(plan, null, 2)}\n`);
}

/** Writes `assessment.json`, as the last file: its presence means that the folder is complete. */
function writeAssessment(out: string, result: AssessmentResult): void {
  const episodes = result.verdicts.map((verdict) => ({
    ...verdict,
    reason: undefined,
    flags: verdict.flags.map(({ code, check, severity }) => ({ code, check, severity })),
  }));
  const lines = episodes.map((episode) => JSON.stringify(episode)).join(',\n');
  writeAtomically(
    join(out, 'assessment.json'),
    `{"dataset":${JSON.stringify(result.summary())},\n"episodes":[\n${lines}\n]}\n`,
  );
}

/** Throws `usage` if films cannot be made of the recordings. */
function requireFilmable(path: Recordings, { recipe }: AssessOptions): void {
  if (typeof path !== 'string' && path.kind !== 'folder')
    throw new AssayError('usage', '--video works only with recordings on this machine', {
      advice: 'remove --video, or download the recordings first',
    });
  if (recipe !== undefined)
    throw new AssayError('usage', '--video and --recipe cannot be combined yet', {
      advice: 'remove one of them',
    });
}

/**
 * Writes films of all cameras into `out`, in a worker thread, and returns them. Throws `cancelled`, `unfinished`,
 * `output_unwritable`.
 */
async function makeFilms(
  out: string,
  path: Recordings,
  { verdicts, datasets }: AssessmentResult,
  { signal, onProgress: report }: AssessHooks,
): Promise<readonly ReportFilm[]> {
  const meter = new ProgressMeter(report);
  meter.stage('write', { episodes: verdicts.length, bytes: 0 });
  const episodes = verdicts.map(({ dataset, id }, number) => ({
    ...{ number, id },
    dataset: datasets[dataset].path,
  }));
  const onProgress = (done: number) => meter.add(done, 0);
  return doInThread({ type: 'write-films', recordings: path, folder: out, episodes }, { onProgress }, signal);
}
