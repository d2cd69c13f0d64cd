import { join, resolve } from 'node:path';
import { AssayError, messageOf, watchMachine } from '#core';
import type { Episode, Finding } from '#core/episode';
import {
  type ByteStore,
  type FileEntry,
  type LocalFiles,
  openSourceTree,
  type PartialFile,
  type RecordingsSource,
  type SourceTree,
  treeStamp,
  type WalkLimits,
  watchStore,
} from '#io/sources';
import { readers } from '../registry.ts';
import type { Dataset, FormatReader, Unreadable } from '../shared/reader.ts';
import { withCompanions } from './companions/with-companions.ts';
import { type DeclaredRate, readDeclaredRate, withDeclaredRate } from './declared-rate.ts';
import { noneOpenedError, notRecognisedError } from './discovery-faults.ts';
import { assertReadable, leftoverFindings } from './leftovers.ts';
import {
  type RecognisedFiles,
  recogniseFiles,
  recogniseFolders,
  unclaimedFiles,
} from './recognise-datasets.ts';
import type { RecognisedDataset } from './recognised-dataset.ts';
import { withTopicMapping } from './topic-mapping.ts';

/** An open dataset and the location of its files. */
export interface OpenDataset extends Dataset {
  /** Absolute folder that its locators' paths are relative to. */
  readonly root: string;
  /** Absolute folder that was searched; links must not lead out of it. */
  readonly within: string;
  /** Makes files available below `root` until released; `null` if they are always local. */
  readonly hold: ((paths: readonly string[]) => Promise<LocalFiles>) | null;
  /** Returns a digest of all files that it may read, if none changed since `before_ms`; see `treeStamp`. */
  stamp(before_ms: number): string | null;
  /** Makes parts of a file available below the dataset's root; `null` if the store cannot. */
  readonly holdPart: ((path: string) => Promise<PartialFile | null>) | null;
}

/** A recognised dataset that could be opened. */
export interface DiscoveredDataset extends RecognisedDataset {
  readonly dataset: OpenDataset;
}

/** Result of `discover`. */
export interface Discovery {
  /** Absolute folder that every path is relative to. */
  readonly root: string;
  readonly datasets: readonly DiscoveredDataset[];
  /** Findings about the listing, about files that no reader claimed, and about datasets that could not be opened. */
  readonly findings: readonly Finding[];
  /** Datasets that could not be opened on this machine now, through no fault of their own. */
  readonly unopened: readonly Unopened[];
}

/** A dataset that could not be opened; plain data, sent between threads. */
export interface Unopened {
  readonly path: string | null;
  readonly reason: string;
  readonly advice: string;
}

/** Options of `discover`. */
export interface DiscoverOptions {
  readonly limits?: Partial<WalkLimits>;
  readonly readers?: Iterable<FormatReader>;
  /** Receives the total size in bytes once the files are listed. */
  readonly onListed?: (bytes: number) => void;
  /** Receives the step id (see `openingStep`) of each dataset before it is opened. */
  readonly onStep?: (step: string) => void;
  /** Datasets to skip because opening them crashed a thread before: how, by step id. Each becomes `unopened`. */
  readonly given_up?: ReadonlyMap<string, string>;
}

/**
 * Finds and opens every dataset under a folder, or in a single file; one that cannot be opened becomes a finding or an
 * entry of `unopened`, and an error if none can. Folder formats are searched top-down, then file formats among the
 * remaining files. The caller closes the datasets.
 * @throws AssayError `not_recognised` if there is none, or the reader's error if none could be opened.
 */
export async function discover(source: RecordingsSource, options: DiscoverOptions = {}): Promise<Discovery> {
  const tree = await openSourceTree(source, options.limits);
  options.onListed?.(tree.files.reduce((sum, { bytes }) => sum + bytes, 0));
  const checkStore = watchStore(tree.store);
  const available = [...(options.readers ?? readers)];
  const recognised = await recogniseFolders(tree, available);
  const rest = unclaimedFiles(tree, recognised);
  const ofFiles = await recogniseFiles(tree, rest, available);
  recognised.push(...ofFiles.datasets);
  const opened: DiscoveredDataset[] = [];
  const failures: Failure[] = [];
  for (const one of recognised) {
    try {
      assertNotGivenUp(one, options);
      opened.push({ ...one, dataset: await openRecognised(tree, one, available) });
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failures.push({ ...one, error: thrown });
    }
  }
  const { datasets, paths: companions } = await addCompanions(
    tree,
    opened,
    unreadFiles(tree, ofFiles, failures),
  );
  const findings = [...tree.findings, ...(await leftoverFindings(tree, { ...ofFiles, companions }))];
  checkStore();
  if (datasets.length === 0)
    throw failures.length > 0
      ? noneOpenedError(failures)
      : notRecognisedError(tree, available.length, findings);
  const unopened: Unopened[] = [];
  for (const { path: folder, error } of failures) {
    if (error.code === 'unfinished') unopened.push(toUnopened(folder, error));
    else findings.push(failureFinding(folder, error));
  }
  return { root: tree.root, datasets, findings, unopened };
}

