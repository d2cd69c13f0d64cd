import { setTimeout as wait } from 'node:timers/promises';
import { AssayError, limits } from '#core';
import { readReportAsset } from '#engine';
import { type RunRow, runRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { loadRun } from './manage-runs.ts';

/** A file of a run's report. */
export interface ReportFile {
  readonly content_type: string;
  readonly bytes: Uint8Array;
}

/** Longest wait for the report to be written, and how often the database is polled for it. */
const maxWait_ms = limits.requests.report_wait_ms.value;
const poll_ms = 100;
/** Interval of blob store checks during the wait, so that an unavailable store is reported before the wait ends. */
const probeInterval_ms = 1000;

/**
 * Returns a file of the report of a finished run. Its first request queues the report and waits for a worker to write it.
 * Throws `not_found`, `not_ready` while the run or its report is unfinished, `storage_unavailable`.
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
    throw new AssayError('not_ready', 'the run has not finished', {
      advice: 'wait until GET /v1/runs/{run_id}/stream reports that it has finished',
    });
  }
  const asset = await readReportAsset(file);
  if (asset !== null) return { content_type: contentType(file), bytes: asset };
  const prefix = await awaitReport(store, call, run, signal);
  if (!generatedFile.test(file)) throw noFile();
  return {
    content_type: contentType(file),
    bytes: await store.blobs.get(prefix + file).catch(rethrowAsNoFile),
  };
}

/** Files that are written per report; its other files are shared assets. */
const generatedFile = /^(index|episode)\.html$|^data\/[a-z]+(-\d+)?\.js$/;

const noFile = (): AssayError =>
  new AssayError('not_found', 'file not found in the report', { advice: 'start with index.html' });

function rethrowAsNoFile(thrown: unknown): never {
  throw thrown instanceof AssayError && thrown.code === 'not_found' ? noFile() : thrown;
}

async function awaitReport(store: Store, call: Call, run: RunRow, signal: AbortSignal): Promise<string> {
  if (run.report_prefix !== null) return run.report_prefix;
  const ref = { tenant_id: run.tenant_id, run_id: run.id, attempt: run.attempt };
  await store.queue.send('run_steps', [{ ...ref, step: 'report' }]);
  for (let waited_ms = 0; waited_ms < maxWait_ms; waited_ms += poll_ms) {
    if (waited_ms % probeInterval_ms === 0) await store.blobs.probe();
    await wait(poll_ms, undefined, { signal });
    const now = await runRows.getRun(scopeOf(store, call), run.id);
    if (now?.report_prefix) return now.report_prefix;
  }
  throw new AssayError('not_ready', 'the report is being created', { advice: 'try again in a few seconds' });
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

function contentType(file: string): string {
  return contentTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
