import { join, resolve } from 'node:path';
import { AssayError, messageOf, watchMachine } from '#core';
import type { Episode, Finding } from '#core/episode';
import {
  type ByteStore,
  type FileEntry,
  type HeldFiles,
  type HeldPart,
  openSourceTree,
  type RecordingsSource,
  type SourceTree,
  treeStamp,
  type WalkLimits,
  watchStore,
} from '#io/sources';
import { readers } from '../registry.ts';
import type { Dataset, FormatReader, Unreadable } from '../shared/reader.ts';
import { type DeclaredRate, rateBeside, withDeclaredRate } from './declared-rate.ts';
import { noneOpened, notRecognised } from './discovery-faults.ts';
import { demandOpen, leftoverFindings } from './leftovers.ts';
import { filesLeft, type RecognisedDataset, recogniseFiles, recogniseFolders } from './recognise-datasets.ts';

/** A dataset and where its files lie. */
export interface OpenDataset extends Dataset {
  /** Absolute folder that its locators' paths start from. */
  readonly root: string;
  /** Absolute folder that was looked at: links of its files lead no further. */
  readonly within: string;
  /** Has files below `root` until they are released; null where they always are. */
  readonly hold: ((paths: readonly string[]) => Promise<HeldFiles>) | null;
  /** A digest of all files that it may read, none of them changed since `before_ms`; see `treeStamp`. */
  stamp(before_ms: number): string | null;
  /** Has parts of one file; its root is that of the dataset. Null: of no file. */
  readonly holdPart: ((path: string) => Promise<HeldPart | null>) | null;
}

export interface DiscoveredDataset extends RecognisedDataset {
  readonly dataset: OpenDataset;
}

export interface Discovery {
  /** Absolute folder that every path starts from. */
  readonly root: string;
  readonly datasets: readonly DiscoveredDataset[];
  /** Of the listing, of files nobody reads, and of datasets that could not be opened. */
  readonly findings: readonly Finding[];
  /** Datasets that could not be opened on this machine now, which says nothing of them. */
  readonly unopened: readonly Unopened[];
}

/** Plain data: it crosses threads. */
export interface Unopened {
  readonly path: string | null;
  readonly reason: string;
  readonly advice: string;
}

export interface DiscoverOptions {
  readonly limits?: Partial<WalkLimits>;
  readonly readers?: Iterable<FormatReader>;
  /** Hears how many bytes lie there, as soon as they are listed. */
  readonly onListed?: (bytes: number) => void;
  /** Hears of each dataset before it is opened, in words that `given_up` knows it by. */
  readonly onStep?: (step: string) => void;
  /** Datasets that are not opened again, since that ended the thread before, and how: each is `unopened`. */
  readonly given_up?: ReadonlyMap<string, string>;
}

/**
 * Finds every dataset under a folder, or the one in a lone file: folder formats top-down, then file formats among what
 * is left. Throws `not_recognised` when there is none, and the reader's own error when none could be opened.
 */
export async function discover(source: RecordingsSource, options: DiscoverOptions = {}): Promise<Discovery> {
  const tree = await openSourceTree(source, options.limits);
  options.onListed?.(tree.files.reduce((sum, { bytes }) => sum + bytes, 0));
  const demandStore = watchStore(tree.store);
  const known = [...(options.readers ?? readers)];
  const recognised = await recogniseFolders(tree, known);
  const rest = filesLeft(tree, recognised);
  const ofFiles = await recogniseFiles(tree, rest, known);
  recognised.push(...ofFiles.datasets);
  const findings = [...tree.findings, ...(await leftoverFindings(tree, ofFiles))];
  const datasets: DiscoveredDataset[] = [];
  const failures: { path: string; error: AssayError }[] = [];
  for (const one of recognised) {
    try {
      demandOpenable(one, options);
      datasets.push({ ...one, dataset: await openIn(tree, one, known) });
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      failures.push({ path: one.path, error: thrown });
    }
  }
  demandStore();
  if (datasets.length === 0)
    throw failures.length > 0 ? noneOpened(failures) : notRecognised(tree, known.length, findings);
  const unopened: Unopened[] = [];
  for (const { path: folder, error } of failures) {
    if (error.code === 'unfinished') unopened.push(unopenedOf(folder, error));
    else findings.push(failureFinding(folder, error));
  }
  return { root: tree.root, datasets, findings, unopened };
}

/** What `given_up` knows a dataset by. */
export const stepOf = ({ path, recognition }: RecognisedDataset): string =>
  `${recognition.format}:${path}:${recognition.files?.[0] ?? ''}`;

