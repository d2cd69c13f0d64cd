import type { FileEntry, SourceTree } from '#io/sources';
import { patternOf, splitPath } from '../../shared/file-names.ts';
import { isDocument } from '../../shared/unreadable-files.ts';
import { countFrames } from '../../videos/read-video.ts';
import type { Companions, RecognisedDataset } from '../recognised-dataset.ts';
import { describeCompanions, type Group } from './companions.ts';
import {
  type Candidate,
  type Evidence,
  type EvidenceKind,
  findMentions,
  findMoreSignals,
  findNamesakes,
  findRowPerPicture,
  findSignalsBeside,
  otherPictures,
} from './evidence.ts';
import type { KnownFile } from './known-files.ts';
import { isMediaName } from './listing-words.ts';
import { Recordings } from './recordings.ts';
import { isTextFile, readTextFacts } from './text-facts.ts';

/** Maximum number of texts that are read, of those named alike apart from numbers and of all. */
const maxAlike = 40;
const maxTexts = 1000;
/** Share of the texts read of a family that must belong to recordings for the others to belong to them as well. */
const minShare = 0.9;
/** Maximum number of videos whose frames are counted. */
const maxCountedVideos = 8;
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
  readonly of: ReadonlyMap<RecognisedDataset, readonly Companions[]>;
  readonly paths: ReadonlySet<string>;
}

/**
 * Finds files that look like parts of the episodes of datasets although they are not read: texts that name the
 * pictures, files of the same name, tables with a row per frame, signals beside videos (docs/decisions/0059).
 */
export async function findCompanions({ tree, datasets, unread }: CompanionSearch): Promise<FoundCompanions> {
  const all = datasets
    .filter(({ recognition }) => recognition.files !== null && recognition.format !== 'mapped')
    .map((dataset) => new Recordings(dataset));
  const search = new Search(tree, all);
  const candidates = await readCandidates(tree, unread);
  for (const candidate of candidates) await search.judge(candidate);
  for (const candidate of candidates) if (!candidate.is_read) search.judgeByFamily(candidate);
  search.judgeCounts(candidates);
  for (const other of all) if (!other.isCameraOnly) search.judgeSeparate(other);
  return search.result();
}

async function readCandidates(tree: SourceTree, unread: readonly FileEntry[]): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  const read = new Map<string, number>();
  let texts = 0;
  for (const file of unread) {
    const isOther = isDocument(file.path) || otherPictures.test(file.path) || isMediaName(file.path);
    if (file.bytes === 0 || file.closed === true || isOther) continue;
    const pattern = patternOf(file.path);
    const alike = read.get(pattern) ?? 0;
    const isText = isTextFile(file.path);
    if (!isText || alike >= maxAlike || texts >= maxTexts) {
      candidates.push({ file, facts: null, is_read: !isText });
      continue;
    }
    read.set(pattern, alike + 1);
    texts++;
    const facts = await readTextFacts(tree, file);
    if (facts !== null) candidates.push({ file, facts, is_read: true });
  }
  return candidates;
}

/** Texts of a family, named alike apart from numbers. */
interface Family {
  read: number;
  belonging: number;
  /** Of the first that belongs to recordings. */
  kind: EvidenceKind;
  known: KnownFile | null;
}

/** State of one search. */
class Search {
  readonly #tree: SourceTree;
  readonly #all: readonly Recordings[];
  readonly #groups = new Map<Recordings, Map<string, Group>>();
  readonly #paths = new Set<string>();
  readonly #frames = new Map<string, number>();
  readonly #families = new Map<string, Family>();

  constructor(tree: SourceTree, all: readonly Recordings[]) {
    this.#tree = tree;
    this.#all = all;
  }

  async judge(candidate: Candidate): Promise<void> {
    if (!candidate.is_read) return;
    const { file, facts } = candidate;
    let first: Evidence | null = null;
    for (const recordings of this.#all) {
      const evidence = recordings.isCameraOnly
        ? (findMentions(recordings, candidate) ??
          findNamesakes(recordings, candidate) ??
          findRowPerPicture(recordings, candidate) ??
          (await this.#findRowPerFrame(recordings, candidate)) ??
          findSignalsBeside(recordings, candidate))
        : findMoreSignals(recordings, candidate);
      if (evidence === null) continue;
      first ??= evidence;
      this.#add(recordings, candidate, evidence);
    }
    if (facts === null) return;
    const pattern = patternOf(file.path);
    const family = this.#families.get(pattern) ?? {
      read: 0,
      belonging: 0,
      kind: 'named_like_them',
      known: null,
    };
    this.#families.set(pattern, family);
    family.read++;
    if (first === null) return;
    if (family.belonging++ === 0) Object.assign(family, { kind: first.kind, known: facts.known });
  }

