import type { FileEntry, SourceTree } from '#io/sources';
import { append, folderOf, isMediaName, patternOf, splitPath } from '../../shared/file-names.ts';
import { isDocument } from '../../shared/unreadable-files.ts';
import { countFrames } from '../../videos/read-video.ts';
import type { Companions, RecognisedDataset } from '../recognised-dataset.ts';
import { describeCompanions, type Group } from './companions.ts';
import {
  type Candidate,
  type Evidence,
  type EvidenceKind,
  findMoreSignals,
  findNamesakes,
  findNaming,
  findRowPerPicture,
  findSignalsBeside,
  mayHoldData,
} from './evidence.ts';
import { FileIndex } from './file-index.ts';
import { isDerived, isPreview, isSettings } from './file-roles.ts';
import type { KnownFile } from './known-files.ts';
import { readTexts } from './read-texts.ts';

/** Share of the texts read of a family that must belong to recordings for the others to belong to them as well. */
const minShare = 0.9;
/** Maximum number of videos whose frames are counted, in all and in the folders of one table. */
const maxCountedVideos = 8;
const minFrames = 10;
const minCounted = 5;

/** Datasets and files in which companions are searched. */
export interface CompanionSearch {
  readonly tree: SourceTree;
  /** Datasets that could be opened. */
  readonly datasets: readonly RecognisedDataset[];
  /** Files that no reader claimed, and those of datasets that could not be opened. */
  readonly unread: readonly FileEntry[];
}

/** Companions by dataset, and the paths of all of them. */
export interface FoundCompanions {
  readonly byDataset: ReadonlyMap<RecognisedDataset, readonly Companions[]>;
  readonly paths: ReadonlySet<string>;
}

/**
 * Finds files that look like parts of the episodes of datasets although they are not read: texts that name the
 * pictures, files of the same name, tables with a row per frame, signals beside videos (docs/decisions/0059).
 */
export async function findCompanions({ tree, datasets, unread }: CompanionSearch): Promise<FoundCompanions> {
  const searched = datasets.filter(
    ({ recognition }) => recognition.files !== null && recognition.format !== 'mapped',
  );
  const candidates = await readTexts(
    tree,
    unread.filter(({ path }) => !isDocument(path) && !isPreview(path) && !isMediaName(path)),
  );
  const search = new Search(tree, searched);
  for (const candidate of candidates) if (candidate.is_read) await search.judge(candidate);
  for (const candidate of candidates) if (!candidate.is_read) search.judgeByFamily(candidate);
  search.judgeCounts(candidates);
  search.judgeSeparate();
  return search.result();
}

/** Texts of a family, named alike apart from numbers. */
interface Family {
  read: number;
  belonging: number;
  /** Kind and format of the first text that belongs to recordings. */
  kind: EvidenceKind;
  known: KnownFile | null;
}

/** Evidence that several files of one kind share. */
interface Observation extends Evidence {
  readonly index: FileIndex;
  readonly extension: string;
  readonly known: KnownFile | null;
  /** Equal for companions that are reported together. */
  readonly key: string;
  readonly companions: string[];
}

/** Maximum number of companions that are named. */
const maxFiles = 20;

/** State of one search. */
class Search {
  readonly #tree: SourceTree;
  readonly #pictures: FileIndex;
  readonly #videos: FileIndex;
  readonly #logs: FileIndex;
  readonly #found: Observation[] = [];
  readonly #byFolders = new Map<readonly string[], Map<string, Observation>>();
  readonly #paths = new Set<string>();
  readonly #frames = new Map<string, number>();
  readonly #families = new Map<string, Family>();

  constructor(tree: SourceTree, datasets: readonly RecognisedDataset[]) {
    this.#tree = tree;
    const ofFormat = (format: string) => datasets.filter(({ recognition }) => recognition.format === format);
    const others = datasets.filter(
      ({ recognition: { format } }) => format !== 'pictures' && format !== 'videos',
    );
    this.#pictures = new FileIndex('picture', ofFormat('pictures'));
    this.#videos = new FileIndex('video', ofFormat('videos'));
    this.#logs = new FileIndex('recording', others);
  }