/** A dataset that was recognised and could not be opened. */
interface Failure extends RecognisedDataset {
  readonly error: AssayError;
}

/** Returns the files that no reader claimed, and those of file readers' datasets that could not be opened. */
function unreadFiles(
  tree: SourceTree,
  { unclaimed }: RecognisedFiles,
  failures: readonly Failure[],
): readonly FileEntry[] {
  const failed = failures.flatMap(({ path, recognition }) =>
    (recognition.files ?? []).flatMap((file) => tree.entry(path === '' ? file : `${path}/${file}`) ?? []),
  );
  return [...unclaimed, ...failed];
}

/** Adds to each dataset the unread files that look like parts of its episodes, with findings. */
async function addCompanions(
  tree: SourceTree,
  opened: readonly DiscoveredDataset[],
  unread: readonly FileEntry[],
): Promise<{ datasets: readonly DiscoveredDataset[]; paths: ReadonlySet<string> }> {
  const mayHave = opened.filter(({ recognition }) => recognition.files !== null);
  if (mayHave.length === 0 || (unread.length === 0 && mayHave.length === 1))
    return { datasets: opened, paths: new Set() };
  const { findCompanions } = await import('./companions/find-companions.ts');
  const { byDataset, paths } = await findCompanions({ tree, datasets: mayHave, unread });
  const datasets = opened.map((one) => {
    const companions = byDataset.get(one);
    return companions === undefined
      ? one
      : { ...one, companions, dataset: withCompanions(one.dataset, companions) };
  });
  return { datasets, paths };
}

/** Returns the step id of opening a dataset (`format:folder:first file`), the key of `DiscoverOptions.given_up`. */
export const openingStep = ({ path, recognition }: RecognisedDataset): string =>
  `${recognition.format}:${path}:${recognition.files?.[0] ?? ''}`;

function assertNotGivenUp(recognised: RecognisedDataset, { onStep, given_up }: DiscoverOptions): void {
  const { recognition } = recognised;
  const step = openingStep(recognised);
  const why = given_up?.get(step);
  if (why === undefined) {
    onStep?.(step);
    return;
  }
  throw new AssayError('unfinished', `the thread that opened it ${why}`, {
    path: recognition.files?.length === 1 ? recognition.files[0] : '',
    advice: 'try again; if it fails again, the files are damaged or need more memory than is available',
  });
}

/** Options of `reopen`. */
export interface ReopenOptions extends DiscoverOptions {
  /** Snapshot of the dataset from its first opening, if available. */
  readonly snapshot?: unknown;
}

/**
 * Opens a dataset that `discover` found, from its snapshot if there is one, without searching the folder again; for use
 * in another thread or process.
 * @throws AssayError `not_permitted` if a file of it cannot be read, or the reader's error
 */
export async function reopen(
  source: RecordingsSource,
  recognised: RecognisedDataset,
  options: ReopenOptions = {},
): Promise<OpenDataset> {
  const tree = await openSourceTree(source, options.limits);
  const checkStore = watchStore(tree.store);
  const dataset = await openRecognised(tree, recognised, [...(options.readers ?? readers)], options.snapshot);
  checkStore();
  return withCompanions(dataset, recognised.companions ?? []);
}

