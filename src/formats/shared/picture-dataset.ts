import {
  type Episode,
  type Event,
  type Finding,
  type PictureLabel,
  pictureFormat,
  type SourceRef,
  unknownOutcome,
} from '#core/episode';
import { createFileHasher, type FileEntry, type SourceTree } from '#io/sources';
import { isPictureName } from './file-names.ts';
import type { Dataset, DatasetFacts, ReadOptions, Recognition, Unreadable, WorkUnit } from './reader.ts';
import { splitFromPath } from './splits.ts';

/** Pictures per work unit. */
const picturesPerUnit = 500;
/** Files hashed concurrently, so that reading the next one overlaps with hashing the current one. */
const maxConcurrentHashes = 4;

/** Input of `pictureDataset`: files, facts and findings of a set of pictures. */
export interface PictureSet {
  readonly tree: SourceTree;
  readonly recognition: Recognition;
  readonly facts: DatasetFacts;
  readonly findings: readonly Finding[];
  /**
   * File size of each picture in bytes; its length is the number of pictures. `entry(i)` loads one entry on demand, so
   * that a large set is not held in memory.
   */
  readonly bytes: ArrayLike<number>;
  entry(index: number): PictureEntry | Promise<PictureEntry>;
}

/** Creates a dataset of single pictures: one episode per picture, 500 episodes per work unit. */
export function pictureDataset(set: PictureSet): Dataset {
  return {
    facts: set.facts,
    recognition: set.recognition,
    findings: set.findings,
    units: planUnits(set.bytes),
    read: (unit, options) => readUnit(set, unit, options),
    close: async () => {},
  };
}

function planUnits(bytes: ArrayLike<number>): WorkUnit[] {
  const units: WorkUnit[] = [];
  for (let first = 0; first < bytes.length; first += picturesPerUnit) {
    const count = Math.min(picturesPerUnit, bytes.length - first);
    let sum = 0;
    for (let i = first; i < first + count; i++) sum += bytes[i];
    units.push({
      id: `pictures ${first}`,
      expected_episodes: count,
      first_index: first,
      bytes: sum,
      look_bytes: 0,
      selector: null,
    });
  }
  return units;
}

async function* readUnit(
  set: PictureSet,
  unit: WorkUnit,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { signal, onBytes } = options;
  const hasher = createFileHasher(set.tree);
  const end = unit.first_index + unit.expected_episodes;
  let read = 0;
  const start = async (index: number) => {
    const entry = await set.entry(index);
    return { entry, sha256: options.look === true ? undefined : await hasher.sha256(entry.path) };
  };
  const pending = [];
  for (let i = unit.first_index; i < Math.min(end, unit.first_index + maxConcurrentHashes); i++)
    pending.push(start(i));
  for (let index = unit.first_index; index < end; index++) {
    signal?.throwIfAborted();
    const current = pending.shift()!;
    if (index + maxConcurrentHashes < end) pending.push(start(index + maxConcurrentHashes));
    const { entry, sha256 } = await current;
    read += entry.bytes;
    onBytes?.(read);
    const own = entry.findings ?? [];
    const findings = sha256 === null ? [...own, unreadableFinding(entry.path)] : own;
    yield pictureEpisode(entry, { format: set.facts.format, index, sha256: sha256 ?? null, findings });
  }
}

function unreadableFinding(path: string): Finding {
  return {
    code: 'file_unreadable',
    severity: 'error',
    path,
    message: `cannot read ${path}`,
    advice: 'check that the file exists and that you have permission to read it',
  };
}

/** A picture that becomes one episode. */
export interface PictureEntry {
  readonly path: string;
  readonly bytes: number;
  /** `null` if the set has no labels at all; empty if this picture has none. */
  readonly labels: readonly PictureLabel[] | null;
  readonly size_px: readonly [width: number, height: number] | null;
  /** Captions of the picture and the file each one is from. */
  readonly captions: readonly { readonly text: string; readonly source: string }[];
  /** Annotation files that the labels and captions are from. */
  readonly annotations: readonly SourceRef[];
  readonly findings?: readonly Finding[];
}

interface PictureSource {
  readonly format: string;
  readonly index: number;
  readonly sha256: string | null;
  readonly findings: readonly Finding[];
}

/** Builds the episode of a picture: one camera stream, no clock, duration 0. */
function pictureEpisode(entry: PictureEntry, source: PictureSource): Episode {
  const { path, bytes } = entry;
  const split = splitFromPath(path);
  const events = entry.captions.map(({ text, source }): Event => ({ time_s: 0, label: text, source }));
  return {
    id: path,
    index: source.index,
    locator: { format: source.format, path },
    sources: [{ path, bytes, sha256: source.sha256, role: 'image' }, ...entry.annotations],
    start_ns: null,
    duration_s: 0,
    streams: [
      {
        id: 'picture',
        role: 'camera',
        modality: 'image',
        // Left empty because the pictures of a set differ in size; the size is in `declared_size_px`.
        shape: [],
        names: null,
        unit: { unit: 'px', evidence: 'known_format', reason: 'an image file' },
        declared_rate_hz: null,
        sample_count: 1,
        clocks: [],
        clock: null,
        frames: {
          locator: { type: 'image-files', paths: [path] },
          declared_size_px: entry.size_px,
          declared_codec: null,
        },
      },
    ],
    events,
    tasks: null,
    outcome: unknownOutcome,
    robot: null,
    calibrations: [],
    grippers: [],
    labels: entry.labels,
    ...(split === null ? {} : { split }),
    findings: source.findings,
  };
}

const extensionless = /(^|\/)[^./]+$/;
/** Maximum number of files without an extension whose first bytes are read. */
const maxExtensionless = 256;
/** Maximum number of files with a picture extension whose first bytes are read. */
const maxSampledHeads = 32;
const headBytes = 16;

/**
 * Returns the files with a picture extension and those without extension that begin as a picture, and the formats
 * found; `null` if none of the sampled files begins as a picture.
 *
 * A file with a picture extension and other content stays included, to be reported as broken.
 */
export async function pictureFiles(
  tree: SourceTree,
): Promise<{ files: FileEntry[]; formats: string[] } | null> {
  const named = tree.files.filter((file) => isPictureName(file.path));
  const step = Math.max(1, Math.ceil(named.length / maxSampledHeads));
  const formats = new Set<string>();
  for (let i = 0; i < named.length; i += step) {
    const format = await detectFormat(tree, named[i]);
    if (format !== null) formats.add(format);
  }
  const unnamed: FileEntry[] = [];
  for (const file of tree.files.filter((one) => extensionless.test(one.path)).slice(0, maxExtensionless)) {
    const format = await detectFormat(tree, file);
    if (format === null) continue;
    formats.add(format);
    unnamed.push(file);
  }
  if (formats.size === 0) return null;
  const files = [...named, ...unnamed].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, formats: [...formats].sort() };
}

async function detectFormat(tree: SourceTree, file: FileEntry): Promise<string | null> {
  if (file.bytes === 0) return null;
  return pictureFormat(await tree.head(file.path, headBytes).catch(() => new Uint8Array()));
}
