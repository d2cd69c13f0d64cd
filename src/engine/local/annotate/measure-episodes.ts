import { availableParallelism } from 'node:os';
import { parseJson, toJson } from '#core';
import type { Finding } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import type { JudgedEpisode, MeasuredRow, Places } from '#store';
import { doRange } from '../../durable/do-range.ts';
import { isLarge } from '../../large-work.ts';
import { findingOf } from '../../steps/measure/not-finished.ts';
import { unfinishedUnit } from '../../steps/measure/unfinished.ts';
import type { Part, RunBrief, RunDataset } from '../../steps/messages.ts';
import type { JudgeUnit, MeasureUnit } from '../../steps/units.ts';
import { WorkerLost } from '../../workers/worker-thread.ts';
import { byRanges, type LocalWork } from './local-work.ts';

/** Episodes whose receipts and numbers lie in blobs, and what could not be read. */
export interface MeasuredEpisodes {
  /** In the order of datasets and episodes. */
  readonly episodes: readonly JudgedEpisode[];
  readonly findings: readonly Finding[];
}

/**
 * Measures what was found and seals receipts, as a run of the service does. Comparisons are left out: no receipt's facts
 * of streams and sources, which are all that lanes see of it, depend on them.
 */
export async function measureEpisodes(looked: LookedAt, work: LocalWork): Promise<MeasuredEpisodes> {
  const measured = await measureUnits(looked, work);
  work.meter.stage('judge', { episodes: 0, bytes: 0 });
  const episodes = await judgeUnits(looked, measured, work);
  const findings = [...measured.values()].flatMap(({ findings, error }) =>
    error === null ? findings : [...findings, error],
  );
  return { episodes, findings: [...looked.findings, ...findings] };
}

async function measureUnits({ brief, units }: LookedAt, work: LocalWork): Promise<Map<number, MeasuredRow>> {
  const { threads, meter, signal } = work;
  const rows = new Map<number, MeasuredRow>();
  const waiting = (places: Places) => units.filter(({ place }) => has(places, place) && !rows.has(place));
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
    for (const unit of waiting(places)) rows.set(unit.place, lostRow(unit, why));
  };
  const step = { together: 1, open: async () => [], attempt, giveUp };
  const all = units.map(({ place }) => place);
  await byRanges(all, work, (places) => doRange(step, { places }, false));
  return new Map([...rows].sort(([a], [b]) => a - b));
}

const has = (places: Places, place: number): boolean =>
  'places' in places ? places.places.includes(place) : place >= places.from && place < places.to;

function lostRow(task: MeasureUnit, why: string): MeasuredRow {
  const { place, attempt, unit } = task;
  return {
    ...{ place, attempt, state: 'failed', bytes: unit.bytes, episodes: 0, unreadable: 0, kinds: {} },
    ...{ findings: [], error: findingOf(unfinishedUnit(task, new WorkerLost(why))), compute_s: 0 },
    ...{ measured_blob: null, pack_entry: null, shard_blob: null },
  };
}

async function judgeUnits(
  { brief, units }: LookedAt,
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
  // In one request, so that episodes come in order.
  if (due.length > 0)
    await threads.do({ type: 'judge', run: brief, units: toJson(due), notes: [] }, { signal, onPart });
  return episodes;
}

/** What lies there, as threads are told of it. */
interface LookedAt {
  readonly brief: RunBrief;
  readonly datasets: readonly RunDataset[];
  readonly units: readonly MeasureUnit[];
  readonly findings: readonly Finding[];
}

/** Finds datasets and their units in a thread. Throws as `findDatasets`, `unfinished`. */
export async function lookAndBrief(
  recordings: RecordingsRef,
  { threads, signal }: LocalWork,
): Promise<LookedAt> {
  const key = 'annotate';
  const units: Omit<MeasureUnit, 'attempt'>[] = [];
  const onPart = async (part: Part) => {
    if (part.type === 'units') units.push(...parseJson(part.units));
    return true;
  };
  const found = await threads.do({ type: 'look', recordings, key }, { signal, onPart });
  const decoders = isLarge(found.episodes, found.bytes)
    ? 1
    : Math.max(1, Math.floor(availableParallelism() / threads.threads));
  return {
    brief: {
      ...{ key, blob_prefix: 'measured', recordings, settings: {}, kind: null, datasets: found.datasets },
      episodes_expected: found.episodes,
      media_children: decoders,
    },
    datasets: parseJson(found.datasets),
    units: units.map((unit) => ({ ...unit, attempt: 0 })),
    findings: found.findings,
  };
}
