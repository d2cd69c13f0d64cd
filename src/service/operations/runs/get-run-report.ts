import { setTimeout as wait } from 'node:timers/promises';
import { AssayError, limits } from '#core';
import { readReportAsset } from '#engine';
import { type RunRow, runRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadRun } from './load-run.ts';

export interface ReportFile {
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/** How long a first reader waits for the report to be drawn, and how often it is looked for. */
const patience_ms = limits.requests.report_wait_ms.value;
const look_ms = 100;
/** How often the blob store is asked meanwhile: whoever draws waits for it longer than anybody who reads. */
const probe_ms = 1000;

/**
 * A file of the report on a run that is done. Drawn when it is first asked for, by whoever works on runs. Throws
 * `not_found`, `not_ready` while the run goes on or its report takes long, `storage_unavailable`.
 */
export async function getRunReport(
  store: Store,
  call: Call,
  { run_id, file }: { readonly run_id: string; readonly file: string },
  signal: AbortSignal,
): Promise<ReportFile> {
  requireRole(call, 'viewer');
  const run = await loadRun(scopeOf(store, call), run_id);
  if (run.stage !== 'done') {
    throw new AssayError('not_ready', 'the run has not come to its end', {
      advice: 'follow GET /v1/runs/{run_id}/stream until it has',
    });
  }
  const asset = await readReportAsset(file);
  if (asset !== null) return { content_type: typeOf(file), bytes: asset };
  const prefix = await drawn(store, call, run, signal);
  if (!drawnFile.test(file)) throw noFile();
  return { content_type: typeOf(file), bytes: await store.blobs.get(prefix + file).catch(unknownFile) };
}

/** What a report draws; its other files are every report's. */
const drawnFile = /^(index|episode)\.html$|^data\/[a-z]+(-\d+)?\.js$/;

const noFile = (): AssayError =>
  new AssayError('not_found', 'the report has no such file', { advice: 'begin at index.html' });

function unknownFile(thrown: unknown): never {
  throw thrown instanceof AssayError && thrown.code === 'not_found' ? noFile() : thrown;
}

async function drawn(store: Store, call: Call, run: RunRow, signal: AbortSignal): Promise<string> {
  if (run.report_prefix !== null) return run.report_prefix;
  const ref = { tenant_id: run.tenant_id, run_id: run.id, attempt: run.attempt };
  await store.queue.send('run_steps', [{ ...ref, step: 'report' }]);
  for (let waited_ms = 0; waited_ms < patience_ms; waited_ms += look_ms) {
    if (waited_ms % probe_ms === 0) await store.blobs.probe();
    await wait(look_ms, undefined, { signal });
    const now = await runRows.getRun(scopeOf(store, call), run.id);
    if (now?.report_prefix) return now.report_prefix;
  }
  throw new AssayError('not_ready', 'the report is being drawn', { advice: 'ask again in a while' });
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

function typeOf(file: string): string {
  return types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
