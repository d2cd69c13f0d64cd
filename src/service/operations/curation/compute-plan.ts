import type { CurationReport } from '#core/api';
import { resolvePlan } from '#quality/curation';
import type { Store } from '#store';
import { frameService } from '../episodes/media/frame-service.ts';
import type { LoadedEpisodes } from './load-episodes.ts';

/**
 * Runs a plan in a worker thread. Episodes are passed under their plan names, so that a folder and a service decide
 * alike; the result has their ids again. `pointer` is the JSON pointer of the plan in error details. Throws
 * `invalid_request`, `busy`, `limit_exceeded`.
 */
export async function computePlan(
  store: Store,
  written: { readonly seed?: number | undefined; readonly stages: readonly StageInput[] },
  { episodes, ids }: Pick<LoadedEpisodes, 'episodes' | 'ids'>,
  pointer = '/body',
): Promise<CurationReport> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const plan = resolvePlan(toPlanInput(written, names), pointer);
  const { readers } = frameService(store);
  const { stages, kept, dropped, before, after, trims, boosts, ...result } = await readers.do({
    type: 'curate',
    plan,
    episodes,
  });
  const byId = <Value>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [idOf(name), value]));
  const idOf = (name: string): string => ids.get(name) ?? name;
  const decided = {
    kept: kept.map(idOf),
    dropped: dropped.map(({ id, ...why }) => ({ id: idOf(id), ...why })),
    trims: byId(trims),
    boosts: byId(boosts),
  };
  return JSON.parse(JSON.stringify({ ...result, stages, before, after, ...decided }));
}

interface StageInput {
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Drops undefined members and replaces episode ids in parameters by plan names. */
function toPlanInput(
  { seed, stages }: Parameters<typeof computePlan>[1],
  names: ReadonlyMap<string, string>,
) {
  return {
    ...(seed === undefined ? {} : { seed }),
    stages: stages.map(({ strategy, parameters }) => ({
      strategy,
      ...(parameters === undefined ? {} : { parameters: replaceEpisodeIds(parameters, names) }),
    })),
  };
}

/** Parameters whose values are lists of episodes. */
const episodeParameters = ['failures', 'episodes'];

const replaceEpisodeIds = (
  parameters: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, string>,
) =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      episodeParameters.includes(key) && Array.isArray(value)
        ? value.map((one) => (typeof one === 'string' ? (names.get(one) ?? one) : one))
        : value,
    ]),
  );