function demandOpenable(recognised: RecognisedDataset, { onStep, given_up }: DiscoverOptions): void {
  const { recognition } = recognised;
  const step = stepOf(recognised);
  const why = given_up?.get(step);
  if (why === undefined) {
    onStep?.(step);
    return;
  }
  throw new AssayError('unfinished', `the thread that opened it ${why}`, {
    path: recognition.files?.length === 1 ? recognition.files[0] : '',
    advice:
      'do it again; where the same comes again, the files named are damaged or need more memory than there is',
  });
}

export interface ReopenOptions extends DiscoverOptions {
  /** Of the dataset as it was found, where that is at hand. */
  readonly carried?: unknown;
}

/** Opens again what `discover` found, in another thread or process. */
export async function reopen(
  source: RecordingsSource,
  recognised: RecognisedDataset,
  options: ReopenOptions = {},
): Promise<OpenDataset> {
  const tree = await openSourceTree(source, options.limits);
  const demandStore = watchStore(tree.store);
  const dataset = await openIn(tree, recognised, [...(options.readers ?? readers)], options.carried);
  demandStore();
  return dataset;
}

async function openIn(
  tree: SourceTree,
  recognised: RecognisedDataset,
  known: readonly FormatReader[],
  carried?: unknown,
): Promise<OpenDataset> {
  const reader = known.find((row) => row.id === recognised.recognition.format);
  if (reader === undefined) {
    throw new AssayError('internal', `no reader is called ${recognised.recognition.format}`);
  }
  const demandMachine = watchMachine();
  const { files } = recognised.recognition;
  const below = recognised.path === '' ? tree : tree.below(recognised.path);
  const own = files === null ? below : below.only(entriesOf(below, files));
  demandOpen({ ...recognised, tree, own }, reader);
  const opening =
    carried === undefined || reader.openCarried === undefined
      ? reader.open(own, recognised.recognition)
      : reader.openCarried(own, recognised.recognition, carried);
  const opened = declaredRates(await opening, await rateBeside(below));
  demandMachine();
  const stamp = (before_ms: number) => treeStamp(below, before_ms);
  return { ...openDataset(own, relativeTo(recognised.path, opened)), stamp };
}

/** Clocks for episodes of a format that keeps none, where somebody declares a rate. */
function declaredRates(dataset: Dataset, beside: DeclaredRate | null): Dataset {
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

/** What was read while the store or the machine failed is not handed out: it may look damaged and is not. */
function openDataset(tree: SourceTree, dataset: Dataset): Omit<OpenDataset, 'stamp'> {
  const { root, store, base } = tree;
  const within = resolve(root, base.replace(/[^/]+\//g, '../shared/'));
  const read: Dataset['read'] = (unit, options) => demanding(dataset.read(unit, options), watchMachine());
  if (store === null)
    return { ...dataset, root, within, hold: null, holdPart: null, read, close: () => dataset.close() };
  store.retain();
  return {
    ...dataset,
    root,
    within,
    hold: tree.hold,
    holdPart: (path) => holdPart(store, tree.base, path),
    close: async () => {
      await dataset.close();
      await store.close();
    },
    read: (unit, options) => demanding(read(unit, options), watchStore(store)),
  };
}

async function holdPart(store: ByteStore, base: string, path: string): Promise<HeldPart | null> {
  const held = await store.holdPart(base + path);
  return held === null ? null : { ...held, root: join(held.root, base) };
}

async function* demanding<Item>(items: AsyncIterable<Item>, demand: () => void): AsyncGenerator<Item> {
  for await (const item of items) {
    demand();
    yield item;
  }
  demand();
}

function entriesOf(tree: SourceTree, paths: readonly string[]): FileEntry[] {
  return paths.toSorted((a, b) => (a < b ? -1 : 1)).flatMap((path) => tree.entry(path) ?? []);
}

/**
 * Findings of a dataset below the root speak of paths from the root. Those of an episode stay as they are: they go
 * into its receipt, whose every path starts from its dataset, so that it does not matter which folder was assessed.
 */
function relativeTo(folder: string, dataset: Dataset): Dataset {
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

function placeOf(folder: string, { path }: AssayError): string | null {
  const place = path === null ? folder : [folder, path].filter((part) => part !== '').join('/');
  return place === '' ? null : place;
}

function unopenedOf(folder: string, error: AssayError): Unopened {
  const { message, advice } = error;
  return { path: placeOf(folder, error), reason: message, advice: advice ?? 'do it again' };
}

function failureFinding(folder: string, error: AssayError): Finding {
  return {
    code: 'dataset_unreadable',
    severity: 'error',
    path: placeOf(folder, error),
    message: messageOf(error),
    advice: error.advice ?? 'repair the dataset, or take it out of the folder',
  };
}
