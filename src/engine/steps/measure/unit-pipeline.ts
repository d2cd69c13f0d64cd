import { AssayError } from '#core';
import type { CameraEvidence, Episode } from '#core/episode';
import { type OpenDataset, reopen, type Unreadable } from '#formats';
import type { MediaService } from '#io/media';
import { type ResolvedSettings, resolveSettings } from '#quality/readiness';
import { MeasureCache } from '../../cache/measure-cache.ts';
import { closeRecordings, openRecordings } from '../../open-recordings.ts';
import { readLines, Spool, type SpoolRegion } from '../../spool.ts';
import { EpisodeJudge, type MeasuredEpisode } from '../judge/episode-judge.ts';
import type {
  DatasetRef,
  JudgedUnit,
  JudgeTask,
  MeasuredUnit,
  StepOptions,
  Task,
  WorkerStart,
} from '../tasks.ts';
import { CachedCameras, CachedUnits } from './cached-measurements.ts';
import { EpisodeMeasurer, type EpisodeSink, UnitTotals } from './episode-measurer.ts';
import { examineCameras } from './examine-cameras.ts';

/**
 * Number of episodes whose cameras are measured at once, to overlap decoding and reading: enough that a slow clip
 * does not idle a decoder; few if episodes hold their pictures in memory.
 */
const inFlightLimits = { located: 16, held: 4 };

/** Callbacks of a pipeline. */
export interface PipelineHooks {
  readonly signal: AbortSignal;
  /** Called with episodes and bytes done; both may be 0 when other progress was made. */
  readonly onProgress: (episodes: number, bytes: number) => void;
  /**
   * Receives each measured episode in recording order, instead of the pipeline's own storage. The callback may keep
   * the episode's arrays.
   */
  readonly onMeasured?: EpisodeSink;
  readonly onWarning?: (text: string) => void;
}

/** Reads units and measures their episodes in one thread, stores the results, and judges them later. */
export class UnitPipeline {
  readonly #options: StepOptions;
  readonly #refs: readonly DatasetRef[];
  readonly #hooks: PipelineHooks;
  readonly #datasets = new Map<number, Promise<OpenDataset>>();
  readonly #opened: Promise<OpenDataset>[] = [];
  readonly #spool: Spool;
  readonly #held = new Map<number, readonly MeasuredEpisode[]>();
  readonly #settings: ResolvedSettings;
  readonly #judge: EpisodeJudge;
  readonly #cache: { readonly units: CachedUnits; readonly cameras: CachedCameras } | null;
  #media: Promise<MediaService> | null = null;

  constructor(start: WorkerStart, openSpool: (which: 0 | 1 | 2) => number, hooks: PipelineHooks) {
    this.#options = start.options;
    this.#refs = start.datasets;
    this.#hooks = hooks;
    this.#settings = resolveSettings(start.options.settings);
    this.#spool = new Spool(() => openSpool(0), start.options.spool_bytes);
    this.#judge = new EpisodeJudge(start.options, this.#settings, openSpool);
    this.#cache = openCache(start.options, hooks.onWarning);
  }

  /** Provides an opened dataset, so that it is not opened twice. The caller closes it. */
  useDataset(index: number, dataset: OpenDataset): void {
    this.#datasets.set(index, Promise.resolve(dataset));
  }

