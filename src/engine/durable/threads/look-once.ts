import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingsRef } from '#io/sources';
import type { LookAnswer } from '../../steps/messages.ts';
import { WorkThread } from './work-thread.ts';

/** A thread is kept for the next plan so long. */
const idle_ms = 30_000;

interface Kept {
  readonly thread: WorkThread;
  readonly folder: string;
  rest: NodeJS.Timeout | undefined;
}
let kept: Kept | null = null;
let last: Promise<unknown> = Promise.resolve();

/** Looks at recordings in a thread, one look after the other; nothing stays open. Throws as `findDatasets`. */
export function lookOnce(recordings: RecordingsRef): Promise<LookAnswer> {
  const looking = last.then(() => look(recordings));
  last = looking.catch(() => {});
  return looking;
}

async function look(recordings: RecordingsRef): Promise<LookAnswer> {
  if (kept?.thread.lost === true) rest();
  kept ??= start();
  clearTimeout(kept.rest);
  try {
    return (await kept.thread.do({ type: 'look', recordings, key: null }, {})) as LookAnswer;
  } finally {
    kept.rest = setTimeout(rest, idle_ms).unref();
  }
}

function start(): Kept {
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

function rest(): void {
  if (kept === null) return;
  const { thread, folder } = kept;
  kept = null;
  void thread.end().finally(() => rmSync(folder, { recursive: true, force: true }));
}