  /** Judges a text that was not read by those of its family that were. */
  judgeByFamily({ file }: Candidate): void {
    const family = this.#families.get(patternOf(file.path));
    if (family === undefined || family.belonging < minShare * family.read) return;
    for (const recordings of this.#all) {
      const own = findNamesakes(recordings, { file, facts: null, is_read: false })?.episodes;
      const episodes =
        own ??
        recordings.foldersAt(splitPath(file.path).folder).flatMap((at) => recordings.byFolder.get(at) ?? []);
      if (episodes.length > 0) this.#addTo(recordings, file.path, { ...family, episodes });
    }
  }

  async #findRowPerFrame(recordings: Recordings, { file, facts }: Candidate): Promise<Evidence | null> {
    if (recordings.noun !== 'video' || facts === null || !facts.has_data || facts.rows < 2 * minCounted)
      return null;
    for (const place of recordings.neighboursOf(splitPath(file.path).folder)) {
      for (const video of recordings.byFolder.get(place) ?? []) {
        const frames = await this.#countFrames(video);
        if (frames !== null && Math.abs(frames - facts.rows) <= 1)
          return { kind: 'row_per_frame', episodes: [video] };
      }
    }
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
    const remaining = candidates.filter(
      ({ file, facts }) => !this.#paths.has(file.path) && facts?.has_data !== false,
    );
    const kinds = Map.groupBy(remaining, ({ file }) => {
      const { folder, extension } = splitPath(file.path);
      return `${folder}\n${extension}`;
    });
    for (const [key, files] of kinds) {
      const [folder] = key.split('\n');
      if (files.length < minCounted) continue;
      for (const recordings of this.#all) {
        if (!recordings.isCameraOnly) continue;
        for (const place of recordings.neighboursOf(folder)) {
          const episodes = recordings.byFolder.get(place) ?? [];
          if (episodes.length !== files.length) continue;
          for (const candidate of files)
            this.#add(recordings, candidate, { kind: 'as_many_files', episodes });
        }
      }
    }
  }

  /** Finds pictures and videos that are named like recordings which are read as a dataset of their own. */
  judgeSeparate(other: Recordings): void {
    for (const [folder, files] of other.byFolder) {
      const near = this.#all.filter((one) => one.isCameraOnly && one.byFolder.has(folder));
      if (near.length === 0) continue;
      for (const path of files) {
        const { stem } = splitPath(path);
        for (const recordings of near) {
          const episodes = recordings.byFolder
            .get(folder)!
            .filter((own) => isNamedAfter(splitPath(own).stem, stem));
          const file = this.#tree.entry(path);
          if (episodes.length > 0 && file !== undefined)
            this.#add(
              recordings,
              { file, facts: null, is_read: true },
              { kind: 'read_separately', episodes },
            );
        }
      }
    }
  }

  #add(recordings: Recordings, { file, facts }: Candidate, evidence: Evidence): void {
    this.#addTo(recordings, file.path, { ...evidence, known: facts?.known ?? null });
  }

  #addTo(
    recordings: Recordings,
    path: string,
    { kind, episodes, known }: Evidence & Pick<Family, 'known'>,
  ): void {
    const groups = this.#groups.get(recordings) ?? new Map<string, Group>();
    this.#groups.set(recordings, groups);
    const { extension } = splitPath(path);
    const key = [kind, extension, known?.title].join('\n');
    const group = groups.get(key) ?? { kind, extension, known, files: [], episodes: new Set<string>() };
    groups.set(key, group);
    group.files.push(path);
    for (const episode of episodes) group.episodes.add(episode);
    if (kind !== 'read_separately') this.#paths.add(path);
  }

  result(): FoundCompanions {
    const of = new Map<RecognisedDataset, Companions[]>();
    for (const [recordings, groups] of this.#groups)
      of.set(
        recordings.dataset,
        [...groups.values()].map((group) => describeCompanions(recordings, group)),
      );
    return { of, paths: this.#paths };
  }
}

/** True for `episode_0` and `episode_0_qpos` after `episode_0`. */
function isNamedAfter(stem: string, of: string): boolean {
  return stem === of || (stem.startsWith(of) && /^[._-]\D/.test(stem.slice(of.length)));
}
