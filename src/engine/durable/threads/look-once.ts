import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingsRef } from '#io/sources';
import type { LookAnswer } from '../../steps/messages.ts';
import { WorkThread } from './work-threads.ts';

/** Time that the thread is kept for the next plan. */
const idle_ms = 30_000;

interface IdleThread {
  readonly thread: WorkThread;
  readonly folder: string;
  rest: NodeJS.Timeout | undefined;
}
let idleThread: IdleThread | null = null;
let lastLook: Promise<unknown> = Promise.resolve();

/**
 * Finds the datasets of recordings in a worker thread, one call at a time; nothing stays open. Throws as
 * `findDatasets`.
 */
export function lookAtRecordings(recordings: RecordingsRef): Promise<LookAnswer> {
  const looking = lastLook.then(() => look(recordings));
  lastLook = looking.catch(() => {});
  return looking;
}

async function look(recordings: RecordingsRef): Promise<LookAnswer> {
  if (idleThread?.thread.lost === true) endThread();
  idleThread ??= start();
  clearTimeout(idleThread.rest);
  try {
    return (await idleThread.thread.do({ type: 'look', recordings, key: null }, {})) as LookAnswer;
  } finally {
    idleThread.rest = setTimeout(endThread, idle_ms).unref();
  }
}

function start(): IdleThread {
  const folder = mkdtempSync(join(tmpdir(), 'assay-look-'));
  const blobs = { kind: 'folder', folder: join(folder, 'blobs') } as const;
  const thread = new WorkThread({
    blobs,
    scratch: join(folder, 'scratch'),
    patience_ms: 0,
    model_socket: null,
  });
  return { thread, folder, rest: undefined };
}

function endThread(): void {
  if (idleThread === null) return;
  const { thread, folder } = idleThread;
  idleThread = null;
  void thread.end().finally(() => rmSync(folder, { recursive: true, force: true }));
}
