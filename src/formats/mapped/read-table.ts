import { asUnreadable, messageOf } from '#core';
import type { Episode, EpisodeCut, Finding, SourceRef, TaskText } from '#core/episode';
import { createFileHasher, type FileHasher, noHashes, type SourceTree } from '#io/sources';
import { lookCut, lookLimit } from '../shared/look.ts';
import { PartCuts } from '../shared/part-cuts.ts';
import type { ReadOptions, Unreadable } from '../shared/reader.ts';
import { type EpisodeFromRows, episodeFromRows } from './build-episode.ts';
import { mappedCamera } from './cameras.ts';
import { fileOf } from './episode-pattern.ts';
import { EpisodeRows, planColumns, type ReadPlan } from './episode-rows.ts';
import type { Mapping } from './mapping.ts';
import { openTable } from './open-table.ts';
import type { Table, TableChunk } from './table.ts';

/** Numbers of an open episode, bytes; past this it is closed and goes on in another. */
const heldLimit = 64 * 1024 * 1024;

export interface MappedSet {
  readonly tree: SourceTree;
  readonly mapping: Mapping;
  readonly mapping_path: string;
}

/** A table and what is known of it before it is read. */
export interface TableFile {
  readonly path: string;
  /** Null: a column tells. */
  readonly episode: string | null;
  readonly first_index: number;
}

