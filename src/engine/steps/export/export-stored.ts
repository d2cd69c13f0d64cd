import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AssayError, blobFolderError, isMachineFault, parseJson, sha256 } from '#core';
import type { ExportFormatId, Receipt } from '#core/api';
import type { TrimSpan } from '#formats/write';
import { computeTime_ms } from '#io/processes';
import type { RecordingsRef, RecordingsSource } from '#io/sources';
import { ClassNames, renameClasses } from '#labels/annotation';
import type { ChosenRow } from '#store';
import { closeRecordings, openRecordings } from '../../open-recordings.ts';
import { dropEdits, type ExportedLayer } from '../exported-layers.ts';
import { findDatasets } from '../find-datasets.ts';
import type { ExportAnswer, ExportRequest, StepContext } from '../messages.ts';
import { BlobWindow } from '../packs/blob-readers.ts';
import type { AnnotationSource, StoredArtifact } from '../read-annotations.ts';
import type { ExportedSet, ExportSource } from './export-request.ts';
import { exportSet, findDataset } from './export-set.ts';
import { holdsJudgements } from './judged-facts.ts';
import { type HashedFile, lineageFile, sealSet } from './lineage.ts';
import {
  collectJudged,
  requireSourcesUnchanged,
  type SealedReceipt,
  toSealedReceipt,
} from './sealed-receipts.ts';
import { storeFiles } from './store-files.ts';

/**
 * Writes a set of some episodes of a dataset, seals it, stores it in the blob store, and returns its size and seal; runs
 * inside a worker thread, in a private folder that is removed afterwards. Throws as `exportSet`, `not_ready` if a recording
 * has changed since it was evaluated, `storage_unavailable` if the disk is full.
 */
