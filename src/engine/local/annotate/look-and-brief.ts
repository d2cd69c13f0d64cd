import { availableParallelism } from 'node:os';
import { parseJson } from '#core';
import type { Finding } from '#core/episode';
import type { RecordingsRef } from '#io/sources';
import { isLarge } from '../../large-work.ts';
import type { Part, RunBrief, RunDataset } from '../../steps/messages.ts';
import type { MeasureUnit } from '../../steps/units.ts';
import type { LocalWork } from './local-work.ts';

/** What lies there, as threads are told of it. */
export interface LookedAt {
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