/** Reads one table: an episode, or one for each value of its episode column. */
export async function* readTable(
  set: MappedSet,
  file: TableFile,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const reading = new TableReading(
    set,
    file,
    options.look === true ? noHashes : createFileHasher(set.tree),
    options,
  );
  try {
    await using table = await openTable(set.tree, file.path, set.mapping.csv);
    yield* reading.read(table);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    yield unreadable(file, reading.index, asUnreadable(thrown, file.path));
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

class TableReading {
  index: number;
  readonly #set: MappedSet;
  readonly #file: TableFile;
  readonly #hasher: FileHasher;
  readonly #options: ReadOptions;
  readonly #seen = new Map<string, number>();
  #rows: EpisodeRows | null = null;
  /** As the file names it, or its column. */
  #episode = '';
  /** The same, numbered where the file comes back to it. */
  #id = '';
  #key = 0;
  #firstRow = 0;
  #row = 0;
  #part = 0;
  #cuts = new PartCuts('');
  #pending: Finding[] = [];

  constructor(set: MappedSet, file: TableFile, hasher: FileHasher, options: ReadOptions) {
    this.#set = set;
    this.#file = file;
    this.#hasher = hasher;
    this.#options = options;
    this.index = file.first_index;
  }

  async *read(table: Table): AsyncGenerator<Episode> {
    const plan = planColumns(this.#set.mapping, table.columns, this.#file.path);
    this.#pending.push(...plan.findings);
    for await (const chunk of table.chunks(plan.table)) {
      this.#options.signal?.throwIfAborted();
      for (let from = 0; from < chunk.rows; ) {
        const to = runEnd(chunk, from);
        const next = chunk.keys?.[from] ?? 0;
        if (this.#rows === null || next !== this.#key) {
          if (this.#rows !== null) yield await this.#close(table, plan, false);
          this.#begin(this.#idOf(chunk, plan, from), plan);
          this.#key = next;
        } else if (this.#rows.bytes > (this.#options.look === true ? lookLimit : heldLimit)) {
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
    const uses = (this.#seen.get(episode) ?? 0) + 1;
    this.#seen.set(episode, uses);
    this.#episode = episode;
    this.#id = uses === 1 ? episode : `${episode}~${uses}`;
    if (uses > 1) this.#pending.push(scattered(this.#file.path, episode));
    this.#part = 0;
    this.#cuts = new PartCuts(this.#id);
    this.#rows = new EpisodeRows(plan);
  }

  #idOf(chunk: TableChunk, plan: ReadPlan, row: number): string {
    if (plan.table.key === null) return this.#file.episode ?? this.#file.path;
    return chunk.text(plan.table.texts.length, row) ?? 'without an episode';
  }

  /** Gives what is held as an episode; of an open one, as its next part. */
  async #close(table: Table, plan: ReadPlan, goesOn: boolean): Promise<Episode> {
    const rows = this.#rows as EpisodeRows;
    const { tree, mapping, mapping_path } = this.#set;
    const { path, episode } = this.#file;
    const from = this.#firstRow;
    this.#firstRow = this.#row;
    const made = episodeFromRows({ mapping, mapping_path, plan, rows, origins: table.origins() });
    const findings = [...this.#pending, ...table.takeFindings(this.#key), ...made.findings];
    this.#pending = [];
    if (rows.rows === 0) findings.push(noRows(path));
    const isPart = goesOn || this.#part > 0;
    if (isPart) findings.push(partFinding(path, ++this.#part));
    const isWhole = episode !== null && !isPart;
    const subject = {
      episode: this.#episode,
      rows: rows.rows,
      clocks: made.clocks,
      rate_hz: mapping.rate_hz ?? null,
    };
    const cameras = await Promise.all(
      (isPart ? [] : mapping.videos).map((video) => mappedCamera(tree, video, subject, this.#hasher)),
    );
    if (isPart && mapping.videos.length > 0) findings.push(videosLeftOut(path));
    const { clocks: _, ...rest } = made;
    return {
      ...rest,
      id: isPart ? `${this.#id}#${String(this.#part).padStart(4, '0')}` : this.#id,
      index: goesOn ? this.index : this.index++,
      locator: {
        format: 'mapped',
        path,
        ...(isWhole ? {} : { span: { unit: 'row' as const, from, to: this.#row } }),
      },
      sources: [...(await this.#sources()), ...cameras.flatMap(({ source }) => source ?? [])],
      streams: [...made.streams, ...cameras.map(({ stream }) => stream)],
      tasks: (await this.#taskFile(subject.episode)) ?? made.tasks,
      events: [],
      calibrations: [],
      labels: null,
      ...(isPart ? { cut: this.#cutOf(made, goesOn) } : {}),
      findings: [...findings, ...cameras.flatMap((camera) => camera.findings)],
    };
  }

  #cutOf(made: EpisodeFromRows, goesOn: boolean): EpisodeCut {
    const cut = this.#cuts.next(made, goesOn);
    return this.#options.look === true && goesOn ? { ...cut, ends: lookCut } : cut;
  }

  async #sources(): Promise<SourceRef[]> {
    const { tree, mapping_path } = this.#set;
    const hashed = async (path: string, role: SourceRef['role']): Promise<SourceRef> => ({
      path,
      bytes: tree.entry(path)?.bytes ?? 0,
      sha256: this.#options.hashes === false ? null : await this.#hasher.sha256(path),
      role,
    });
    return [await hashed(this.#file.path, 'data'), await hashed(mapping_path, 'metadata')];
  }

  async #taskFile(episode: string): Promise<readonly TaskText[] | null> {
    const { tree, mapping } = this.#set;
    if (typeof mapping.task !== 'object' || !('files' in mapping.task)) return null;
    const { path, there } = fileOf(tree, mapping.task.files, episode);
    if (!there) return [];
    return [{ text: (await tree.text(path, 64 * 1024)).trim(), source: path }];
  }
}

function runEnd({ keys, rows }: TableChunk, from: number): number {
  if (keys === null) return rows;
  let to = from + 1;
  while (to < rows && keys[to] === keys[from]) to++;
  return to;
}

function scattered(path: string, id: string): Finding {
  return {
    code: 'episode_scattered',
    severity: 'warning',
    path,
    message: `rows of episode ${id} do not lie one behind the other in ${path}; each range of rows counts as an episode`,
    advice: 'sort the table by its episode column',
  };
}

function partFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the episode is too long to be held at once; this is part ${part}, judged on its own`,
    advice: 'nothing to do; to judge whole episodes, keep each in a shorter table',
  };
}

function videosLeftOut(path: string): Finding {
  return {
    code: 'videos_not_split',
    severity: 'info',
    path,
    message: `videos of ${path} were left out, since the episode is judged in parts`,
    advice: 'cut the recording into shorter ones to have them judged',
  };
}

function noRows(path: string): Finding {
  return {
    code: 'no_rows',
    severity: 'warning',
    path,
    message: `${path} holds no row beside its header`,
    advice: 'take the file out, or find out why nothing was recorded',
  };
}
