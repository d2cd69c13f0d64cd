import type { CurationReport } from '#core/api';
import { resolvePlan } from '#quality/curation';
import type { Store } from '#store';
import { frameService } from '../episodes/frames/frame-service.ts';
import type { LoadedEpisodes } from './load-episodes.ts';

/**
 * Runs a written plan in a thread. Episodes go by their plan names, so that a folder and a service decide alike; the
 * answer has their ids. Throws `invalid_request`, `busy`, `limit_exceeded`.
 */
export async function computePlan(
  store: Store,
  written: { readonly seed?: number | undefined; readonly stages: readonly WrittenStage[] },
  { episodes, ids }: Pick<LoadedEpisodes, 'episodes' | 'ids'>,
  pointer = '/body',
): Promise<CurationReport> {
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const plan = resolvePlan(asWritten(written, names), pointer);
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

interface WrittenStage {
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** What was left out is left out, not undefined; episodes that are named by their ids go by their plan names. */
function asWritten({ seed, stages }: Parameters<typeof computePlan>[1], names: ReadonlyMap<string, string>) {
  return {
    ...(seed === undefined ? {} : { seed }),
    stages: stages.map(({ strategy, parameters }) => ({
      strategy,
      ...(parameters === undefined ? {} : { parameters: named(parameters, names) }),
    })),
  };
}

/** Parameters that hold episodes. */
const naming = ['failures', 'episodes'];

const named = (parameters: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>) =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => [
      key,
      naming.includes(key) && Array.isArray(value)
        ? value.map((one) => (typeof one === 'string' ? (names.get(one) ?? one) : one))
        : value,
    ]),
  );
