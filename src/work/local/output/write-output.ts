import { join } from 'node:path';
import { canonicalJson, sha256 } from '#kernel';
import type { Recordings } from '../../recordings/open-recordings.ts';
import { writeWhole } from '../../steps/judge/receipt-files.ts';
import { assess } from '../assess.ts';
import type { AssessHooks, AssessOptions } from '../options.ts';
import type { AssessmentResult } from '../result/result.ts';
import { demandFilmable, makeFilms } from './make-films.ts';
import { checkOutputFolder, prepareOutputFolder } from './output-folder.ts';
import { titleOf } from './title-of.ts';

/** Name of the bridge plan in the output folder. */
export const bridgePlanFile = 'bridge-plan.json';

/** Assesses `path` and writes receipts, the report and `assessment.json` into `out`. Throws `usage` where it cannot be that. */
export async function assessInto(
  out: string,
  path: Recordings,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  const source = typeof path === 'string' ? path : null;
  if (options.video === true) demandFilmable(path, options);
  checkOutputFolder(out, source);
  const result = await assess(
    path,
    { ...options, render: true, receiptsFolder: out },
    { ...hooks, onFound: () => prepareOutputFolder(out, source) },
  );
  try {
    const { writeReport } = await import('./write-report.ts');
    const films = options.video === true ? await makeFilms(out, path, result, hooks) : null;
    await writeReport(out, { title: titleOf(path), films }, result, hooks);
    writeBridgePlan(out, options, result);
    writeAssessment(out, result);
    return result;
  } catch (thrown) {
    await result.close();
    throw thrown;
  }
}

/** How the episodes of recordings that became several join; no file where none did. */
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
  writeWhole(join(out, bridgePlanFile), `${JSON.stringify(plan, null, 2)}\n`);
}

/** Written last: its presence says that the folder is whole. */
function writeAssessment(out: string, result: AssessmentResult): void {
  const episodes = result.verdicts.map((verdict) => ({
    ...verdict,
    reason: undefined,
    flags: verdict.flags.map(({ code, check, severity }) => ({ code, check, severity })),
  }));
  const lines = episodes.map((episode) => JSON.stringify(episode)).join(',\n');
  writeWhole(
    join(out, 'assessment.json'),
    `{"dataset":${JSON.stringify(result.summary())},\n"episodes":[\n${lines}\n]}\n`,
  );
}
