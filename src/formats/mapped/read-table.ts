import { messageOf, wrapReadError } from '#core';
import type { Episode, EpisodeCut, Finding, SourceRef, TaskText } from '#core/episode';
import type { FileHasher, SourceTree } from '#io/sources';
import { lookCut, maxLookBytes, PartCutBuilder } from '../shared/episode-cuts.ts';
import type { ReadOptions, Unreadable } from '../shared/reader.ts';
import {
  buildEpisodeParts,
  type EpisodeParts,
  type EpisodeValues,
  readEpisodeValues,
} from './build-episode.ts';
import { type CameraSubject, type MappedCamera, readCamera, readPictureColumn } from './cameras.ts';
import { EpisodeRows, planColumns, type ReadPlan } from './episode-rows.ts';
import type { TableFile } from './find-tables.ts';
import { findFile, type Mapping } from './mapping.ts';
import { folderOfTable, openTable } from './open-table.ts';
import type { SharedHdf5Files } from './shared-hdf5.ts';
import type { Table, TableChunk } from './table.ts';

/** Reason why episodes of built-in layouts without clock and rate have no times. */
const clockless = 'the layout stores neither timestamps nor a rate';

/** Maximum bytes of an episode in memory; beyond it, the episode is continued in another part. */
const maxEpisodeBytes = 64 * 1024 * 1024;

/** A folder and its mapping. */
export interface MappedSet {
  readonly tree: SourceTree;
  readonly mapping: Mapping;
  /** The mapping file, or the name of the built-in mapping for messages. */
  readonly mapping_path: string;
  /** True if stored pictures are only counted and measured, not read. */
  readonly describesPictures: boolean;
  /** Keeps HDF5 files open between their groups. */
  readonly hdf5: SharedHdf5Files;
  /** False if the layout is one that by design may have neither times nor a rate. */
  readonly storesTimes: boolean;
}

/**
 * Yields the episodes of one table: one, or one for each run of equal values in its episode column; an unreadable table
 * yields an `Unreadable`. Episodes that are too long are yielded in parts.
 */
export async function* readTable(
  set: MappedSet,
  file: TableFile,
  options: ReadOptions,
  hasher: FileHasher,
): AsyncGenerator<Episode | Unreadable> {
  const reader = new TableReader(set, file, hasher, options);
  try {
    await using table = await openTable(set.tree, file, set.mapping, set.hdf5);
    yield* reader.read(table);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    yield unreadable(file, reader.index, wrapReadError(thrown, file.path));
  }
}

function unreadable({ path, episode }: TableFile, index: number, thrown: Error): Unreadable {
  const advice = 'advice' in thrown && typeof thrown.advice === 'string' ? thrown.advice : 'restore the file';
  const finding: Finding = {
    code: 'table_unreadable',
    severity: 'error',
    path,
    message: messageOf(thrown).includes(path) ? messageOf(thrown) : `${path}: ${messageOf(thrown)}`,
    advice,
  };
  return { unreadable: true, id: episode ?? path, index, finding };
}

class TableReader {
  index: number;
  readonly #set: MappedSet;
  readonly #file: TableFile;
  readonly #hasher: FileHasher;
  readonly #options: ReadOptions;
  readonly #episodeUses = new Map<string, number>();
  #rows: EpisodeRows | null = null;
  /** Episode by the file name or the episode column. */
  #episode = '';
  /** The same with a suffix if the file returns to an episode later. */
  #id = '';
  #key = 0;
  #firstRow = 0;
  #row = 0;
  #part = 0;
  #cuts = new PartCutBuilder('');
  #pending: Finding[] = [];
  /** Findings on the cameras of the current episode that cannot be divided into episodes. */
  readonly #undivided: Finding[] = [];
  #values: EpisodeValues = { rate_hz: null, task: null, outcome: null, findings: [] };

  constructor(set: MappedSet, file: TableFile, hasher: FileHasher, options: ReadOptions) {
    this.#set = set;
    this.#file = file;
    this.#hasher = hasher;
    this.#options = options;
    this.index = file.first_index;
  }

