import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AssayError, folderFault, isMachineFault, parseJson, sha256 } from '#core';
import type { ExportFormatId, Receipt } from '#core/api';
import type { KeptSpan } from '#formats/write';
import type { RecordingsRef, RecordingsSource } from '#io/sources';
import type { ChosenRow } from '#store';
import { BlobWindow } from '../../packs/blob-window.ts';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';
import type { ExportedLayer } from '../annotated/exported-layers.ts';
import type { AnnotationSource, FoundArtifact } from '../annotated/read-annotated.ts';
import { findDatasets } from '../look/datasets.ts';
import type { ExportAnswer, ExportRequest } from '../messages.ts';
import type { StepContext } from '../step-context.ts';
import { exportSet, findDataset } from './export-set.ts';
import type { ExportedSet, ExportSource } from './export-task.ts';
import { holdsJudgements } from './judged-facts.ts';
import { type HashedFile, lineageFile } from './lineage.ts';
import { sealSet } from './seal-set.ts';
import { judgedOf, type SealedReceipt, sealedReceipt, sourcesUnchanged } from './sealed-receipts.ts';
import { storeFiles } from './store-files.ts';

/**
 * Writes a set of some episodes of a dataset, seals it and stores it; inside a thread. The set is written into the
 * thread's own folder first. Throws as `exportSet`, `not_ready` where a recording has changed since it was judged,
 * `storage_unavailable` where the disk is full.
 */
export async function exportStored(request: ExportRequest, context: StepContext): Promise<ExportAnswer> {
  const begun_ms = performance.now();
  const folder = context.scratchFile();
  mkdirSync(folder, { recursive: true });
  try {
    const { seal, files } = await writeSealed(request, folder, context);
    await storeFiles(folder, request.prefix, files, context);
    return {
      seal,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      compute_s: (performance.now() - begun_ms) / 1000,
    };
  } catch (thrown) {
    // What writes the set knows no store, and its libraries throw what the system said.
    const isOurs = thrown instanceof AssayError && thrown.code !== 'unfinished';
    throw !isOurs && isMachineFault(thrown) ? folderFault(thrown, folder) : thrown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeSealed(request: ExportRequest, folder: string, context: StepContext) {
  const episodes = parseJson(request.episodes);
  const kept = episodes.filter(({ dropped }) => dropped === null);
  const receipts = await receiptsOf(kept, request.format, context);
  const keep = kept.map(({ name }) => name);
  const annotations = storedAnnotations(kept, request.layers, context);
  const { set, facts } = await writeSet(
    request,
    { folder, keep, receipts, annotations, ...trimsOf(kept) },
    context,
  );
  sourcesUnchanged(set.sources[0], receipts, keep);
  if (set.episodes?.length === 0) throw nothingLeft();
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
    set,
  };
  const onBytes = () => context.progress(0, 0);
  const { lineage, files } = await sealSet(folder, origin, { signal: context.signal, onBytes });
  return { seal: lineage.seal, files: [...files, await lineageEntry(folder)] };
}

/** What a plan leaves of them. */
function trimsOf(kept: readonly ChosenRow[]): Pick<ExportSource, 'trims'> {
  const own = kept.flatMap(({ name, trim }) => (trim === null ? [] : [[name, trim] as const]));
  return own.length === 0 ? {} : { trims: Object.fromEntries(own) };
}

const nothingLeft = () =>
  new AssayError('not_ready', 'the edits leave no row of any episode', {
    advice: 'export again with edits that leave some, or other episodes',
  });

interface Writing {
  readonly folder: string;
  readonly keep: readonly string[];
  readonly trims?: Readonly<Record<string, KeptSpan>>;
  readonly receipts: ReadonlyMap<string, SealedReceipt>;
  readonly annotations: AnnotationSource;
}

async function writeSet(
  { recordings, dataset_path, dataset_format: of, source_name, format, rate_hz, edits }: ExportRequest,
  { folder, receipts, annotations, ...choice }: Writing,
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
      const sources = [{ name: source_name, dataset, of, ...choice, names: {}, ...judgedOf(receipts) }];
      const task = { sources, format, folder, edits, ...rate };
      const onProgress = (done: number) => progress(done, 0);
      const set = await exportSet([all], task, { signal, onProgress, annotations });
      const { version } = findDataset(all, { dataset, of })!.dataset.facts;
      return { set, facts: { format: of, version } };
    } finally {
      for (const { dataset: opened } of all.found) await opened.close().catch(() => {});
    }
  });
}

async function receiptsOf(
  kept: readonly ChosenRow[],
  format: ExportFormatId,
  { blobs, signal, patiently, progress }: StepContext,
): Promise<Map<string, SealedReceipt>> {
  const window = new BlobWindow(blobs);
  const all = new Map<string, SealedReceipt>();
  for (const { name, pack_blob, offset, length } of kept) {
    signal.throwIfAborted();
    const bytes = await patiently(() => window.at(pack_blob, offset, length));
    const receipt = JSON.parse(Buffer.from(bytes).toString()) as Receipt;
    all.set(name, sealedReceipt(receipt, holdsJudgements(format)));
    progress(0, 0);
  }
  return all;
}

/** What these layers say, out of the blobs that hold it; the rows name artifacts of them alone. */
function storedAnnotations(
  kept: readonly ChosenRow[],
  layers: readonly ExportedLayer[],
  { blobs, patiently }: Pick<StepContext, 'blobs' | 'patiently'>,
): AnnotationSource {
  const window = new BlobWindow(blobs);
  const byName = new Map(
    kept.map(({ name, annotations, written }) => {
      const own = annotations ?? [];
      return [name, { own, written: layers.includes('dense_text') ? written : null }];
    }),
  );
  return {
    layers: ({ id }) => {
      const said = byName.get(id);
      const isTold = (layer: ExportedLayer) =>
        said?.own.some((one) => one.layer === layer) === true ||
        (layer === 'dense_text' && (said?.written ?? null) !== null);
      return layers.filter(isTold);
    },
    read: async ({ id }) => {
      const said = byName.get(id);
      if (said === undefined || (said.own.length === 0 && said.written === null)) return null;
      const artifacts: Record<string, FoundArtifact> = {};
      for (const { layer, blob, offset, length } of said.own) {
        const bytes = await patiently(() => window.at(blob, offset, length));
        artifacts[layer] = { value: JSON.parse(Buffer.from(bytes).toString()), sha256: sha256(bytes) };
      }
      return { artifacts, written: said.written };
    },
  };
}

async function lineageEntry(folder: string): Promise<HashedFile> {
  const bytes = await readFile(join(folder, lineageFile));
  return { path: lineageFile, bytes: bytes.length, sha256: sha256(bytes), crc32: crc32(bytes) };
}

interface Wanted {
  /** The dataset's folder below the recordings; '' for all of them. */
  readonly dataset: string;
  /** Relative to the dataset: what its episodes were read from. */
  readonly files: ReadonlySet<string>;
}

/**
 * Works while what an export copies lies on this machine: of recordings in a bucket the files that its episodes were
 * read from, and what the dataset says of itself. `work` is given the recordings as they are found there.
 */
async function withSourceFiles<T>(
  recordings: RecordingsRef,
  { dataset, files }: Wanted,
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
    const held = await opened.hold(paths);
    try {
      return await work({ kind: 'folder', path: opened.root });
    } finally {
      await held.release();
    }
  } finally {
    await closeRecordings(opened);
  }
}
