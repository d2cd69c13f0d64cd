import { basename, resolve } from 'node:path';
import { curationEpisodes, indexEpisodes } from '#assess';
import { runProbe } from '#curation';
import type { Kind } from '#episode';
import { engine } from '#readiness';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import { readSettings } from '../../read-settings.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { curatedBy, readChoice } from './curated-by.ts';

export interface ProbeArguments {
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly json?: boolean;
  readonly workers?: number;
  readonly settings?: string;
  readonly kind?: Kind;
  readonly limit?: number;
  /** Folder of what assess keeps; null: none. */
  readonly cache: string | null;
}

/** `assay probe PATH`: what small policies learn from all, from accepted and from curated episodes. */
export async function probeCommand(path: string, args: ProbeArguments, io: Io): Promise<number> {
  demandNoAddress(path, 'assay probe');
  const choice = readChoice(args.plan);
  const { seed, folds, workers, settings, kind, limit, cache } = args;
  const options = {
    ...(workers === undefined ? {} : { workers }),
    ...(settings === undefined ? {} : { settings: readSettings(settings) }),
    ...(kind === undefined ? {} : { kind }),
    ...(limit === undefined ? {} : { limit }),
    ...(cache === null ? {} : { cacheFolder: cache }),
  };
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, options, hooks).finally(() => progress.end());
  const episodes = curationEpisodes(index);
  const probed = runProbe(episodes, { seed, folds, curated: curatedBy(choice, episodes) });
  const file = {
    schema: 'assay/probe/v1',
    assay: engine.version,
    source: { name: basename(resolve(path)), settings_hash: index.settings_hash },
    ...probed,
  };
  await io.out(args.json === true ? `${JSON.stringify(file)}\n` : renderProbe(probed, io.columns));
  return 0;
}