async function openRecognised(
  tree: SourceTree,
  recognised: RecognisedDataset,
  available: readonly FormatReader[],
  snapshot?: unknown,
): Promise<OpenDataset> {
  const reader = available.find((row) => row.id === recognised.recognition.format);
  if (reader === undefined) {
    throw new AssayError('internal', `no reader is called ${recognised.recognition.format}`);
  }
  const checkMachine = watchMachine();
  const { files } = recognised.recognition;
  const below = recognised.path === '' ? tree : tree.subtree(recognised.path);
  const ownTree = files === null ? below : below.restrictTo(findEntries(below, files));
  assertReadable({ ...recognised, tree, datasetTree: ownTree }, reader);
  const opening =
    snapshot === undefined || reader.openSnapshot === undefined
      ? reader.open(ownTree, recognised.recognition)
      : reader.openSnapshot(ownTree, recognised.recognition, snapshot);
  const mapped = await withTopicMapping(below, await opening);
  const opened = applyDeclaredRates(mapped, await readDeclaredRate(below));
  checkMachine();
  const stamp = (before_ms: number) => treeStamp(below, before_ms);
  return { ...openDataset(ownTree, prefixFindingPaths(recognised.path, opened)), stamp };
}

/** Adds clocks to episodes of a format without timestamps if a rate is declared (`rate_hz`, else the mapping file). */
function applyDeclaredRates(dataset: Dataset, beside: DeclaredRate | null): Dataset {
  return {
    ...dataset,
    close: () => dataset.close(),
    async *read(unit, options): AsyncGenerator<Episode | Unreadable> {
      const { rate_hz } = options;
      const rate = rate_hz === undefined ? beside : { hz: rate_hz, source: '--rate-hz' };
      if (rate === null) yield* dataset.read(unit, options);
      else
        for await (const item of dataset.read(unit, options))
          yield 'unreadable' in item ? item : withDeclaredRate(item, rate);
    },
  };
}

/**
 * Adds the file location to a dataset. Items read while the store or the machine failed are not returned: they may look
 * damaged although they are not.
 */
function openDataset(tree: SourceTree, dataset: Dataset): Omit<OpenDataset, 'stamp'> {
  const { root, store, base } = tree;
  const within = resolve(root, base.replace(/[^/]+\//g, '../'));
  const read: Dataset['read'] = (unit, options) => checkEachItem(dataset.read(unit, options), watchMachine());
  if (store === null)
    return { ...dataset, root, within, hold: null, holdPart: null, read, close: () => dataset.close() };
  store.retain();
  return {
    ...dataset,
    root,
    within,
    hold: tree.acquire,
    holdPart: (path) => holdPart(store, tree.base, path),
    close: async () => {
      await dataset.close();
      await store.close();
    },
    read: (unit, options) => checkEachItem(read(unit, options), watchStore(store)),
  };
}

async function holdPart(store: ByteStore, base: string, path: string): Promise<PartialFile | null> {
  const acquired = await store.acquirePartial(base + path);
  return acquired === null ? null : { ...acquired, root: join(acquired.root, base) };
}

async function* checkEachItem<Item>(items: AsyncIterable<Item>, check: () => void): AsyncGenerator<Item> {
  for await (const item of items) {
    check();
    yield item;
  }
  check();
}

function findEntries(tree: SourceTree, paths: readonly string[]): FileEntry[] {
  return paths.toSorted((a, b) => (a < b ? -1 : 1)).flatMap((path) => tree.entry(path) ?? []);
}

/**
 * Prefixes the paths of a dataset's findings with its folder. Findings of episodes keep their paths: they go into
 * receipts, whose paths are relative to the dataset, whatever folder was assessed.
 */
function prefixFindingPaths(folder: string, dataset: Dataset): Dataset {
  if (folder === '') return dataset;
  const moved = (finding: Finding): Finding => ({
    ...finding,
    path: finding.path === null ? folder : `${folder}/${finding.path}`,
  });
  return {
    ...dataset,
    findings: dataset.findings.map(moved),
    close: () => dataset.close(),
    async *read(unit, options): AsyncGenerator<Episode | Unreadable> {
      for await (const episode of dataset.read(unit, options)) {
        if ('unreadable' in episode) yield { ...episode, finding: moved(episode.finding) };
        else yield episode;
      }
    },
  };
}

function pathFromRoot(folder: string, { path }: AssayError): string | null {
  const fullPath = path === null ? folder : [folder, path].filter((part) => part !== '').join('/');
  return fullPath === '' ? null : fullPath;
}

function toUnopened(folder: string, error: AssayError): Unopened {
  const { message, advice } = error;
  return { path: pathFromRoot(folder, error), reason: message, advice: advice ?? 'try again' };
}

function failureFinding(folder: string, error: AssayError): Finding {
  return {
    code: 'dataset_unreadable',
    severity: 'error',
    path: pathFromRoot(folder, error),
    message: messageOf(error),
    advice: error.advice ?? 'repair the dataset, or move it out of the folder',
  };
}
