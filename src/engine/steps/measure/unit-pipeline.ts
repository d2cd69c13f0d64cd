import { AssayError } from '#core';
import type { CameraEvidence, Episode } from '#core/episode';
import { type OpenDataset, reopen, type Unreadable } from '#formats';
import type { MediaService } from '#io/media';
import { type ResolvedSettings, resolveSettings } from '#quality/readiness';
import { KeptCameras } from '../../cache/kept-cameras.ts';
import { KeptUnits } from '../../cache/kept-units.ts';
import { MeasureCache } from '../../cache/measure-cache.ts';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';
import { readLines, Spool, type SpoolRegion } from '../../spool/spool.ts';
import { EpisodeJudge, type KeptEpisode } from '../judge/episode-judge.ts';
import type {
  DatasetRef,
  JudgedUnit,
  JudgeTask,
  MeasuredUnit,
  StepOptions,
  Task,
  WorkerStart,
} from '../tasks.ts';
import { EpisodeMeasurer, type Keep, UnitTotals } from './episode-measurer.ts';
import { examineCameras } from './examine-cameras.ts';

/**
 * Episodes whose cameras are being measured at once, so that decoding and reading overlap: enough that one slow clip
 * does not leave a decoder idle, few where episodes hold their pictures in memory.
 */
const inFlight = { located: 16, held: 4 };

export interface PipelineHooks {
  readonly signal: AbortSignal;
  /** Also called with nothing to count, when something else has come further: pictures of an episode are measured. */
  readonly onProgress: (episodes: number, bytes: number) => void;
  /**
   * Takes what is kept of each episode instead of the pipeline, in the order of recording, with the episode itself,
   * whose numbers it may go on holding.
   */
  readonly onKept?: Keep;
  readonly onWarning?: (text: string) => void;
}

/**
 * Does the work of one thread: reads units and measures their episodes, keeps what remains, and later judges what was
 * kept.
 */
export class UnitPipeline {
  readonly #options: StepOptions;
  readonly #refs: readonly DatasetRef[];
  readonly #hooks: PipelineHooks;
  readonly #datasets = new Map<number, Promise<OpenDataset>>();
  readonly #opened: Promise<OpenDataset>[] = [];
  readonly #spool: Spool;
  readonly #held = new Map<number, readonly KeptEpisode[]>();
  readonly #settings: ResolvedSettings;
  readonly #judge: EpisodeJudge;
  readonly #kept: { readonly units: KeptUnits; readonly cameras: KeptCameras } | null;
  #media: Promise<MediaService> | null = null;

  constructor(start: WorkerStart, openSpool: (which: 0 | 1 | 2) => number, hooks: PipelineHooks) {
    this.#options = start.options;
    this.#refs = start.datasets;
    this.#hooks = hooks;
    this.#settings = resolveSettings(start.options.settings);
    this.#spool = new Spool(() => openSpool(0), start.options.spool_bytes);
    this.#judge = new EpisodeJudge(start.options, this.#settings, openSpool);
    this.#kept = openCache(start.options, hooks.onWarning);
  }

  /** Lends an already opened dataset, so that it is not opened twice; whoever lends it closes it. */
  lend(index: number, dataset: OpenDataset): void {
    this.#datasets.set(index, Promise.resolve(dataset));
  }

