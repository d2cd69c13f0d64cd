import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AssayError } from '#core';
import type { ModelOption, Pin, WeightSource } from '../surface.ts';
import { type Came, download } from './download.ts';
import { hashFile } from './hash-file.ts';
import { listPlaced } from './list-placed.ts';
import { type Pins, readAcceptedPins, writeAcceptedPins } from './pins.ts';
import { pullingPath, weightsPath } from './weight-folders.ts';

export interface PullOptions {
  readonly data_folder: string;
  /** `https://host`, without a slash at its end. */
  readonly hub: string;
  /** What a person says the files must be; the registry's own pins win. */
  readonly pins: Pins;
  /** Hashes that a person accepts for files that nobody has pinned. */
  readonly accept: readonly string[];
  readonly signal: AbortSignal;
  /** Takes a folder for this process. Throws `folder_locked`. */
  lock(folder: string): { release(): void };
  onBytes(path: string, bytes: number, total: number | null): void;
}

/**
 * `pinned`: what a pin says. `accepted`: nobody had pinned it, and its hash was accepted. `not_pinned`: nobody has said
 * what it must be. `mismatch`: not what the pin says.
 */
type PullVerdict = 'pinned' | 'accepted' | 'not_pinned' | 'mismatch';

interface PulledFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly verdict: PullVerdict;
  /** The pin it misses. */
  readonly expected: string | null;
  /** Null where the file was here. */
  readonly url: string | null;
}

export interface Pulled {
  readonly model: string;
  /** On this machine. */
  readonly folder: string;
  /** Whether all files are in place, each what was pinned or accepted. */
  readonly installed: boolean;
  readonly files: readonly PulledFile[];
}

/**
 * Brings a model's weights here and puts them in place once every file is what was pinned or accepted: all or none. A
 * file that lies there already is judged and not downloaded. Throws what `download` throws, `not_found` where no files
 * are known and none were placed, `folder_locked` while another pull of the model is at work.
 */
export async function pullModel(option: ModelOption, options: PullOptions): Promise<Pulled> {
  const { data_folder } = options;
  const wanted = await wantedFiles(option, data_folder);
  const staging = pullingPath(data_folder, option.id);
  const lock = lockStaging(staging, option.id, options);
  try {
    const accepted = await readAcceptedPins(data_folder, option.id);
    const files: PulledFile[] = [];
    for (const [path, pin] of wanted) {
      files.push(
        await obtain({ option, options, staging, path, pins: [pin ?? options.pins[path], accepted[path]] }),
      );
    }
    const installed = files.every(({ verdict }) => verdict === 'pinned' || verdict === 'accepted');
    const folder = weightsPath(data_folder, option.id);
    if (installed) await putInPlace({ data_folder, staging, folder, model: option.id, files, accepted });
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
    throw new AssayError('folder_locked', `${model} is being pulled by another process`, {
      path: staging,
      advice: 'wait until it has finished',
      cause: thrown,
    });
  }
}

/** What the registry names; where it names nothing, what a person has placed. */
async function wantedFiles(
  { id, weights }: ModelOption,
  data_folder: string,
): Promise<readonly (readonly [path: string, pin: Pin | null])[]> {
  if (weights !== undefined) return weights.files.map(({ path, pin }) => [path, pin]);
  const placed = [...((await listPlaced(data_folder)).get(id) ?? [])].sort();
  if (placed.length > 0) return placed.map((path) => [path, null]);
  const folder = weightsPath(data_folder, id);
  throw new AssayError(
    'not_found',
    `no published files of ${id} are known whose figures are those of its evidence`,
    {
      path: folder,
      advice: `export it to ONNX, put the .onnx and what it needs into ${folder}, then run: assay models pull ${id}`,
    },
  );
}

interface Wanted {
  readonly option: ModelOption;
  readonly options: PullOptions;
  readonly staging: string;
  readonly path: string;
  /** Of the registry or a person; as accepted before. */
  readonly pins: readonly [firm: Pin | undefined, before: Pin | undefined];
}

async function obtain(wanted: Wanted): Promise<PulledFile> {
  const { option, options, path } = wanted;
  const here = await hashIfThere(join(weightsPath(options.data_folder, option.id), path), options.signal);
  const placed = here === null ? null : judge(wanted, here, null);
  if (placed !== null && (placed.verdict !== 'mismatch' || option.weights === undefined)) return placed;
  return fetchFile(wanted, option.weights!);
}

async function fetchFile(wanted: Wanted, source: WeightSource): Promise<PulledFile> {
  const { option, options, path, staging, pins } = wanted;
  const url = `${options.hub}/${source.repository}/resolve/${source.revision}/${path}`;
  const staged = join(staging, 'files', path);
  const came = await download({
    url,
    place: join(weightsPath(options.data_folder, option.id), path),
    staged,
    most_bytes: pins[0]?.bytes ?? null,
    signal: options.signal,
    onBytes: (bytes, total) => options.onBytes(path, bytes, total),
  });
  const judged = judge(wanted, came, url);
  // Another pull shall not find it.
  if (judged.verdict === 'mismatch') await rm(staged, { force: true });
  return judged;
}

function judge({ path, pins: [firm, before], options }: Wanted, came: Came, url: string | null): PulledFile {
  const pin = firm ?? (options.accept.includes(came.sha256) ? undefined : before);
  const said = { path, sha256: came.sha256, bytes: came.bytes, url };
  if (pin !== undefined) {
    const fits = pin.sha256 === came.sha256 && (pin.bytes === null || pin.bytes === came.bytes);
    return { ...said, verdict: fits ? 'pinned' : 'mismatch', expected: fits ? null : pin.sha256 };
  }
  return {
    ...said,
    verdict: options.accept.includes(came.sha256) ? 'accepted' : 'not_pinned',
    expected: null,
  };
}

async function hashIfThere(path: string, signal: AbortSignal): Promise<Came | null> {
  return hashFile(path, signal).catch((thrown) => {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  });
}

interface Finished {
  readonly data_folder: string;
  readonly staging: string;
  readonly folder: string;
  readonly model: string;
  readonly files: readonly PulledFile[];
  readonly accepted: Pins;
}

/** The pins first: a pull that is killed here is gone on with by the next, and accepts nothing else. */
async function putInPlace({ data_folder, staging, folder, model, files, accepted }: Finished): Promise<void> {
  const pins = files.map(({ path, sha256, bytes }) => [path, { sha256, bytes }] as const);
  await writeAcceptedPins(data_folder, model, { ...accepted, ...Object.fromEntries(pins) });
  for (const { path } of files.filter(({ url }) => url !== null)) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(join(staging, 'files', path), place);
  }
  await rm(join(staging, 'files'), { recursive: true, force: true });
}
