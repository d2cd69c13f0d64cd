import { AssayError } from '#core';
import type { CurationReport } from '#core/api';
import { type CurationEpisode, type CurationPlan, heldOutStage, resolvePlan } from '#quality/curation';
import type { Store } from '#store';
import { frameService } from '../episodes/media/frame-service.ts';
import type { LoadedEpisodes } from './load-episodes.ts';

/**
 * Returns the result of a plan, with episodes under their ids; held-out episodes are dropped first, and the plan runs in a
 * worker thread. Episodes are passed under their plan names, so that a folder and a service give the same result, and returned
 * with their ids. `pointer` is the JSON pointer of the plan in error details. Throws `invalid_request`, `busy`,
 * `limit_exceeded`.
 */
export async function computePlan(
  store: Store,
  written: { readonly seed?: number | undefined; readonly stages: readonly StageInput[] },
  { episodes, ids }: Pick<LoadedEpisodes, 'episodes' | 'ids'>,
  pointer = '/body',
): Promise<CurationReport> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const plan = withHeldOut(resolveForApi(toPlanInput(written, names), pointer), episodes);
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

/** Returns a plan as `resolvePlan` does; the advice of its errors refers to the API instead of the command line. */
function resolveForApi(...input: Parameters<typeof resolvePlan>): CurationPlan {
  try {
    return resolvePlan(...input);
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    throw new AssayError(thrown.code, thrown.message, {
      advice:
        'list the strategies and their parameters with GET /v1/projects/{project_id}/curation/strategies',
      details: thrown.details,
    });
  }
}

/** Returns the plan with a first stage that drops held-out episodes, if there are any. */
function withHeldOut(plan: CurationPlan, episodes: readonly CurationEpisode[]): CurationPlan {
  const isFirst = plan.stages[0].strategy === heldOutStage;
  if (isFirst || episodes.every(({ held_out }) => held_out === undefined)) return plan;
  return { ...plan, stages: [{ strategy: heldOutStage, parameters: {} }, ...plan.stages] };
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