  /** Reads and measures one unit. Throws what makes the whole unit unreadable. */
  async measure(task: Task): Promise<MeasuredUnit> {
    const key = this.#kept?.units.keyOf(task, this.#refs[task.dataset]) ?? null;
    const known = key === null ? null : this.#again(task, key);
    if (known !== null) return known;
    const keeper = key === null ? null : this.#kept!.units.begin(key);
    const unit = new UnitTotals(task);
    const held: KeptEpisode[] = [];
    const keep: Keep = (kept) => {
      const line = this.#options.hold && keeper === null ? null : JSON.stringify(kept);
      if (line !== null) keeper?.line(line);
      if (this.#options.hold) held.push(kept);
      else this.#spool.append(line!);
      return undefined;
    };
    try {
      const dataset = await this.#dataset(task.dataset);
      const take = this.#hooks.onKept ?? keep;
      const measurer = await EpisodeMeasurer.create(this.#options, dataset.facts, unit, take);
      await this.#read(task, dataset, measurer, unit);
    } catch (thrown) {
      this.#spool.cut();
      throw thrown;
    }
    if (this.#options.hold) this.#held.set(task.place, held);
    const measured = unit.close(this.#options.hold ? 'held' : this.#spool.cut());
    keeper?.end(measured);
    return measured;
  }

  /** A unit as it was measured before; null where that is not kept. */
  #again(task: Task, key: string): MeasuredUnit | null {
    try {
      const known = this.#kept!.units.load(key, task);
      if (known === null) return null;
      const { unit, lines } = known;
      this.#hooks.onProgress(unit.episodes + unit.unreadable, task.unit.bytes);
      if (!this.#options.hold) {
        for (const block of lines) this.#spool.appendBytes(block);
        return { ...unit, kept: this.#spool.cut() };
      }
      const held: KeptEpisode[] = [];
      for (const block of lines) for (const line of readLines({ bytes: block })) held.push(JSON.parse(line));
      this.#held.set(task.place, held);
      return { ...unit, kept: 'held' };
    } catch (thrown) {
      this.#spool.cut();
      if (thrown instanceof AssayError) throw thrown;
      return null;
    }
  }

  async #read(task: Task, dataset: OpenDataset, measurer: EpisodeMeasurer, unit: UnitTotals): Promise<void> {
    const waiting: Promise<void>[] = [];
    let before = Promise.resolve();
    let bytes = 0;
    const onBytes = (now: number) => {
      this.#hooks.onProgress(0, now - bytes);
      bytes = now;
    };
    const reuse_arrays = this.#hooks.onKept === undefined;
    const { seal: hashes, reader_threads: threads, rate_hz } = this.#options;
    const rate = rate_hz === undefined ? {} : { rate_hz };
    const copies = this.#options.pictures !== 'none';
    const options = { signal: this.#hooks.signal, onBytes, hashes, copies, reuse_arrays, threads, ...rate };
    // A decoder starts while the first rows are read.
    if (dataset.facts.declared_cameras.length > 0) void this.#mediaService().then((media) => media.prepare());
    try {
      const items = await this.#cut(dataset.read(task.unit, options));
      for await (const item of items) {
        if (this.#beyond(item.index)) break;
        if ('unreadable' in item) {
          unit.unreadable(item);
          this.#hooks.onProgress(1, 0);
        } else {
          const cameras = examineCameras(item, dataset, () => this.#mediaService(), {
            thumbnails: this.#options.thumbnails,
            pictures: this.#options.pictures,
            kept: this.#kept?.cameras ?? null,
          });
          if (cameras === null && waiting.length === 0) {
            const keeping = measurer.take(item, noCameras);
            if (keeping !== undefined) await keeping;
            this.#hooks.onProgress(1, 0);
          } else {
            // Taken in the order of recording, whichever camera is done first.
            const seen = cameras?.catch((thrown) => unit.unfinished(item, thrown));
            before = Promise.all([seen ?? noCameras, before])
              .then(([all]) => (all === null ? undefined : measurer.take(item, all)))
              .then(() => this.#hooks.onProgress(1, 0));
            void cameras?.then(() => this.#hooks.onProgress(0, 0)).catch(heardElsewhere);
            before.catch(heardElsewhere);
            waiting.push(before);
            if (waiting.length >= mostInFlight(item)) await waiting.shift();
          }
        }
        if (this.#hooks.signal.aborted) this.#hooks.signal.throwIfAborted();
      }
    } finally {
      await Promise.allSettled(waiting);
    }
    await Promise.all(waiting);
  }

  async #cut(items: AsyncIterable<Episode | Unreadable>): Promise<AsyncIterable<Episode | Unreadable>> {
    const { recipe } = this.#options;
    return recipe === undefined ? items : (await import('#formats/recipes')).cutItems(items, recipe);
  }

  /** Judges what was kept of a unit, here or, as text, elsewhere. */
  judge(task: JudgeTask): JudgedUnit {
    const { kept, place, dataset } = task;
    const held = this.#held.get(place);
    if (kept === 'held' && held === undefined) throw new Error(`unit ${place} is not held here`);
    this.#held.delete(place);
    const episodes = kept === 'held' ? held! : episodesOf(kept);
    return this.#judge.unit(task, episodes, this.#refs[dataset], (count) => this.#hooks.onProgress(count, 0));
  }

  /** Closes the media service; the next pictures open another. */
  async endDecoders(): Promise<void> {
    const media = this.#media;
    this.#media = null;
    await (await media)?.close();
  }

  async close(): Promise<void> {
    await this.endDecoders();
    for (const opened of this.#opened) await opened.then((dataset) => dataset.close()).catch(() => {});
  }

  #beyond(index: number): boolean {
    return this.#options.limit !== null && index >= this.#options.limit;
  }

  #dataset(index: number): Promise<OpenDataset> {
    let dataset = this.#datasets.get(index);
    if (dataset === undefined) {
      dataset = reopenFrom(this.#refs[index]);
      this.#datasets.set(index, dataset);
      this.#opened.push(dataset);
      // What could not be opened now may be later.
      dataset.catch(() => this.#datasets.delete(index));
    }
    return dataset;
  }

  #mediaService(): Promise<MediaService> {
    // A thread that waits for a decoder at work does not hang.
    this.#media ??= openMedia(this.#options, () => this.#hooks.onProgress(0, 0));
    return this.#media;
  }
}

function openCache(options: StepOptions, onWarning: PipelineHooks['onWarning']) {
  const { cache: place } = options;
  if (place === undefined) return null;
  const cache = new MeasureCache(place.folder, (why) =>
    onWarning?.(`nothing is kept for the next time, since ${place.folder} cannot be written: ${why}`),
  );
  return { units: new KeptUnits(cache, place, options), cameras: new KeptCameras(cache, place) };
}

/** Loaded where there are pictures. */
async function openMedia({ media_children: children, end_decoders }: StepOptions, onAlive: () => void) {
  const { createMediaService } = await import('#io/media');
  return createMediaService({ children, onAlive, keep_idle: end_decoders !== true });
}

async function reopenFrom({ path, recognised, carried }: DatasetRef): Promise<OpenDataset> {
  const source = await openRecordings(path);
  try {
    return await reopen(source, recognised, { carried });
  } finally {
    await closeRecordings(source);
  }
}

function* episodesOf(region: SpoolRegion): Generator<KeptEpisode> {
  for (const line of readLines(region)) yield JSON.parse(line);
}

function mostInFlight(episode: Episode): number {
  return episode.streams.some(({ frames }) => frames?.kept !== undefined) ? inFlight.held : inFlight.located;
}

/** A promise that is awaited later may fail before. */
const heardElsewhere = (): void => {};

const noCameras: ReadonlyMap<string, CameraEvidence> = new Map();
