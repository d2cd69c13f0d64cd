import type { CurationReport } from '#contract';
import { type CurationEpisode, resolvePlan } from '#curation';
import type { Store } from '#store';
import { frameService } from '../episodes/frames/frame-service.ts';

/** Runs a written plan in a thread. Throws `invalid_request`, `busy`, `limit_exceeded`. */
export async function computePlan(
  store: Store,
  written: { readonly seed?: number | undefined; readonly stages: readonly WrittenStage[] },
  episodes: readonly CurationEpisode[],
  pointer = '/body',
): Promise<CurationReport> {
  const plan = resolvePlan(withoutGaps(written), pointer);
  const { stages, kept, dropped, before, after, trims, boosts, ...result } = await frameService(
    store,
  ).readers.do({ type: 'curate', plan, episodes });
  return JSON.parse(JSON.stringify({ ...result, stages, before, after, kept, dropped, trims, boosts }));
}

interface WrittenStage {
  readonly strategy: string;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** What was left out is left out, not undefined. */
function withoutGaps({ seed, stages }: Parameters<typeof computePlan>[1]) {
  return {
    ...(seed === undefined ? {} : { seed }),
    stages: stages.map(({ strategy, parameters }) => ({
      strategy,
      ...(parameters === undefined ? {} : { parameters }),
    })),
  };
}