  async *read(table: Table): AsyncGenerator<Episode> {
    const plan = planColumns(this.#set.mapping, table, this.#file.path);
    this.#values = await readEpisodeValues(this.#set.mapping, table, this.#file.path);
    this.#pending.push(...plan.findings, ...this.#values.findings);
    for await (const chunk of table.chunks(plan.table)) {
      this.#options.signal?.throwIfAborted();
      for (let from = 0; from < chunk.rows; ) {
        const to = runEnd(chunk, from);
        const next = chunk.keys?.[from] ?? 0;
        if (this.#rows === null || next !== this.#key) {
          if (this.#rows !== null) yield await this.#close(table, plan, false);
          this.#begin(this.#episodeId(chunk, plan, from), plan);
          this.#key = next;
        } else if (this.#rows.bytes > (this.#options.look === true ? maxLookBytes : maxEpisodeBytes)) {
          yield await this.#close(table, plan, true);
          if (this.#options.look === true) return;
          this.#rows = new EpisodeRows(plan);
        }
        this.#rows?.append(chunk, from, to);
        this.#row += to - from;
        from = to;
      }
      this.#options.onBytes?.(table.position);
    }
    if (this.#rows === null && this.#file.episode !== null) this.#begin(this.#file.episode, plan);
    if (this.#rows !== null) yield await this.#close(table, plan, false);
  }

  #begin(episode: string, plan: ReadPlan): void {
    const uses = (this.#episodeUses.get(episode) ?? 0) + 1;
    this.#episodeUses.set(episode, uses);
    this.#episode = episode;
    this.#id = uses === 1 ? episode : `${episode}~${uses}`;
    if (uses > 1) this.#pending.push(scatteredFinding(this.#file.path, episode));
    this.#part = 0;
    this.#cuts = new PartCutBuilder(this.#id);
    this.#rows = new EpisodeRows(plan);
  }

  #episodeId(chunk: TableChunk, plan: ReadPlan, row: number): string {
    if (plan.table.key === null) return this.#file.episode ?? this.#file.path;
    return chunk.text(plan.table.texts.length, row) ?? 'without an episode';
  }

  /** Builds an episode from the rows in memory; its next part if the episode continues or had parts before. */
  async #close(table: Table, plan: ReadPlan, continues: boolean): Promise<Episode> {
    const rows = this.#rows as EpisodeRows;
    const { mapping, mapping_path } = this.#set;
    const { path, episode } = this.#file;
    const values = this.#values;
    const from = this.#firstRow;
    this.#firstRow = this.#row;
    const built = buildEpisodeParts({
      ...{ mapping, mapping_path, plan, rows, values },
      origins: table.origins(),
    });
    const findings = [...this.#pending, ...table.takeFindings(this.#key), ...built.findings];
    this.#pending = [];
    if (rows.rows === 0) findings.push(noRowsFinding(path));
    const isPart = continues || this.#part > 0;
    if (isPart) findings.push(partFinding(path, ++this.#part));
    const isWhole = episode !== null && !isPart;
    const { clocks, ...rest } = built;
    const folder = folderOfTable(this.#file);
    const subject = {
      episode: this.#episode,
      path,
      folder,
      rows: rows.rows,
      clocks,
      rate_hz: values.rate_hz,
    };
    const cameras = isPart ? [] : await this.#cameras(table, plan, subject);
    if (isPart && mapping.videos.length > 0) findings.push(videosFinding(path));
    return {
      ...rest,
      id: isPart ? `${this.#id}#${String(this.#part).padStart(4, '0')}` : this.#id,
      index: continues ? this.index : this.index++,
      locator: {
        format: 'mapped',
        path,
        ...(isWhole ? {} : { span: { unit: 'row' as const, from, to: this.#row } }),
      },
      sources: [...(await this.#sources(table)), ...cameras.flatMap(({ sources }) => sources)],
      streams: [...built.streams, ...cameras.map(({ stream }) => stream)],
      tasks: (await this.#taskFile(subject.episode)) ?? built.tasks,
      ...(clocks.length === 0 && !this.#set.storesTimes ? { clockless } : {}),
      events: [],
      calibrations: [],
      labels: null,
      ...(isPart ? { cut: this.#nextCut(built, continues) } : {}),
      findings: [...findings, ...this.#undivided.splice(0), ...cameras.flatMap((camera) => camera.findings)],
    };
  }

  async #cameras(table: Table, plan: ReadPlan, subject: CameraSubject): Promise<MappedCamera[]> {
    const { tree, mapping, describesPictures } = this.#set;
    const rows = this.#rows as EpisodeRows;
    const readsPictures = this.#options.look !== true && !describesPictures;
    const from = { tree, table, rows, hasher: this.#hasher, readsPictures };
    const cameras: MappedCamera[] = [];
    // One after the other, because pictures of one camera may take much memory.
    for (const video of mapping.videos) {
      if (!('column' in video)) {
        cameras.push(await readCamera(tree, video, subject, this.#hasher));
        continue;
      }
      const at = plan.cameras.findIndex(({ camera }) => camera === video);
      if (at < 0) continue;
      if (this.#file.episode === null && plan.cameras[at].text === null) {
        this.#undivided.push(undividedPicturesFinding(this.#file.path, video.column));
        continue;
      }
      const camera = await readPictureColumn(plan.cameras[at], at, from, subject);
      if (camera !== null) cameras.push(camera);
    }
    return cameras;
  }

  #nextCut(built: EpisodeParts, continues: boolean): EpisodeCut {
    const cut = this.#cuts.next(built, continues);
    return this.#options.look === true && continues ? { ...cut, ends: lookCut } : cut;
  }

  async #sources(table: Table): Promise<SourceRef[]> {
    const { tree, mapping_path } = this.#set;
    const toSourceRef = async (path: string, role: SourceRef['role']): Promise<SourceRef> => ({
      path,
      bytes: tree.entry(path)?.bytes ?? 0,
      sha256: this.#options.hashes === false ? null : await this.#hasher.sha256(path),
      role,
    });
    const data: SourceRef[] = [];
    for (const path of table.sources ?? [this.#file.path]) data.push(await toSourceRef(path, 'data'));
    return tree.has(mapping_path) ? [...data, await toSourceRef(mapping_path, 'metadata')] : data;
  }

  async #taskFile(episode: string): Promise<readonly TaskText[] | null> {
    const { tree, mapping } = this.#set;
    if (typeof mapping.task !== 'object' || !('files' in mapping.task)) return null;
    const { path, exists } = findFile(tree, mapping.task.files, episode);
    if (!exists) return [];
    return [{ text: (await tree.text(path, 64 * 1024)).trim(), source: path }];
  }
}

function runEnd({ keys, rows }: TableChunk, from: number): number {
  if (keys === null) return rows;
  let to = from + 1;
  while (to < rows && keys[to] === keys[from]) to++;
  return to;
}

function scatteredFinding(path: string, id: string): Finding {
  return {
    code: 'episode_scattered',
    severity: 'warning',
    path,
    message: `rows of episode ${id} are not contiguous in ${path}; each range of rows is read as a separate episode`,
    advice: 'sort the table by its episode column',
  };
}

function partFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the episode is too long to be read at once; this is part ${part}, evaluated separately`,
    advice: 'nothing to do; to evaluate whole episodes, keep each in a shorter table',
  };
}

function videosFinding(path: string): Finding {
  return {
    code: 'videos_not_split',
    severity: 'info',
    path,
    message: `videos of ${path} were left out because the episode is evaluated in parts`,
    advice: 'split the recording into shorter ones to have its videos evaluated',
  };
}

function undividedPicturesFinding(path: string, column: string): Finding {
  return {
    code: 'pictures_not_divided',
    severity: 'warning',
    path,
    message: `${path}: the images of ${column} were left out, because a column divides the file into episodes`,
    advice: 'write one file or group per episode to have its images evaluated',
  };
}

function noRowsFinding(path: string): Finding {
  return {
    code: 'no_rows',
    severity: 'warning',
    path,
    message: `${path} has a header but no rows`,
    advice: 'remove the file, or find out why nothing was recorded',
  };
}
