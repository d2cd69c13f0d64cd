import { basename, resolve } from 'node:path';
import { curationEpisodes, indexEpisodes } from '#assess';
import { runProbe } from '#curation';
import { engine } from '#readiness';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { curatedBy, readChoice } from './curated-by.ts';

export interface ProbeArguments extends WorkArguments {
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly json?: boolean;
}

/** `assay probe PATH`: what small policies learn from all, from accepted and from curated episodes. */
export async function probeCommand(path: string, args: ProbeArguments, io: Io): Promise<number> {
  demandNoAddress(path, 'assay probe');
  const choice = readChoice(args.plan);
  const { seed, folds } = args;
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(args), hooks).finally(() => progress.end());
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
