import { basename, resolve } from 'node:path';
import { AssayError } from '#core';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import { runProbe } from '#quality/curation';
import { engine } from '#quality/readiness';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import { demandNoAddress } from '../../demand-no-address.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import type { PlaceArguments } from '../../service-place.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { curatedBy, readChoice } from './curated-by.ts';

export interface ProbeArguments extends WorkArguments, PlaceArguments {
  /** Id or name of a project of a service. */
  readonly project?: string;
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly window: number;
  readonly json?: boolean;
}

/** `assay probe PATH`: what small policies learn from all, from accepted and from curated episodes. */
export async function probeCommand(
  path: string | undefined,
  args: ProbeArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (args.project !== undefined && path === undefined) {
    const { probeProject } = await import('./probe-project.ts');
    return probeProject({ ...args, project: args.project }, io, launcher);
  }
  if (path === undefined || args.project !== undefined)
    throw new AssayError('usage', 'probe needs a path, or a project of a service', {
      advice: 'assay probe PATH, or assay probe --project NAME',
    });
  demandNoAddress(path, 'assay probe');
  const choice = readChoice(args.plan);
  const { seed, folds, window } = args;
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(args), hooks).finally(() => progress.end());
  const episodes = curationEpisodes(index);
  const probed = runProbe(episodes, { seed, folds, window, curated: curatedBy(choice, episodes) });
  const file = {
    schema: 'assay/probe/v1',
    assay: engine.version,
    source: { name: basename(resolve(path)), settings_hash: index.settings_hash },
    ...probed,
  };
  await io.out(args.json === true ? `${JSON.stringify(file)}\n` : renderProbe(probed, io.columns));
  return 0;
}
