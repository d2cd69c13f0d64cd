import { type JsonText, parseJson, toJson } from '#core';
import type { JobLayerId } from '#core/api';
import type { RecordingsRef } from '#io/sources';
import { framesOf, usedLayers } from '#labels/annotation';
import type { DoneRow, JudgedEpisode, Places, RunError } from '#store';
import { doRange } from '../../durable/do-range.ts';
import { ThreadLost } from '../../durable/threads/work-thread.ts';
import { asksEndpoint } from '../../steps/annotate/vision-model.ts';
import type { AnnotatedPart, AnnotateTask, Part, PictureSources, RunDataset } from '../../steps/messages.ts';
import type { AnnotateItem, StoredOutput } from '../../steps/units.ts';
import type { ChosenLane } from './lane-choice.ts';
import { byRanges, type LocalWork } from './local-work.ts';

/** What became of one layer of one episode. */
export type Annotated =
  | { readonly state: 'done'; readonly row: DoneRow }
  | { readonly state: 'failed'; readonly error: RunError };

export interface AnnotateWork extends LocalWork {
  readonly lanes: readonly ChosenLane[];
  /** Episodes by their place. */
  readonly episodes: readonly JudgedEpisode[];
  readonly recordings: RecordingsRef;
  readonly datasets: readonly RunDataset[];
  /** Keeps what was made, before the next is handed over. `lane`: its place. */
  readonly onAnnotated: (lane: number, place: number, annotated: Annotated) => Promise<void>;
}

const source_id = 'local';
/** Episodes that are tried together after a thread has died of some of them. */
const together = 16;

/**
 * Annotates episodes in several layers at once, so that each is read once; where a thread dies over that, each layer is
 * done by itself and the episode to blame is left out.
 */
export async function annotateEpisodes(work: AnnotateWork): Promise<void> {
  const run = new Annotating(work);
  const places = [...work.episodes.keys()];
  await byRanges(places, work, (own) => run.annotate(own));
}

class Annotating {
  readonly #work: AnnotateWork;
  readonly #pictures: PictureSources | null;
  /** By lane: places that are done or that the layer does not fit. */
  readonly #over: readonly Set<number>[];
  readonly #deaths = new Map<string, number>();
  /** By place: what layers have said of it, for those that use it. */
  readonly #outputs = new Map<number, Partial<Record<JobLayerId, StoredOutput>>>();

  constructor(work: AnnotateWork) {
    this.#work = work;
    this.#over = work.lanes.map(({ row }) => {
      const unfit = [...work.episodes.entries()].filter(([, { kind }]) => row.unfit[kind] !== undefined);
      return new Set(unfit.map(([place]) => place));
    });
    this.#pictures = work.lanes.some(({ row, refs }) => framesOf(row, asksEndpoint(refs)) !== null)
      ? pictureSources(work)
      : null;
  }

  async annotate(places: readonly number[]): Promise<void> {
    const all = [...this.#work.lanes.keys()];
    try {
      await this.#attempt(all, places);
    } catch (thrown) {
      if (!(thrown instanceof ThreadLost)) throw thrown;
      for (const lane of this.#inOrder(all)) await this.#alone(lane, places);
    }
  }

  /** Those that use what others say come after them. */
  #inOrder(lanes: readonly number[]): readonly number[] {
    return lanes.toSorted((a, b) => this.#uses(a) - this.#uses(b));
  }

  #uses = (lane: number): number => usedLayers(this.#work.lanes[lane].row).length;

  #alone(lane: number, range: readonly number[]): Promise<void> {
    const step = {
      together,
      open: async () =>
        this.#left(lane, range).map((place) => ({
          place,
          deaths: this.#deaths.get(`${lane}/${place}`) ?? 0,
        })),
      attempt: (places: Places, suspect: boolean) => this.#tried(lane, listed(places), suspect),
      giveUp: async (places: Places, why: string) => {
        for (const place of this.#left(lane, listed(places)))
          await this.#keep(lane, place, { state: 'failed', error: givenUp(why) });
      },
    };
    return doRange(step, { places: [...range] }, true);
  }

  /** `suspect`: while it lasts it counts as a death of each. */
  async #tried(lane: number, places: readonly number[], suspect: boolean): Promise<void> {
    const count = (more: number) => {
      for (const place of suspect ? places : [])
        this.#deaths.set(`${lane}/${place}`, (this.#deaths.get(`${lane}/${place}`) ?? 0) + more);
    };
    count(1);
    await this.#attempt([lane], places);
    count(-1);
  }

  async #attempt(lanes: readonly number[], range: readonly number[]): Promise<void> {
    const due = lanes.filter((lane) => this.#left(lane, range).length > 0);
    const places = range.filter((place) => due.some((lane) => !this.#over[lane].has(place)));
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
      await this.#keep(lane, row.place, { state: 'done', row });
    for (const { place, error } of parseJson(undone))
      await this.#keep(lane, place, { state: 'failed', error });
  }

  async #keep(lane: number, place: number, annotated: Annotated): Promise<void> {
    await this.#work.onAnnotated(lane, place, annotated);
    if (annotated.state === 'done') {
      const { id } = this.#work.lanes[lane].row;
      this.#outputs.set(place, { ...this.#outputs.get(place), [id]: storedOutput(annotated.row) });
    }
    this.#over[lane].add(place);
    this.#work.meter.add(1, 0);
  }

  #left(lane: number, range: readonly number[]): readonly number[] {
    return range.filter((place) => !this.#over[lane].has(place));
  }

  #task(lane: number, range: readonly number[]): AnnotateTask {
    const { row, config, refs } = this.#work.lanes[lane];
    const attempts = this.#left(lane, range).map((place) => [place, 1] as const);
    return { layer: row.id, config, models: refs, prefix: `annotations/${row.id}`, attempts };
  }

  #item(place: number): AnnotateItem {
    return episodeItem(place, this.#work.episodes[place], this.#outputs.get(place) ?? null);
  }
}

/** Where pictures of all episodes are read from. */
export function pictureSources({
  datasets,
  recordings,
}: Pick<AnnotateWork, 'datasets' | 'recordings'>): PictureSources {
  const byName = Object.fromEntries(
    datasets.map((one) => [datasetKey(one.format, one.path), one.recognised]),
  );
  return { recordings: { [source_id]: recordings }, datasets: byName };
}

/** An episode as threads are given it, with what layers have said of it. */
export function episodeItem(
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

/** Where an artifact lies. */
export const storedOutput = (row: DoneRow): StoredOutput => ({
  blob: row.artifact_blob,
  offset: row.artifact_offset,
  length: row.artifact_length,
  hash: row.artifact_hash,
});

const datasetKey = (format: string, path: string): string => `${format} ${path}`;

const listed = (places: Places): readonly number[] =>
  'places' in places
    ? places.places
    : Array.from({ length: places.to - places.from }, (_, at) => places.from + at);

const givenUp = (why: string): RunError => ({
  code: 'limit_exceeded',
  message: `annotating it was given up: ${why}`,
  path: null,
  advice: 'look at the episode; the others were done without it',
});