  /** Returns a measured unit: from the cache, else read and measured now. Throws if the whole unit is unreadable. */
  async measure(task: Task): Promise<MeasuredUnit> {
    const key = this.#cache?.units.computeKey(task, this.#refs[task.dataset]) ?? null;
    const cached = key === null ? null : this.#loadCached(task, key);
    if (cached !== null) return cached;
    const keeper = key === null ? null : this.#cache!.units.record(key);
    const unit = new UnitTotals(task);
    const inMemory: MeasuredEpisode[] = [];
    const keep: EpisodeSink = (kept) => {
      const line = this.#options.hold && keeper === null ? null : JSON.stringify(kept);
      if (line !== null) keeper?.addLine(line);
      if (this.#options.hold) inMemory.push(kept);
      else this.#spool.append(line!);
      return undefined;
    };
    try {
      const dataset = await this.#dataset(task.dataset);
      const take = this.#hooks.onMeasured ?? keep;
      const measurer = await EpisodeMeasurer.create(this.#options, dataset.facts, unit, take);
      await this.#read(task, dataset, measurer, unit);
    } catch (thrown) {
      this.#spool.cut();
      throw thrown;
    }
    if (this.#options.hold) this.#held.set(task.place, inMemory);
    const measured = unit.finish(this.#options.hold ? 'held' : this.#spool.cut());
    keeper?.finish(measured);
    return measured;
  }

  /** Returns a cached unit, or null if there is none. */
  #loadCached(task: Task, key: string): MeasuredUnit | null {
    try {
      const cached = this.#cache!.units.load(key, task);
      if (cached === null) return null;
      const { unit, lines } = cached;
      this.#hooks.onProgress(unit.episodes + unit.unreadable, task.unit.bytes);
      if (!this.#options.hold) {
        for (const block of lines) this.#spool.appendBytes(block);
        return { ...unit, kept: this.#spool.cut() };
      }
      const inMemory: MeasuredEpisode[] = [];
      for (const block of lines)
        for (const line of readLines({ bytes: block })) inMemory.push(JSON.parse(line));
      this.#held.set(task.place, inMemory);
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
    const reuse_arrays = this.#hooks.onMeasured === undefined;
    const { seal: hashes, reader_threads: threads, rate_hz } = this.#options;
    const rate = rate_hz === undefined ? {} : { rate_hz };
    const copies = this.#options.pictures !== 'none';
    const options = { signal: this.#hooks.signal, onBytes, hashes, copies, reuse_arrays, threads, ...rate };
    // Start a decoder while the first rows are read.
    if (dataset.facts.declared_cameras.length > 0) void this.#mediaService().then((media) => media.prepare());
    try {
      const items = await this.#applyRecipe(dataset.read(task.unit, options));
      for await (const item of items) {
        if (this.#isBeyondLimit(item.index)) break;
        if ('unreadable' in item) {
          unit.addUnreadable(item);
          this.#hooks.onProgress(1, 0);
        } else {
          const cameras = examineCameras(item, dataset, () => this.#mediaService(), {
            thumbnails: this.#options.thumbnails,
            pictures: this.#options.pictures,
            kept: this.#cache?.cameras ?? null,
          });
          if (cameras === null && waiting.length === 0) {
            const keeping = measurer.measure(item, noCameras);
            if (keeping !== undefined) await keeping;
            this.#hooks.onProgress(1, 0);
          } else {
            // Episodes are passed on in recording order, whichever camera finishes first.
            const evidence = cameras?.catch((thrown) => unit.addUnfinished(item, thrown));
            before = Promise.all([evidence ?? noCameras, before])
              .then(([all]) => (all === null ? undefined : measurer.measure(item, all)))
              .then(() => this.#hooks.onProgress(1, 0));
            void cameras?.then(() => this.#hooks.onProgress(0, 0)).catch(ignoreRejection);
            before.catch(ignoreRejection);
            waiting.push(before);
            if (waiting.length >= maxInFlight(item)) await waiting.shift();
          }
        }
        if (this.#hooks.signal.aborted) this.#hooks.signal.throwIfAborted();
      }
    } finally {
      await Promise.allSettled(waiting);
    }
    await Promise.all(waiting);
  }

  async #applyRecipe(
    items: AsyncIterable<Episode | Unreadable>,
  ): Promise<AsyncIterable<Episode | Unreadable>> {
    const { recipe } = this.#options;
    return recipe === undefined ? items : (await import('#formats/recipes')).cutItems(items, recipe);
  }

  /**
   * Judges a measured unit and returns the result; the unit is taken from memory (once only) or from text that any worker may
   * have written. Throws if it should be in memory and is not.
   */
  judge(task: JudgeTask): JudgedUnit {
    const { kept, place, dataset } = task;
    const inMemory = this.#held.get(place);
    if (kept === 'held' && inMemory === undefined) throw new Error(`unit ${place} is not held here`);
    this.#held.delete(place);
    const episodes = kept === 'held' ? inMemory! : parseEpisodes(kept);
    return this.#judge.judgeUnit(task, episodes, this.#refs[dataset], (count) =>
      this.#hooks.onProgress(count, 0),
    );
  }

  /** Closes the decoders; they are started again when needed. */
  async endDecoders(): Promise<void> {
    const media = this.#media;
    this.#media = null;
    await (await media)?.close();
  }

  /** Closes the decoders and the datasets that the pipeline opened. */
  async close(): Promise<void> {
    await this.endDecoders();
    for (const opened of this.#opened) await opened.then((dataset) => dataset.close()).catch(() => {});
  }

  #isBeyondLimit(index: number): boolean {
    return this.#options.limit !== null && index >= this.#options.limit;
  }

  #dataset(index: number): Promise<OpenDataset> {
    let dataset = this.#datasets.get(index);
    if (dataset === undefined) {
      dataset = reopenDataset(this.#refs[index]);
      this.#datasets.set(index, dataset);
      this.#opened.push(dataset);
      // A failed dataset is opened again on the next call.
      dataset.catch(() => this.#datasets.delete(index));
    }
    return dataset;
  }

  #mediaService(): Promise<MediaService> {
    // Waiting for a busy decoder counts as progress.
    this.#media ??= openMedia(this.#options, () => this.#hooks.onProgress(0, 0));
    return this.#media;
  }
}

function openCache(options: StepOptions, onWarning: PipelineHooks['onWarning']) {
  const { cache: place } = options;
  if (place === undefined) return null;
  const cache = new MeasureCache(place.folder, (why) =>
    onWarning?.(`measurements are not cached, because ${place.folder} is not writable: ${why}`),
  );
  return { units: new CachedUnits(cache, place, options), cameras: new CachedCameras(cache, place) };
}

/** Opens the media service, which is loaded on demand. */
async function openMedia({ media_children: children, end_decoders }: StepOptions, onAlive: () => void) {
  const { createMediaService } = await import('#io/media');
  return createMediaService({ children, onAlive, keep_idle: end_decoders !== true });
}

async function reopenDataset({ path, recognised, snapshot }: DatasetRef): Promise<OpenDataset> {
  const source = await openRecordings(path);
  try {
    return await reopen(source, recognised, { snapshot });
  } finally {
    await closeRecordings(source);
  }
}

function* parseEpisodes(region: SpoolRegion): Generator<MeasuredEpisode> {
  for (const line of readLines(region)) yield JSON.parse(line);
}

function maxInFlight(episode: Episode): number {
  return episode.streams.some(({ frames }) => frames?.kept !== undefined)
    ? inFlightLimits.held
    : inFlightLimits.located;
}

/** Marks rejections of promises that are awaited later as handled. */
const ignoreRejection = (): void => {};

const noCameras: ReadonlyMap<string, CameraEvidence> = new Map();