export async function exportStored(request: ExportRequest, context: StepContext): Promise<ExportAnswer> {
  const from_ms = computeTime_ms();
  const folder = context.scratchFile();
  mkdirSync(folder, { recursive: true });
  try {
    const { seal, files } = await writeSealed(request, folder, context);
    await storeFiles(folder, request.prefix, files, context);
    return {
      seal,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      compute_s: (computeTime_ms() - from_ms) / 1000,
    };
  } catch (thrown) {
    // The set's writers and libraries throw raw system errors.
    const isOurs = thrown instanceof AssayError && thrown.code !== 'unfinished';
    throw !isOurs && isMachineFault(thrown) ? blobFolderError(thrown, folder) : thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSealed(request: ExportRequest, folder: string, context: StepContext) {
  const episodes = parseJson(request.episodes);
  const kept = episodes.filter(({ dropped }) => dropped === null);
  const receipts = await readReceipts(kept, request.format, context);
  const keep = kept.map(({ name }) => name);
  const class_names = new ClassNames(request.class_renames);
  const annotations = storedAnnotations(kept, { ...request, class_names }, context);
  const { set, facts } = await writeExportSet(
    request,
    { folder, keep, receipts, annotations, class_names, ...collectTrims(kept) },
    context,
  );
  requireSourcesUnchanged(set.sources[0], receipts, keep);
  if (set.episodes?.length === 0) throw noRowsError();
  const settings = new Set(episodes.map(({ settings_hash }) => settings_hash));
  const origin = {
    sources: [{ name: request.source_name, ...facts }],
    settings_hash: settings.size === 1 ? episodes[0].settings_hash : null,
    episodes: episodes.map(({ name, receipt_hash, annotations: _, written: __, ...row }) => ({
      ...row,
      source: 0,
      id: name,
      receipt: receipt_hash,
    })),
    set: {
      ...set,
      edits: [
        ...set.edits,
        ...dropEdits(request.format, request.dropped_layers),
        ...renameEdits(class_names),
      ],
    },
  };
  const onBytes = () => context.progress(0, 0);
  const { lineage, files } = await sealSet(folder, origin, { signal: context.signal, onBytes });
  return { seal: lineage.seal, files: [...files, await lineageEntry(folder)] };
}

/** Returns the lineage entry for the classes that were renamed; empty if there are none. */
const renameEdits = ({ applied }: ClassNames): ExportedSet['edits'] =>
  Object.keys(applied).length === 0 ? [] : [{ edit: 'rename_classes', renames: { ...applied } }];

/** Returns the parts that a plan keeps of the episodes. */
function collectTrims(selected: readonly ChosenRow[]): Pick<ExportSource, 'trims'> {
  const own = selected.flatMap(({ name, trim }) => (trim === null ? [] : [[name, trim] as const]));
  return own.length === 0 ? {} : { trims: Object.fromEntries(own) };
}

const noRowsError = () =>
  new AssayError('not_ready', 'the edits remove all rows of all episodes', {
    advice: 'export again with smaller edits or other episodes',
  });

interface SetInputs {
  readonly folder: string;
  readonly keep: readonly string[];
  readonly trims?: Readonly<Record<string, TrimSpan>>;
  readonly receipts: ReadonlyMap<string, SealedReceipt>;
  readonly annotations: AnnotationSource;
  readonly class_names: ClassNames;
}

async function writeExportSet(
  { recordings, dataset_path, dataset_format: of, source_name, format, rate_hz, edits }: ExportRequest,
  { folder, receipts, annotations, class_names, ...choice }: SetInputs,
  { signal, progress }: StepContext,
): Promise<{ set: ExportedSet; facts: { format: string; version: string | null } }> {
  const dataset = dataset_path === '.' ? '' : dataset_path;
  const read = new Set([...receipts.values()].flatMap(({ sources }) => [...sources.keys()]));
  return withSourceFiles(recordings, { dataset, files: read }, async (there) => {
    const onStep = () => {
      signal.throwIfAborted();
      progress(0, 0);
    };
    const all = await findDatasets(there, { onStep });
    try {
      const rate = rate_hz === null ? {} : { rate_hz };
      const sources = [{ name: source_name, dataset, of, ...choice, names: {}, ...collectJudged(receipts) }];
      const task = { sources, format, folder, edits, ...rate };
      const onProgress = (done: number) => progress(done, 0);
      const set = await exportSet([all], task, { signal, onProgress, annotations, class_names });
      const { version } = findDataset(all, { dataset, of })!.dataset.facts;
      return { set, facts: { format: of, version } };
    } finally {
      for (const { dataset: opened } of all.found) await opened.close().catch(() => {});
    }
  });
}

async function readReceipts(
  chosenRows: readonly ChosenRow[],
  format: ExportFormatId,
  { blobs, signal, retry, progress }: StepContext,
): Promise<Map<string, SealedReceipt>> {
  const window = new BlobWindow(blobs);
  const all = new Map<string, SealedReceipt>();
  for (const { name, pack_blob, offset, length } of chosenRows) {
    signal.throwIfAborted();
    const bytes = await retry(() => window.read(pack_blob, offset, length));
    const receipt = JSON.parse(Buffer.from(bytes).toString()) as Receipt;
    all.set(name, toSealedReceipt(receipt, holdsJudgements(format)));
    progress(0, 0);
  }
  return all;
}

/** Returns a source of stored annotations. The rows name artifacts of `layers` only. */
function storedAnnotations(
  chosenEpisodes: readonly ChosenRow[],
  { layers, class_names }: Pick<ExportRequest, 'layers'> & Pick<SetInputs, 'class_names'>,
  { blobs, retry }: Pick<StepContext, 'blobs' | 'retry'>,
): AnnotationSource {
  const window = new BlobWindow(blobs);
  const byName = new Map(
    chosenEpisodes.map(({ name, annotations, written }) => {
      const own = annotations ?? [];
      return [name, { own, written: layers.includes('dense_text') ? written : null }];
    }),
  );
  return {
    layers: ({ id }) => {
      const stored = byName.get(id);
      const hasLayer = (layer: ExportedLayer) =>
        stored?.own.some((one) => one.layer === layer) === true ||
        (layer === 'dense_text' && (stored?.written ?? null) !== null);
      return layers.filter(hasLayer);
    },
    read: async ({ id }) => {
      const stored = byName.get(id);
      if (stored === undefined || (stored.own.length === 0 && stored.written === null)) return null;
      const artifacts: Record<string, StoredArtifact> = {};
      for (const { layer, blob, offset, length } of stored.own) {
        const bytes = await retry(() => window.read(blob, offset, length));
        const value = renameClasses(layer, JSON.parse(Buffer.from(bytes).toString()), class_names);
        artifacts[layer] = { value, sha256: sha256(bytes) };
      }
      return { artifacts, written: stored.written };
    },
  };
}

async function lineageEntry(folder: string): Promise<HashedFile> {
  const bytes = await readFile(join(folder, lineageFile));
  return { path: lineageFile, bytes: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) };
}

interface SourceFilesRequest {
  /** Folder of the dataset below the recordings; '' for all of them. */
  readonly dataset: string;
  /** Files that its episodes were read from, relative to the dataset. */
  readonly files: ReadonlySet<string>;
}

/**
 * Runs `work` while the files of an export are on this machine, and returns its result: for recordings in a bucket, the files
 * of its episodes and the dataset's `meta/` folder. `work` receives the local recordings.
 */
async function withSourceFiles<T>(
  recordings: RecordingsRef,
  { dataset, files }: SourceFilesRequest,
  work: (there: RecordingsRef) => Promise<T>,
): Promise<T> {
  const opened: RecordingsSource = await openRecordings(recordings);
  if (typeof opened === 'string') return work(recordings);
  try {
    const below = dataset === '' ? '' : `${dataset}/`;
    const listed = await opened.list();
    const paths = listed.files
      .map(({ path }) => path)
      .filter((path) => path.startsWith(below))
      .filter((path) => files.has(path.slice(below.length)) || path.startsWith(`${below}meta/`));
    const local = await opened.acquire(paths);
    try {
      return await work({ kind: 'folder', path: opened.root });
    } finally {
      await local.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}
