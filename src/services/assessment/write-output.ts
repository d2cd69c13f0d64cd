import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { checks } from '#readiness';
import { createReport, type ReportFile, reportAssets } from '#report';
import { assess } from './assess.ts';
import type { AssessHooks, AssessOptions } from './options.ts';
import { prepareOutputFolder } from './output-folder.ts';
import { writeWhole } from './receipt-files.ts';
import type { AssessmentResult } from './result.ts';

/** Assesses `path` and writes receipts, the report and `assessment.json` into `out`. */
export async function assessInto(
  out: string,
  path: string,
  options: AssessOptions = {},
  hooks: AssessHooks = {},
): Promise<AssessmentResult> {
  prepareOutputFolder(out, path);
  const result = await assess(path, { ...options, render: true, receiptsFolder: out }, hooks);
  try {
    writeReport(out, basename(resolve(path)), result);
    writeAssessment(out, result);
    return result;
  } catch (thrown) {
    await result.close();
    throw thrown;
  }
}

function writeReport(out: string, title: string, result: AssessmentResult): void {
  const made = new Set<string>();
  const write = (files: readonly ReportFile[]) => {
    for (const { path, content } of files) writeWhole(join(out, path), content, made);
  };
  const report = createReport({ title, checks: checks.rows });
  for (const episode of result.rendered()) write(report.add(episode));
  write(report.finish(result.summary()));
  for (const { path, url } of reportAssets) writeWhole(join(out, path), readFileSync(url), made);
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
