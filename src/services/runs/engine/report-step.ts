import { basename } from 'node:path';
import type { Assessment } from '#contract';
import { newId } from '#kernel';
import { runResultRows, runRows, sourceRows } from '#store';
import { blobPrefix, briefOf } from './briefs.ts';
import { type Engine, workOf } from './engine.ts';
import type { RunRef } from './run-ref.ts';

/** Draws the report of a run that has ended, once. */
export async function reportStep(engine: Engine, ref: RunRef, signal: AbortSignal): Promise<void> {
  const { database, blobs } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const run = await runRows.getRun(scope, ref.run_id);
  if (run === null || run.stage !== 'done' || run.report_prefix !== null) return;
  const source = await sourceRows.getSource(scope, run.source_id);
  const prefix = `${blobPrefix(ref)}/report/${newId('rep')}`;
  await engine.threads.do(
    {
      type: 'report',
      run: await briefOf(engine, ref),
      units: await runResultRows.judgedAsJson(workOf(engine, ref)),
      title: source === null ? run.id : basename(source.name),
      summary: JSON.stringify(await summaryOf(engine, ref)),
      prefix,
    },
    { signal },
  );
  const first = await database.transaction(async () => {
    const now = await runRows.lockRun(scope, ref.run_id);
    if (now === null || now.report_prefix !== null) return false;
    await runRows.updateRun(scope, ref.run_id, { report_prefix: `${prefix}/` });
    return true;
  });
  if (first) return;
  const keys: string[] = [];
  for await (const { key } of blobs.list(`${prefix}/`)) keys.push(key);
  await blobs.delete(keys);
}

/** The dataset part of what `assess --json` prints. */
async function summaryOf(engine: Engine, ref: RunRef): Promise<Assessment['dataset']> {
  const { sql } = engine.store.database;
  const run = (await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id))!;
  const datasets = await runResultRows.listDatasets(workOf(engine, ref));
  const formats = new Set(datasets.map(({ format }) => format));
  return {
    format: formats.size === 1 ? [...formats][0] : 'mixed',
    episodes: run.episodes_judged,
    unreadable: run.episodes_unreadable,
    decisions: { accept: run.accepted, review: run.to_review, reject: run.rejected },
    findings: [...run.findings, ...datasets.flatMap(({ findings }) => [...findings])],
    parts: datasets.map(({ path, format, evidence, kind, episodes }) => ({
      path,
      format,
      evidence: [...evidence],
      kind,
      episodes,
    })),
  };
}
