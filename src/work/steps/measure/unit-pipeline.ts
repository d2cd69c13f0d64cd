import type { CameraEvidence, Episode } from '#episode';
import { type OpenDataset, reopen, type Unreadable } from '#formats';
import type { MediaService } from '#media';
import { type ResolvedSettings, resolveSettings } from '#readiness';
import { closeRecordings, openRecordings } from '../../recordings/open-recordings.ts';
import { readLines, type Segment, Spool } from '../../spool/spool.ts';
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
import { EpisodeMeasurer, type Keep } from './episode-measurer.ts';
import { examineCameras } from './examine-cameras.ts';
import { UnitTotals } from './unit-totals.ts';

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
  #media: Promise<MediaService> | null = null;

  constructor(start: WorkerStart, openSpool: (which: 0 | 1 | 2) => number, hooks: PipelineHooks) {
    this.#options = start.options;
    this.#refs = start.datasets;
    this.#hooks = hooks;
    this.#settings = resolveSettings(start.options.settings);
    this.#spool = new Spool(() => openSpool(0), start.options.spool_bytes);
    this.#judge = new EpisodeJudge(start.options, this.#settings, openSpool);
  }

  /** Lends an already opened dataset, so that it is not opened twice; whoever lends it closes it. */
  lend(index: number, dataset: OpenDataset): void {
    this.#datasets.set(index, Promise.resolve(dataset));
  }

  /** Reads and measures one unit. Throws what makes the whole unit unreadable. */
  async measure(task: Task): Promise<MeasuredUnit> {
    const unit = new UnitTotals(task);
    const held: KeptEpisode[] = [];
    const keep: Keep = (kept) => {
      if (this.#options.hold) held.push(kept);
      else this.#spool.append(JSON.stringify(kept));
      return undefined;
    };
    try {
      const dataset = await this.#dataset(task.dataset);
      const take = this.#hooks.onKept ?? keep;
      await this.#read(task, dataset, new EpisodeMeasurer(this.#options, dataset.facts, unit, take), unit);
    } catch (thrown) {
      this.#spool.cut();
      throw thrown;
    }
    if (!this.#options.hold) return unit.close(this.#spool.cut());
    this.#held.set(task.place, held);
    return unit.close('held');
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
    const options = { signal: this.#hooks.signal, onBytes, hashes, reuse_arrays, threads, ...rate };
    try {
      const items = await this.#cut(dataset.read(task.unit, options));
      for await (const item of items) {
        if (this.#beyond(item.index)) break;
        if ('unreadable' in item) {
          unit.unreadable(item);
          this.#hooks.onProgress(1, 0);
        } else {
          const cameras = examineCameras(item, dataset, () => this.#mediaService(), this.#options.thumbnails);
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
    return recipe === undefined ? items : (await import('#recipes')).cutItems(items, recipe);
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

  async close(): Promise<void> {
    await (await this.#media)?.close();
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
    this.#media ??= openMedia(this.#options.media_children, () => this.#hooks.onProgress(0, 0));
    return this.#media;
  }
}

/** Loaded where there are pictures. */
async function openMedia(children: number, onAlive: () => void): Promise<MediaService> {
  return (await import('#media')).createMediaService({ children, onAlive });
}

async function reopenFrom({ path, claim, carried }: DatasetRef): Promise<OpenDataset> {
  const source = await openRecordings(path);
  try {
    return await reopen(source, claim, { carried });
  } finally {
    await closeRecordings(source);
  }
}

function* episodesOf(segment: Segment): Generator<KeptEpisode> {
  for (const line of readLines(segment)) yield JSON.parse(line);
}

function mostInFlight(episode: Episode): number {
  return episode.streams.some(({ frames }) => frames?.kept !== undefined) ? inFlight.held : inFlight.located;
}

/** A promise that is awaited later may fail before. */
const heardElsewhere = (): void => {};

const noCameras: ReadonlyMap<string, CameraEvidence> = new Map();
