import { parseJson, toJson } from '#core';
import type { Finding } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import type { JudgedEpisode, MeasuredRow, Places } from '#store';
import { decodersPerThread } from '../../large-work.ts';
import { lostUnitRow } from '../../steps/measure/unit-faults.ts';
import type { Part, RunBrief, RunDataset } from '../../steps/messages.ts';
import type { Task } from '../../steps/tasks.ts';
import type { JudgeUnit, MeasureUnit } from '../../steps/units.ts';
import { doRange, listPlaces } from '../../threads/do-range.ts';
import type { WorkThreads } from '../../threads/work-threads.ts';
import type { ProgressMeter } from '../progress.ts';

/** Measured episodes, whose receipts and numbers are in blobs, and findings. */
export interface MeasuredEpisodes {
  /** Episodes in the order of datasets. */
  readonly episodes: readonly JudgedEpisode[];
  readonly findings: readonly Finding[];
}

/**
 * Measures units, seals their receipts as a service's run does, and returns the episodes; units that cannot be read or
 * measured become findings. Comparisons are skipped: the facts that lanes use do not depend on them.
 */
export async function measureEpisodes(
  inspected: InspectedRecordings,
  work: LocalWork,
): Promise<MeasuredEpisodes> {
  const measured = await measureUnits(inspected, work);
  work.meter.stage('judge', { episodes: 0, bytes: 0 });
  const episodes = await judgeUnits(inspected, measured, work);
  const findings = [...measured.values()].flatMap(({ findings, error }) =>
    error === null ? findings : [...findings, error],
  );
  return { episodes, findings: [...inspected.findings, ...findings] };
}

async function measureUnits(
  { brief, units }: InspectedRecordings,
  work: LocalWork,
): Promise<Map<number, MeasuredRow>> {
  const { threads, meter, signal } = work;
  const rows = new Map<number, MeasuredRow>();
  const waiting = (range: Places) => {
    const places = new Set(listPlaces(range));
    return units.filter(({ place }) => places.has(place) && !rows.has(place));
  };
  const onPart = async (part: Part) => {
    if (part.type === 'measured') for (const row of parseJson(part.units)) rows.set(row.place, row);
    return true;
  };
  const hooks = {
    signal,
    onPart,
    onProgress: (episodes: number, bytes: number) => meter.add(episodes, bytes),
  };
  const attempt = async (places: Places) => {
    const own = waiting(places);
    if (own.length > 0) await threads.do({ type: 'measure', run: brief, units: toJson(own) }, hooks);
  };
  const giveUp = async (places: Places, why: string) => {
    for (const unit of waiting(places)) rows.set(unit.place, lostUnitRow(unit, why));
  };
  const step = { retryBatch: 1, listOpen: async () => [], attempt, giveUp };
  const all = units.map(({ place }) => place);
  await runInRanges(all, work, (places) => doRange(step, { places }, false));
  return new Map([...rows].sort(([a], [b]) => a - b));
}

async function judgeUnits(
  { brief, units }: InspectedRecordings,
  measured: ReadonlyMap<number, MeasuredRow>,
  { threads, signal }: LocalWork,
): Promise<readonly JudgedEpisode[]> {
  const due = units.flatMap(({ place, dataset, attempt }): JudgeUnit[] => {
    const row = measured.get(place);
    if (row?.measured_blob == null || row.pack_entry === null) return [];
    const { measured_blob, pack_entry, shard_blob } = row;
    return [{ place, dataset, attempt, measured_blob, pack_entry, shard_blob }];
  });
  const episodes: JudgedEpisode[] = [];
  const onPart = async (part: Part) => {
    if (part.type === 'judged') episodes.push(...parseJson(part.episodes));
    return true;
  };
  // One request, so that episodes come in order.
  if (due.length > 0)
    await threads.do({ type: 'judge', run: brief, units: toJson(due), notes: [] }, { signal, onPart });
  return episodes;
}

/** Datasets and units that were found, with the description for threads. */
interface InspectedRecordings {
  readonly brief: RunBrief;
  readonly datasets: readonly RunDataset[];
  readonly units: readonly MeasureUnit[];
  readonly findings: readonly Finding[];
}

/**
 * Finds datasets and their units in a worker thread and returns them with the description (`RunBrief`) that further requests
 * to threads need.
 * @throws as `findDatasets`, `unfinished`
 */
export async function lookAndBrief(
  recordings: RecordingsRef,
  { threads, signal }: LocalWork,
): Promise<InspectedRecordings> {
  const key = 'annotate';
  const units: Task[] = [];
  const onPart = async (part: Part) => {
    if (part.type === 'units') units.push(...parseJson(part.units));
    return true;
  };
  const found = await threads.do({ type: 'look', recordings, key }, { signal, onPart });
  return {
    brief: {
      ...{ key, blob_prefix: 'measured', recordings, settings: {}, kind: null, datasets: found.datasets },
      episodes_expected: found.episodes,
      media_children: decodersPerThread(found.episodes, found.bytes, threads.threads),
    },
    datasets: parseJson(found.datasets),
    units: units.map((unit) => ({ ...unit, attempt: 0 })),
    findings: found.findings,
  };
}

/** Shared state of local annotation. */
export interface LocalWork {
  readonly threads: WorkThreads;
  readonly meter: ProgressMeter;
  readonly signal: AbortSignal;
  /** Number of units or episodes per request to a thread. */
  readonly range_size: number;
}

/**
 * Splits `all` into ranges of `range_size` items and works on one range per thread at a time. Throws the first
 * error, after which no range is started.
 */
export async function runInRanges<T>(
  all: readonly T[],
  { threads, range_size }: Pick<LocalWork, 'threads' | 'range_size'>,
  work: (range: readonly T[]) => Promise<void>,
): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < all.length) {
      const from = next;
      next += range_size;
      await work(all.slice(from, from + range_size)).catch((thrown) => {
        next = all.length;
        throw thrown;
      });
    }
  };
  await Promise.all(Array.from({ length: threads.threads }, take));
}
