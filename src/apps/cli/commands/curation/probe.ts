import { basename, resolve } from 'node:path';
import { AssayError } from '#core';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import {
  type CurationEpisode,
  type DecidedPlan,
  type ProbeOptions,
  readPlanFile,
  recommendPlan,
  resolvePlan,
  runPlan,
  runProbe,
  type WrittenPlan,
} from '#quality/curation';
import { engine } from '#quality/readiness';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import type { ServiceArguments } from '../../service-client.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { readPlan, readTextFile } from './plan-files.ts';

export interface ProbeArguments extends WorkArguments, ServiceArguments {
  /** Id or name of a project of a service. */
  readonly project?: string;
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly window: number;
  readonly json?: boolean;
}

/**
 * Runs `assay probe` on a local path in this process, or on a project of a service: trains small policies on all,
 * accepted and curated episodes and compares them.
 */
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
    throw new AssayError('usage', 'probe needs either a path or --project', {
      advice: 'assay probe PATH, or assay probe --project NAME',
    });
  requireLocalPath(path, 'assay probe');
  const choice = readChoice(args.plan);
  const { seed, folds, window } = args;
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(args), hooks).finally(() => progress.end());
  const episodes = curationEpisodes(index);
  const probed = runProbe(episodes, { seed, folds, window, curated: selectCurated(choice, episodes) });
  const file = {
    schema: 'assay/probe/v1',
    assay: engine.version,
    source: { name: basename(resolve(path)), settings_hash: index.settings_hash },
    ...probed,
  };
  await io.out(args.json === true ? `${JSON.stringify(file)}\n` : renderProbe(probed, io.columns));
  return 0;
}

/** A plan with its decisions, a plan of stages only, or `null` for the recommended plan. */
type Choice =
  | { readonly file: string; readonly decided: DecidedPlan }
  | { readonly file: string; readonly written: WrittenPlan }
  | null;

/** Reads the plan file; `null` without one. Throws `usage`, `invalid_request`, and the errors of `readPlanFile`. */
function readChoice(file: string | undefined): Choice {
  if (file === undefined) return null;
  const written = readPlan({ plan: file });
  if (written === null) return null;
  resolvePlan(written, '');
  const text = readTextFile(file);
  return JSON.parse(text).schema === undefined
    ? { file, written }
    : { file, decided: readPlanFile(text, file) };
}

/** Returns the episodes that the plan keeps. Throws `usage` if a decided plan is of other episodes. */
function selectCurated(choice: Choice, episodes: readonly CurationEpisode[]): ProbeOptions['curated'] {
  if (choice !== null && 'decided' in choice) {
    const { kept, dropped, plan_hash } = choice.decided;
    const there = new Set(episodes.map(({ id }) => id));
    const named = [...kept, ...dropped.map(({ id }) => id)];
    const strange = named.find((id) => !there.has(id));
    if (strange !== undefined || named.length !== there.size)
      throw new AssayError(
        'usage',
        `${choice.file} is a plan for other episodes${strange === undefined ? '' : `, such as ${strange}`}`,
        {
          path: choice.file,
          advice: 'create it again with assay curate PATH --out FILE',
        },
      );
    return { kept, how: `plan ${plan_hash.slice(0, 8)}` };
  }
  const plan = resolvePlan(choice === null ? recommendPlan(episodes, true).plan : choice.written, '');
  const { kept, plan_hash } = runPlan(plan, episodes);
  const stages = plan.stages.map(({ strategy }) => strategy).join(', ');
  return { kept, how: `${choice === null ? 'recommended ' : ''}plan ${plan_hash.slice(0, 8)}: ${stages}` };
}
