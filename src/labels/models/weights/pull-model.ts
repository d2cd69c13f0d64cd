import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { ModelOption, Pin, WeightSource } from '../surface.ts';
import { download, type FileDigest } from './download.ts';
import { hashFile } from './hash-file.ts';
import { type Pins, readAcceptedPins, writeAcceptedPins } from './pins.ts';
import { listWeightFiles, pullingPath, weightsPath } from './weight-folders.ts';

/** Options of `pullModel`. */
export interface PullOptions {
  readonly data_folder: string;
  /** Hub address as `https://host`, without a trailing slash. */
  readonly hub: string;
  /** Pins given by the user; pins of the registry take precedence. */
  readonly pins: Pins;
  /** SHA-256 hashes that the user accepts for files without a pin. */
  readonly accept: readonly string[];
  readonly signal: AbortSignal;
  /**
   * Locks a folder for this process.
   * @throws `folder_locked` if another process holds it.
   */
  lock(folder: string): { release(): void };
  onBytes(path: string, bytes: number, total: number | null): void;
}

/**
 * Verdict on a file. `pinned`: it matches its pin. `accepted`: it has no pin, and its hash was accepted.
 * `not_pinned`: it has no pin. `mismatch`: it differs from its pin.
 */
type PullVerdict = 'pinned' | 'accepted' | 'not_pinned' | 'mismatch';

interface PulledFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly verdict: PullVerdict;
  /** Expected SHA-256, for a mismatch; else `null`. */
  readonly expected: string | null;
  /** Download address; `null` if the file was already there. */
  readonly url: string | null;
}

/** Result of a pull. */
export interface PullResult {
  readonly model: string;
  /** Model folder. */
  readonly folder: string;
  /** Whether all files are in place and match their pin or were accepted. */
  readonly installed: boolean;
  readonly files: readonly PulledFile[];
}

/**
 * Downloads a model's missing weights and installs all of them if every file matches its pin or was accepted, else
 * none; returns the verdict of each file. Files that are already in place are checked, not downloaded.
 *
 * @throws what `download` throws; `not_found` if the registry lists no files and none are in the folder;
 * `folder_locked` while another process pulls the model.
 */
export async function pullModel(option: ModelOption, options: PullOptions): Promise<PullResult> {
  const { data_folder } = options;
  const task = await filesToPull(option, data_folder);
  const staging = pullingPath(data_folder, option.id);
  const lock = lockStaging(staging, option.id, options);
  try {
    const accepted = await readAcceptedPins(data_folder, option.id);
    const files: PulledFile[] = [];
    for (const [path, pin] of task) {
      files.push(
        await obtainFile({
          option,
          options,
          staging,
          path,
          pins: [pin ?? options.pins[path], accepted[path]],
        }),
      );
    }
    const installed = files.every(({ verdict }) => verdict === 'pinned' || verdict === 'accepted');
    const folder = weightsPath(data_folder, option.id);
    if (installed) await moveIntoPlace({ data_folder, staging, folder, model: option.id, files, accepted });
    return { model: option.id, folder, installed, files };
  } finally {
    lock.release();
  }
}

function lockStaging(staging: string, model: string, { lock }: PullOptions) {
  try {
    return lock(staging);
  } catch (thrown) {
    if (!(thrown instanceof AssayError) || thrown.code !== 'folder_locked') throw thrown;
    throw new AssayError('folder_locked', `another process is already pulling ${model}`, {
      path: staging,
      advice: 'wait until it has finished',
      cause: thrown,
    });
  }
}

/** Returns the files of the registry; if it lists none, those in the model folder. */
async function filesToPull(
  { id, weights }: ModelOption,
  data_folder: string,
): Promise<readonly (readonly [path: string, pin: Pin | null])[]> {
  if (weights !== undefined) return weights.files.map(({ path, pin }) => [path, pin]);
  const existing = [...((await listWeightFiles(data_folder)).get(id) ?? [])].sort();
  if (existing.length > 0) return existing.map((path) => [path, null]);
  const folder = weightsPath(data_folder, id);
  throw new AssayError(
    'not_found',
    `no published weights are known for ${id} that match its benchmark results`,
    {
      path: folder,
      advice: `export the model to ONNX, copy the .onnx and its data files to ${folder}, then run: assay models pull ${id}`,
    },
  );
}

interface PullTask {
  readonly option: ModelOption;
  readonly options: PullOptions;
  readonly staging: string;
  readonly path: string;
  /** Pin of the registry or user; pin accepted earlier. */
  readonly pins: readonly [firm: Pin | undefined, before: Pin | undefined];
}

async function obtainFile(task: PullTask): Promise<PulledFile> {
  const { option, options, path } = task;
  const existingDigest = await hashIfPresent(
    join(weightsPath(options.data_folder, option.id), path),
    options.signal,
  );
  const existing = existingDigest === null ? null : judgeFile(task, existingDigest, null);
  if (existing !== null && (existing.verdict !== 'mismatch' || option.weights === undefined)) return existing;
  return fetchFile(task, option.weights!);
}

async function fetchFile(task: PullTask, source: WeightSource): Promise<PulledFile> {
  const { option, options, path, staging, pins } = task;
  const url = `${options.hub}/${source.repository}/resolve/${source.revision}/${path}`;
  const staging_path = join(staging, 'files', path);
  const digest = await download({
    url,
    target: join(weightsPath(options.data_folder, option.id), path),
    staging_path,
    max_bytes: pins[0]?.bytes ?? null,
    signal: options.signal,
    onBytes: (bytes, total) => options.onBytes(path, bytes, total),
  });
  const pulled = judgeFile(task, digest, url);
  // A later pull must not reuse it.
  if (pulled.verdict === 'mismatch') await rm(staging_path, { force: true });
  return pulled;
}

function judgeFile(
  { path, pins: [registryPin, acceptedPin], options }: PullTask,
  digest: FileDigest,
  url: string | null,
): PulledFile {
  const pin = registryPin ?? (options.accept.includes(digest.sha256) ? undefined : acceptedPin);
  const facts = { path, sha256: digest.sha256, bytes: digest.bytes, url };
  if (pin !== undefined) {
    const matches = pin.sha256 === digest.sha256 && (pin.bytes === null || pin.bytes === digest.bytes);
    return { ...facts, verdict: matches ? 'pinned' : 'mismatch', expected: matches ? null : pin.sha256 };
  }
  return {
    ...facts,
    verdict: options.accept.includes(digest.sha256) ? 'accepted' : 'not_pinned',
    expected: null,
  };
}

async function hashIfPresent(path: string, signal: AbortSignal): Promise<FileDigest | null> {
  return hashFile(path, signal).catch((thrown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  });
}

interface CompletedPull {
  readonly data_folder: string;
  readonly staging: string;
  readonly folder: string;
  readonly model: string;
  readonly files: readonly PulledFile[];
  readonly accepted: Pins;
}

/**
 * Writes the pins, then moves the files: if the process is killed in between, the next pull continues and accepts
 * nothing else.
 */
async function moveIntoPlace({
  data_folder,
  staging,
  folder,
  model,
  files,
  accepted,
}: CompletedPull): Promise<void> {
  const pins = files.map(({ path, sha256, bytes }) => [path, { sha256, bytes }] as const);
  await writeAcceptedPins(data_folder, model, { ...accepted, ...Object.fromEntries(pins) });
  for (const { path } of files.filter(({ url }) => url !== null)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(join(staging, 'files', path), target);
  }
  await rm(join(staging, 'files'), { recursive: true, force: true });
}