  /** Judges a file by its own content. */
  async judge(candidate: Candidate): Promise<void> {
    const { file, facts } = candidate;
    const [pictures, videos, logs] = [this.#pictures, this.#videos, this.#logs];
    const known = facts?.known ?? null;
    const kinds: EvidenceKind[] = [];
    const add = (index: FileIndex, evidence: Evidence | null) => {
      if (evidence === null) return;
      kinds.push(evidence.kind);
      this.#add(file.path, evidence, { index, known });
    };
    const byName = (index: FileIndex) => findNaming(index, candidate) ?? findNamesakes(index, candidate);
    add(pictures, byName(pictures) ?? findRowPerPicture(pictures, candidate));
    add(videos, byName(videos) ?? (await this.#findRowPerFrame(candidate)));
    add(logs, findMoreSignals(logs, candidate));
    if (kinds.length === 0)
      for (const index of [pictures, videos]) add(index, findSignalsBeside(index, candidate));
    if (facts !== null) this.#addToFamilies(file.path, kinds[0] ?? null, known);
  }

  #addToFamilies(path: string, kind: EvidenceKind | null, known: KnownFile | null): void {
    for (const pattern of familiesOf(path)) {
      const family = this.#families.get(pattern) ?? { read: 0, belonging: 0, kind: 'task_text', known: null };
      this.#families.set(pattern, family);
      family.read++;
      if (kind !== null && family.belonging++ === 0) Object.assign(family, { kind, known });
    }
  }

  /** Judges a text that was not read by those of its family that were. */
  judgeByFamily(candidate: Candidate): void {
    const { path } = candidate.file;
    const family = familiesOf(path)
      .map((pattern) => this.#families.get(pattern))
      .find((one) => one !== undefined);
    if (family === undefined || family.belonging < minShare * family.read) return;
    const { kind, known } = family;
    for (const index of [this.#pictures, this.#videos]) {
      const files = findNamesakes(index, candidate)?.files ?? [];
      const folders = files.length > 0 ? [] : index.foldersAt(folderOf(path));
      if (files.length + folders.length > 0) this.#add(path, { kind, files, folders }, { index, known });
    }
  }

  async #findRowPerFrame({ file, facts }: Candidate): Promise<Evidence | null> {
    if (facts === null || facts.data === 'none' || facts.rows < minFrames) return null;
    const videos = this.#videos
      .neighboursOf(folderOf(file.path))
      .flatMap((folder) => this.#videos.byFolder.get(folder)!.slice(0, maxCountedVideos));
    for (const video of videos.slice(0, maxCountedVideos))
      if ((await this.#countFrames(video)) === facts.rows)
        return { kind: 'row_per_frame', files: [video], folders: [] };
    return null;
  }

  async #countFrames(path: string): Promise<number | null> {
    const known = this.#frames.get(path);
    if (known !== undefined) return known;
    const entry = this.#tree.entry(path);
    if (entry === undefined || this.#frames.size >= maxCountedVideos) return null;
    const frames = await countFrames(this.#tree, entry).catch(() => 0);
    this.#frames.set(path, frames);
    return frames;
  }

  /** Finds folders with as many unread files of one kind as a folder beside them has pictures or videos. */
  judgeCounts(candidates: readonly Candidate[]): void {
    const kinds = new Map<string, string[]>();
    for (const candidate of candidates) {
      const { path } = candidate.file;
      if (this.#paths.has(path) || isDerived(path) || isSettings(path) || !mayHoldData(candidate)) continue;
      const { folder, extension } = splitPath(path);
      append(kinds, `${folder}\n${extension}`, path);
    }
    for (const [key, paths] of kinds) {
      if (paths.length < minCounted) continue;
      for (const index of [this.#pictures, this.#videos]) {
        const folders = index
          .neighboursOf(key.slice(0, key.indexOf('\n')))
          .filter((folder) => index.byFolder.get(folder)?.length === paths.length);
        if (folders.length === 0) continue;
        for (const path of paths)
          this.#add(path, { kind: 'as_many_files', files: [], folders }, { index, known: null });
      }
    }
  }

  /** Finds pictures and videos that are named like recordings which are read as a dataset of their own. */
  judgeSeparate(): void {
    for (const index of [this.#pictures, this.#videos]) {
      const named = new Map<string, string[]>();
      for (const [folder, paths] of index.byFolder) {
        if (!this.#logs.byFolder.has(folder)) continue;
        for (const path of paths)
          for (const log of this.#namesakeLogs(folder, splitPath(path).stem)) append(named, log, path);
      }
      for (const [path, files] of named)
        this.#add(path, { kind: 'read_separately', files, folders: [] }, { index, known: null });
    }
  }

  /** Returns the recordings `episode_0` for a picture or video `episode_0` or `episode_0_qpos`. */
  #namesakeLogs(folder: string, stem: string): readonly string[] {
    const own = this.#logs.withStem(folder, stem);
    if (own.length > 0) return own;
    for (const { index } of [...stem.matchAll(/[._-]\D/g)].reverse()) {
      const named = this.#logs.withStem(folder, stem.slice(0, index));
      if (named.length > 0) return named;
    }
    return [];
  }

  /** Adds evidence on a file. Files with evidence on the same list of folders share one observation, to stay linear in time. */
  #add(path: string, evidence: Evidence, { index, known }: Pick<Observation, 'index' | 'known'>): void {
    const { kind, files, folders } = evidence;
    if (kind !== 'read_separately') this.#paths.add(path);
    const { extension } = splitPath(path);
    const key = [index.noun, kind, extension, known?.title].join('\n');
    const ofFolders = this.#byFolders.get(folders) ?? new Map<string, Observation>();
    if (files.length === 0) this.#byFolders.set(folders, ofFolders);
    const observation = ofFolders.get(key) ?? {
      key,
      extension,
      index,
      known,
      kind,
      files,
      folders,
      companions: [],
    };
    if (!ofFolders.has(key)) this.#found.push(observation);
    ofFolders.set(key, observation);
    observation.companions.push(path);
  }

  result(): FoundCompanions {
    const groups = new Map<RecognisedDataset, Map<string, Group>>();
    for (const observation of this.#found)
      for (const [dataset, episodes] of episodesByDataset(observation)) {
        const own = groups.get(dataset) ?? new Map<string, Group>();
        groups.set(dataset, own);
        addToGroups(own, episodes, observation);
      }
    const byDataset = new Map(
      [...groups].map(([dataset, own]) => [
        dataset,
        [...own.values()].map((group) => describeCompanions(dataset, group)),
      ]),
    );
    return { byDataset, paths: this.#paths };
  }
}

function episodesByDataset({
  index,
  files,
  folders,
}: Observation): ReadonlyMap<RecognisedDataset, readonly string[]> {
  const paths = [...files, ...folders.flatMap((folder) => index.byFolder.get(folder) ?? [])];
  return Map.groupBy(paths, (path) => index.datasetOf(path));
}

function addToGroups(
  groups: Map<string, Group>,
  episodes: readonly string[],
  observation: Observation,
): void {
  const { key, index, kind, extension, known, companions } = observation;
  const group = groups.get(key) ?? {
    index,
    kind,
    extension,
    known,
    files: [],
    count: 0,
    episodes: new Set(),
  };
  groups.set(key, group);
  group.count += companions.length;
  group.files.push(...companions.slice(0, maxFiles - group.files.length));
  for (const episode of episodes) group.episodes.add(episode);
}

/** Returns the keys of a text's family, most specific first: its path, and its name, apart from numbers. */
function familiesOf(path: string): readonly string[] {
  return [patternOf(path), patternOf(splitPath(path).name)];
}
