import { type JsonText, parseJson, toJson } from '#core';
import type { JobLayerId } from '#core/api';
import type { RecordingsRef } from '#io/sources';
import { frameNeeds, inputLayers } from '#labels/annotation';
import type { DoneRow, JudgedEpisode, Places, RunError } from '#store';
import { usesVisionEndpoint } from '../../steps/annotate/lane-models.ts';
import type { AnnotatedPart, AnnotateTask, Part, PictureSources, RunDataset } from '../../steps/messages.ts';
import type { AnnotateItem, StoredOutput } from '../../steps/units.ts';
import { abandonedEpisode, doRange, listPlaces } from '../../threads/do-range.ts';
import { ThreadLost } from '../../threads/step-thread.ts';
import type { ChosenLane } from './lane-choice.ts';
import { type LocalWork, runInRanges } from './measure-episodes.ts';

/** Result of one layer on one episode. */
export type LaneOutcome =
  | { readonly state: 'done'; readonly row: DoneRow }
  | { readonly state: 'failed'; readonly error: RunError };

/** Inputs and callback of `annotateEpisodes`. */
export interface AnnotateWork extends LocalWork {
  readonly lanes: readonly ChosenLane[];
  /** Episodes; results name them by their index here (`place`). */
  readonly episodes: readonly JudgedEpisode[];
  readonly recordings: RecordingsRef;
  readonly datasets: readonly RunDataset[];
  /** Stores a result before the next one is delivered. `lane`: index of the lane. */
  readonly onAnnotated: (lane: number, place: number, annotated: LaneOutcome) => Promise<void>;
}

const source_id = 'local';
/** Batch size when retrying episodes after a thread crashed on one of them. */
const retryBatch = 16;

/**
 * Annotates episodes in several layers at once, so that each is read once, and passes each result to `onAnnotated`.
 * After a crash each layer is run alone, and the episode at fault is reported as failed.
 */
export async function annotateEpisodes(work: AnnotateWork): Promise<void> {
  const run = new AnnotationRun(work);
  const places = [...work.episodes.keys()];
  await runInRanges(places, work, (own) => run.annotate(own));
}

class AnnotationRun {
  readonly #work: AnnotateWork;
  readonly #pictures: PictureSources | null;
  /** Per lane: places that are done or to which the layer does not apply. */
  readonly #finished: readonly Set<number>[];
  readonly #crashes = new Map<string, number>();
  /** Per place: artifacts for layers that depend on them. */
  readonly #outputs = new Map<number, Partial<Record<JobLayerId, StoredOutput>>>();

