import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type AssayClient, all, type Export, type ExportFile, requestOf } from '@assay/client';
import { AssayError } from '#core';
import { stageFolder, verifyExport } from '#engine/local/export';
import { again_ms, demandPassing } from '../../demand-passing.ts';
import type { Io } from '../../io.ts';
import { createByteLine } from '../../tables/byte-line.ts';
import { ofExport } from './follow-export.ts';

/** Files that are under way at once. */
const atOnce = 4;

/**
 * Brings an export into a new folder, which appears whole and as it was sealed, or not at all. Files that are cut off go
 * on where they stopped. Throws `usage` where the folder holds something, `hash_mismatch` where what came is not what was
 * sealed.
 */
export async function downloadExport(client: AssayClient, made: Export, out: string, io: Io): Promise<void> {
  const staged = stageFolder(out);
  const line = createByteLine(io, 'downloading');
  try {
    const files: ExportFile[] = [];
    for await (const file of all(client.exports.listFiles, ofExport(made))) files.push(file);
    let done = 0;
    const onBytes = (path: string, bytes: number) => {
      done += bytes;
      line.show(path, done, made.bytes);
    };
    const bring = { client, made, folder: staged.path, signal: io.signal, onBytes };
    await Promise.all(Array.from({ length: atOnce }, () => bringEach(bring, files)));
    line.end();
    await demandSealed(staged.path, made);
    staged.finish();
  } catch (thrown) {
    line.end();
    staged.discard();
    throw io.signal.aborted
      ? new AssayError('cancelled', 'the download was stopped; nothing was written')
      : thrown;
  }
}

interface Bringing {
  readonly client: AssayClient;
  readonly made: Export;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onBytes: (path: string, bytes: number) => void;
}

async function bringEach(bringing: Bringing, files: ExportFile[]): Promise<void> {
  for (let file = files.pop(); file !== undefined; file = files.pop()) await bringOne(bringing, file);
}

async function bringOne(bringing: Bringing, file: ExportFile): Promise<void> {
  const { made, folder, signal } = bringing;
  const target = join(folder, ...namesOf(file.path));
  mkdirSync(dirname(target), { recursive: true });
  const state = { done: 0, heard_ms: performance.now() };
  for (;;) {
    try {
      return await bringRest(bringing, file, target, state);
    } catch (thrown) {
      signal.throwIfAborted();
      demandPassing(thrown, state.heard_ms, 'export', requestOf('get_export', ofExport(made)).path);
      await pause(again_ms, null, { signal });
    }
  }
}

/** Brings what is still to come of a file. */
async function bringRest(
  { client, made, signal, onBytes }: Bringing,
  { path, bytes, sha256 }: ExportFile,
  target: string,
  state: { done: number; heard_ms: number },
): Promise<void> {
  const range =
    state.done === 0 || state.done >= bytes ? undefined : { from: state.done, etag: `"${sha256}"` };
  const answer = await client.download(
    'get_export_file',
    { ...ofExport(made), file: path },
    { signal, range },
  );
  if (answer.status !== 206) state.done = 0;
  const body = Readable.fromWeb(answer.body ?? new ReadableStream());
  body.on('data', (chunk: Uint8Array) => {
    state.done += chunk.length;
    state.heard_ms = performance.now();
    onBytes(path, chunk.length);
  });
  const flags = state.done === 0 ? 'w' : 'r+';
  await pipeline(body, createWriteStream(target, { flags, start: state.done }), { signal });
}

/** A service is not trusted to name files outside of the folder. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  if (names.every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\:\0]/.test(name)))
    return names;
  throw new AssayError(
    'hash_mismatch',
    `the service names a file that no export has: ${JSON.stringify(path)}`,
  );
}

async function demandSealed(folder: string, { seal }: Export): Promise<void> {
  const { lineage, problems } = await verifyExport(folder);
  const wrong = lineage.seal === seal ? problems[0] : `its seal is ${lineage.seal}, not ${seal}`;
  if (wrong === undefined) return;
  throw new AssayError('hash_mismatch', `what came is not what was sealed: ${wrong}`, {
    advice: 'nothing was written; download it again',
  });
}
