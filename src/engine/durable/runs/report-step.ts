import { basename } from 'node:path';
import type { DatasetFacts } from '#formats';
import { annotationRows, runResultRows, runRows, sourceRows } from '#store';
import { settingsInEffect } from '../../steps/judge/dataset-verdict.ts';
import type { ReportRequest } from '../../steps/messages.ts';
import type { Engine } from '../engine.ts';
import { type RunRef, runWork } from './run.ts';
import { blobPrefix, getBrief, reportPrefix } from './run-brief.ts';
import { findingsForLoaders } from './run-findings.ts';

/**
 * Maximum number of annotations in a report (of its first episodes), since a thread keeps all their locations in
 * memory.
 */
const maxAnnotations = 20_000;

/**
 * Draws the report of a run into the blob store and records its prefix; does nothing if the run has not ended or has a report.
 * Names and bytes of its files do not depend on the attempt, so concurrent or interrupted attempts do no harm.
 */
export async function reportStep(engine: Engine, ref: RunRef, signal: AbortSignal): Promise<void> {
  const { database } = engine.store;
  const scope = { sql: database.sql, tenant_id: ref.tenant_id };
  const run = await runRows.getRun(scope, ref.run_id);
  if (run === null || run.stage !== 'done' || run.report_prefix !== null) return;
  const source = await sourceRows.getSource(scope, run.source_id);
  const prefix = reportPrefix(blobPrefix(ref));
  await engine.threads.do(
    {
      type: 'report',
      run: await getBrief(engine, ref),
      units: await runResultRows.judgedAsJson(runWork(engine.store, ref)),
      layers: await annotationRows.runLayersAsJson(runWork(engine.store, ref), maxAnnotations),
      title: source === null ? run.id : basename(source.name),
      ...(await loadSummary(engine, ref)),
      prefix,
    },
    { signal },
  );
  await runRows.updateRun(scope, ref.run_id, { report_prefix: `${prefix}/` });
}

/** Returns the dataset part of the output of `assess --json`, without data from receipts. */
async function loadSummary(
  engine: Engine,
  ref: RunRef,
): Promise<Pick<ReportRequest, 'summary' | 'listing' | 'parts'>> {
  const { sql } = engine.store.database;
  const run = (await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id))!;
  const datasets = (await runResultRows.listDatasets<DatasetFacts>(runWork(engine.store, ref))).map((row) => {
    return { ...row, findings: findingsForLoaders(row.facts, row.findings, run.settings.loaders) };
  });
  const formats = new Set(datasets.map(({ format }) => format));
  const summary: ReportRequest['summary'] = {
    format: formats.size === 1 ? [...formats][0] : 'mixed',
    episodes: run.episodes_judged,
    unreadable: run.episodes_unreadable,
    settings: settingsInEffect(run.settings),
    decisions: { accept: run.accepted, review: run.to_review, reject: run.rejected },
    findings: [...run.findings, ...datasets.flatMap(({ findings }) => [...findings])],
    // Otherwise the run would not have finished.
    incomplete: [],
  };
  const parts = datasets.map(({ path, format, evidence, kind, episodes, unreadable, findings }) => ({
    ...{ path, format, kind, episodes, unreadable, findings: [...findings] },
    evidence: [...evidence],
  }));
  return { summary, listing: run.findings, parts };
}