  constructor(work: AnnotateWork) {
    this.#work = work;
    this.#finished = work.lanes.map(({ row }) => {
      const unfit = [...work.episodes.entries()].filter(([, { kind }]) => row.unfit[kind] !== undefined);
      return new Set(unfit.map(([place]) => place));
    });
    this.#pictures = work.lanes.some(({ row, refs }) => frameNeeds(row, usesVisionEndpoint(refs)) !== null)
      ? pictureSources(work)
      : null;
  }

  async annotate(places: readonly number[]): Promise<void> {
    const all = [...this.#work.lanes.keys()];
    try {
      await this.#attempt(all, places);
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost)) throw thrown;
      for (const lane of this.#sortByDependencies(all)) await this.#annotateLane(lane, places);
    }
  }

  /** Sorts lanes so that dependent ones come last. */
  #sortByDependencies(lanes: readonly number[]): readonly number[] {
    return lanes.toSorted((a, b) => this.#countDependencies(a) - this.#countDependencies(b));
  }

  #countDependencies = (lane: number): number => inputLayers(this.#work.lanes[lane].row).length;

  #annotateLane(lane: number, range: readonly number[]): Promise<void> {
    const step = {
      retryBatch,
      listOpen: async () =>
        this.#remaining(lane, range).map((place) => ({
          place,
          deaths: this.#crashes.get(`${lane}/${place}`) ?? 0,
        })),
      attempt: (places: Places, suspect: boolean) => this.#tryLane(lane, listPlaces(places), suspect),
      giveUp: async (places: Places, why: string) => {
        for (const place of this.#remaining(lane, listPlaces(places)))
          await this.#record(lane, place, { state: 'failed', error: abandonedEpisode(why) });
      },
    };
    return doRange(step, { places: [...range] }, true);
  }

  /** Attempts places of a lane. `suspect`: a crash counts against each of them. */
  async #tryLane(lane: number, places: readonly number[], suspect: boolean): Promise<void> {
    const count = (more: number) => {
      for (const place of suspect ? places : [])
        this.#crashes.set(`${lane}/${place}`, (this.#crashes.get(`${lane}/${place}`) ?? 0) + more);
    };
    count(1);
    await this.#attempt([lane], places);
    count(-1);
  }

  async #attempt(lanes: readonly number[], range: readonly number[]): Promise<void> {
    const due = lanes.filter((lane) => this.#remaining(lane, range).length > 0);
    const places = range.filter((place) => due.some((lane) => !this.#finished[lane].has(place)));
    if (places.length === 0) return;
    const { threads, signal } = this.#work;
    const items = toJson(places.map((place) => this.#item(place)));
    const tasks = due.map((lane) => this.#task(lane, range));
    const onPart = async (part: Part) => {
      if (part.type === 'annotated') await this.#commit(due[part.task], part);
      return true;
    };
    const pictures = this.#pictures;
    await threads.do({ type: 'annotate', key: 'annotate', items, tasks, pictures }, { signal, onPart });
  }

  async #commit(lane: number, { done, undone }: AnnotatedPart): Promise<void> {
    for (const row of parseJson(done as JsonText<readonly DoneRow[]>))
      await this.#record(lane, row.place, { state: 'done', row });
    for (const { place, error } of parseJson(undone))
      await this.#record(lane, place, { state: 'failed', error });
  }

  async #record(lane: number, place: number, annotated: LaneOutcome): Promise<void> {
    await this.#work.onAnnotated(lane, place, annotated);
    // A layer without output is no input of others, as in a service.
    if (annotated.state === 'done' && annotated.row.not_produced === null) {
      const { id } = this.#work.lanes[lane].row;
      this.#outputs.set(place, { ...this.#outputs.get(place), [id]: toStoredOutput(annotated.row) });
    }
    this.#finished[lane].add(place);
    this.#work.meter.add(1, 0);
  }

  #remaining(lane: number, range: readonly number[]): readonly number[] {
    return range.filter((place) => !this.#finished[lane].has(place));
  }

  #task(lane: number, range: readonly number[]): AnnotateTask {
    const { row, config, refs } = this.#work.lanes[lane];
    const attempts = this.#remaining(lane, range).map((place) => [place, 1] as const);
    return { layer: row.id, config, models: refs, prefix: `annotations/${row.id}`, attempts };
  }

  #item(place: number): AnnotateItem {
    return toAnnotateItem(place, this.#work.episodes[place], this.#outputs.get(place) ?? null);
  }
}

/** Returns where threads find the pictures of all episodes: the recordings and their datasets by format and path. */
export function pictureSources({
  datasets,
  recordings,
}: Pick<AnnotateWork, 'datasets' | 'recordings'>): PictureSources {
  const byName = Object.fromEntries(
    datasets.map((one) => [datasetKey(one.format, one.path), one.recognised]),
  );
  return { recordings: { [source_id]: recordings }, datasets: byName };
}

/**
 * Converts an episode to the message that asks a worker thread to annotate it; `outputs` are its artifacts of layers
 * that are already done.
 */
export function toAnnotateItem(
  place: number,
  { id, format, dataset_path, index, start_ns, ...stored }: JudgedEpisode,
  outputs: AnnotateItem['outputs'],
): AnnotateItem {
  const { shard_blob, shard_place, pack_blob, offset, length } = stored;
  return {
    ...{ place, episode_id: id, shard_blob, shard_place, pack_blob, offset, length, source_id },
    ...{ dataset_path, dataset: datasetKey(format, dataset_path), index, start_ns, outputs },
  };
}

/** Returns the location of an artifact. */
export const toStoredOutput = (row: DoneRow): StoredOutput => ({
  blob: row.artifact_blob,
  offset: row.artifact_offset,
  length: row.artifact_length,
  hash: row.artifact_hash,
});

const datasetKey = (format: string, path: string): string => `${format} ${path}`;
