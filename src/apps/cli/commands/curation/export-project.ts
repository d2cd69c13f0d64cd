import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type AssayClient, all, type Export, type ExportFile, requestOf } from '#client';
import { AssayError, errorCodes } from '#core';
import { stageFolder, verifyExport } from '#engine/local/export';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import {
  projectOf,
  reachService,
  retryDelay_ms,
  type ServiceArguments,
  throwUnlessTransient,
} from '../../service-client.ts';
import { createByteLine } from '../../tables/byte-line.ts';
import { createJobLine } from '../../tables/job-line.ts';
import { bytesInWords, count } from '../../text.ts';
import { type EditArguments, editsOf } from './edit-arguments.ts';

export interface ExportProjectArguments extends ServiceArguments, EditArguments {
  /** Project id, or a name that is unique among projects. */
  readonly project: string;
  /** Id of an existing export to follow and download, instead of creating one. */
  readonly export?: string;
  /** Defaults to the format of the project's target profile. */
  readonly format?: Exclude<Export['format'], 'certified-bundle'>;
  readonly rate?: number;
  readonly source?: string;
  readonly withReview?: boolean;
  readonly only?: readonly string[];
  readonly without?: readonly string[];
  /** Id of an applied curation plan. */
  readonly plan?: string;
  readonly out?: string;
  /** `true` includes the annotations of the project. */
  readonly annotations?: string | true;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * Runs `assay export --project P`: creates an export at a running service, waits for it and downloads it into `out`.
 * Ctrl-C leaves the export running. Returns 0 if it succeeded, 4 if it was cancelled or is still running, else the exit code
 * of its error.
 */
export async function exportProjectCommand(
  args: ExportProjectArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  // Refuse an unusable folder before the service creates the export.
  if (args.out !== undefined) stageFolder(args.out).discard();
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const made = await (args.export === undefined
    ? create(client, project_id, args)
    : client.exports.get({ project_id, export_id: args.export }));
  const last = await followExport(client, made, io);
  if (!hasFinished(last)) noteStillRunning(client, last, io);
  const isWhole = last.status === 'succeeded' || last.status === 'sealed';
  if (isWhole && args.out !== undefined) await downloadExport(client, last, args.out, io);
  await io.out(args.json === true ? `${JSON.stringify(last)}\n` : inWords(last, args));
  return exitOf(last);
}

function create(
  client: AssayClient,
  project_id: string,
  { format, rate, source, withReview, only, without, plan, annotations, ...rest }: ExportProjectArguments,
): Promise<Export> {
  const decisions: ('accept' | 'review')[] = withReview === true ? ['accept', 'review'] : ['accept'];
  const episodes = {
    decisions,
    ...(only === undefined ? {} : { episode_ids: [...only] }),
    ...(without === undefined ? {} : { without: [...without] }),
    ...(plan === undefined ? {} : { curation_id: plan }),
  };
  const exportRequest = {
    project_id,
    ...(format === undefined ? {} : { format }),
    rate_hz: rate,
    episodes,
    edits: editsOf(rest),
    ...(annotations === undefined ? {} : { annotations: true }),
    ...(source === undefined ? {} : { source_id: source }),
  };
  return client.exports.create(exportRequest);
}

function noteStillRunning(client: AssayClient, made: Export, io: Io): void {
  const [shown, ended] = [
    requestOf('get_export', exportParameters(made)),
    requestOf('cancel_export', exportParameters(made)),
  ];
  io.note('assay: stopped showing progress; the export keeps running\n');
  io.note(
    `       progress: GET ${client.address}${shown.path}, cancel: POST ${client.address}${ended.path}\n`,
  );
}

function inWords(made: Export, { out }: ExportProjectArguments): string {
  const { kept, dropped } = made.episodes;
  const lines = [
    `Export ${made.id} ${made.status}: ${kept} of ${count(kept + dropped, 'episode')}, ${made.format}`,
  ];
  const held = made.episodes.dropped_by.find(({ stage }) => stage === 'held_out');
  if (held !== undefined)
    lines.push(`  ${count(held.episodes, 'episode')} reserved for evaluation by locked slices`);
  if (made.error !== null)
    lines.push(`  ${[made.error.message, made.error.advice].filter(Boolean).join('; ')}`);
  if (made.seal !== null)
    lines.push(`  ${count(made.files, 'file')}, ${bytesInWords(made.bytes)}`, `Seal:    ${made.seal}`);
  if (made.seal !== null && out !== undefined) lines.push(`Written: ${out}, matches the seal`);
  else if (made.seal !== null)
    lines.push(
      `Next:    assay export --project ${made.project_id} --export ${made.id} --out DIR  # download it`,
    );
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the exit code of an export: 0 succeeded, 4 not finished or cancelled; a failed export exits with the code of
 * its error.
 */
function exitOf({ status, error }: Export): number {
  if (status === 'succeeded' || status === 'sealed') return 0;
  if (status !== 'failed') return 4;
  const code = Object.keys(errorCodes).find((known) => known === error?.code) as
    | keyof typeof errorCodes
    | undefined;
  return errorCodes[code ?? 'internal'].exit;
}

/** Checks that either a path or a project is given, and that no option belongs to the other. Throws `usage`. */
export function requirePathOrProject(paths: readonly string[], args: Partial<ExportProjectArguments>): void {
  const isHere = paths.length > 0;
  if (isHere && args.annotations === true)
    throw new AssayError('usage', '--annotations needs a folder', {
      advice: 'pass the folder that assay annotate PATH --out wrote',
    });
  if (!isHere && typeof args.annotations === 'string')
    throw new AssayError('usage', '--annotations takes no folder with --project', {
      advice: 'leave the folder out; the export includes the annotations of the project',
    });
  if (!isHere && args.dryRun === true)
    throw new AssayError('usage', '--dry-run does not work with --project', {
      advice: 'leave it out, or use a path',
    });
  if (isHere !== (args.project !== undefined)) return;
  throw new AssayError(
    'usage',
    !isHere ? 'export needs a path or --project' : 'export takes a path or --project, not both',
    { advice: 'pass recordings on this machine, or --project with a project of a running service' },
  );
}

/** Maximum number of files downloaded in parallel. */
const maxParallelDownloads = 4;

/**
 * Downloads an export into a new folder, which appears complete and verified or not at all. Interrupted files resume at
 * their last byte. Throws `usage` if the folder is not empty, `hash_mismatch` if the files do not match the seal.
 */
async function downloadExport(client: AssayClient, made: Export, out: string, io: Io): Promise<void> {
  const staged = stageFolder(out);
  const line = createByteLine(io, 'downloading');
  try {
    const files: ExportFile[] = [];
    for await (const file of all(client.exports.listFiles, exportParameters(made))) files.push(file);
    let done = 0;
    const onBytes = (path: string, bytes: number) => {
      done += bytes;
      line.show(path, done, made.bytes);
    };
    const bring = { client, made, folder: staged.path, signal: io.signal, onBytes };
    await Promise.all(Array.from({ length: maxParallelDownloads }, () => downloadFiles(bring, files)));
    line.end();
    await assertSealMatches(staged.path, made);
    staged.finish();
  } catch (thrown) {
    line.end();
    staged.discard();
    throw io.signal.aborted
      ? new AssayError('cancelled', 'the download was interrupted; nothing was written')
      : thrown;
  }
}

interface Download {
  readonly client: AssayClient;
  readonly made: Export;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly onBytes: (path: string, bytes: number) => void;
}

async function downloadFiles(bringing: Download, files: ExportFile[]): Promise<void> {
  for (let file = files.pop(); file !== undefined; file = files.pop()) await downloadFile(bringing, file);
}

async function downloadFile(bringing: Download, file: ExportFile): Promise<void> {
  const { made, folder, signal } = bringing;
  const target = join(folder, ...namesOf(file.path));
  mkdirSync(dirname(target), { recursive: true });
  const state = { done: 0, heard_ms: performance.now() };
  for (;;) {
    try {
      return await downloadRemaining(bringing, file, target, state);
    } catch (thrown) {
      signal.throwIfAborted();
      throwUnlessTransient(
        thrown,
        state.heard_ms,
        'export',
        requestOf('get_export', exportParameters(made)).path,
      );
      await pause(retryDelay_ms, null, { signal });
    }
  }
}

/** Downloads the remaining bytes of a file from `state.done` on, and updates `state` with each chunk. */
async function downloadRemaining(
  { client, made, signal, onBytes }: Download,
  { path, bytes, sha256 }: ExportFile,
  target: string,
  state: { done: number; heard_ms: number },
): Promise<void> {
  const range =
    state.done === 0 || state.done >= bytes ? undefined : { from: state.done, etag: `"${sha256}"` };
  const answer = await client.download(
    'get_export_file',
    { ...exportParameters(made), file: path },
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

/** Splits a file path of an export into names. Throws `hash_mismatch` for a path that could leave the target folder. */
function namesOf(path: string): string[] {
  const names = path.split('/');
  if (names.every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\:\0]/.test(name)))
    return names;
  throw new AssayError('hash_mismatch', `the service returned an invalid file path: ${JSON.stringify(path)}`);
}

async function assertSealMatches(folder: string, { seal }: Export): Promise<void> {
  const { lineage, problems } = await verifyExport(folder);
  const wrong = lineage.seal === seal ? problems[0] : `its seal is ${lineage.seal}, expected ${seal}`;
  if (wrong === undefined) return;
  throw new AssayError('hash_mismatch', `the download does not match the seal of the export: ${wrong}`, {
    advice: 'nothing was written; download it again',
  });
}

/** Interval between two polls of the export. */
const pollInterval_ms = 500;

const hasFinished = ({ status }: Export): boolean => status !== 'queued' && status !== 'running';

/** Returns the path parameters of operations on one export. */
const exportParameters = ({ id, project_id }: Export) => ({ project_id, export_id: id });

/**
 * Polls an export until it ends or the user presses Ctrl-C, and returns its latest known state. Throws
 * `storage_unavailable` if the service stays unreachable.
 */
async function followExport(client: AssayClient, made: Export, io: Io): Promise<Export> {
  const line = createJobLine(io, 'export');
  let [now, heard_ms] = [made, performance.now()];
  try {
    while (!hasFinished(now) && !io.signal.aborted) {
      line.show({ done: now.episodes.written, total: now.episodes.kept, eta_s: null });
      await pause(pollInterval_ms, null, { signal: io.signal }).catch(() => {});
      try {
        const next = await client.exports.get(exportParameters(made), { tries: 1 });
        const waits = next.waiting?.message;
        if (waits !== undefined && waits !== now.waiting?.message) line.say(`export waiting: ${waits}`);
        [now, heard_ms] = [next, performance.now()];
      } catch (thrown) {
        throwUnlessTransient(
          thrown,
          heard_ms,
          'export',
          requestOf('get_export', exportParameters(made)).path,
        );
        await pause(retryDelay_ms, null, { signal: io.signal }).catch(() => {});
      }
    }
    return now;
  } finally {
    line.end();
  }
}
