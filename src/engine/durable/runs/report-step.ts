import { basename } from 'node:path';
import type { Assessment } from '#core/api';
import { annotationRows, runResultRows, runRows, sourceRows } from '#store';
import { settingsInEffect } from '../../steps/judge/settings-in-effect.ts';
import type { ReportRequest } from '../../steps/messages.ts';
import type { Engine } from '../engine.ts';
import { blobPrefix, briefOf, reportPrefix } from './briefs.ts';
import { type RunRef, workOf } from './run-ref.ts';

/** Annotations that a report shows at most, of the first episodes: a thread holds where all of them lie. */
const mostAnnotations = 20_000;

/**
 * Draws the report of a run that has ended. Its files have the same names and bytes however often it is drawn, so two who
 * draw it at once, or one who died over it, do no harm.
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
      run: await briefOf(engine, ref),
      units: await runResultRows.judgedAsJson(workOf(engine.store, ref)),
      layers: await annotationRows.layersOfRunAsJson(workOf(engine.store, ref), mostAnnotations),
      title: source === null ? run.id : basename(source.name),
      ...(await summaryOf(engine, ref)),
      prefix,
    },
    { signal },
  );
  await runRows.updateRun(scope, ref.run_id, { report_prefix: `${prefix}/` });
}

/** The dataset part of what `assess --json` prints but for what receipts say, and the findings of each dataset. */
async function summaryOf(engine: Engine, ref: RunRef): Promise<Pick<ReportRequest, 'summary' | 'findings'>> {
  const { sql } = engine.store.database;
  const run = (await runRows.getRun({ sql, tenant_id: ref.tenant_id }, ref.run_id))!;
  const datasets = await runResultRows.listDatasets(workOf(engine.store, ref));
  const formats = new Set(datasets.map(({ format }) => format));
  const summary: Assessment['dataset'] = {
    format: formats.size === 1 ? [...formats][0] : 'mixed',
    episodes: run.episodes_judged,
    unreadable: run.episodes_unreadable,
    settings: settingsInEffect(run.settings),
    decisions: { accept: run.accepted, review: run.to_review, reject: run.rejected },
    findings: [...run.findings, ...datasets.flatMap(({ findings }) => [...findings])],
    // Else the run would not have come to its end.
    incomplete: [],
    parts: datasets.map(({ path, format, evidence, kind, episodes }) => ({
      path,
      format,
      evidence: [...evidence],
      kind,
      episodes,
      loads: null,
    })),
  };
  const findings = datasets.map((dataset) => dataset.findings);
  return { summary, findings };
}
