import { basename, resolve } from 'node:path';
import { AssayError } from '#core';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import { type PlanFile, recommendPlan, resolvePlan, runPlan } from '#quality/curation';
import { loopPlan, type ScoredFailures, scoreFailures } from '#quality/failures';
import { engine } from '#quality/readiness';
import { assessOptionsOf } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import { renderCuration } from '../../tables/curation-table.ts';
import { noNearFailureText, renderFailures } from '../../tables/failure-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { assertWritable, writeNew } from '../../write-new.ts';
import { describeFailures, type FailureChoice, type LoopArguments, readChoice } from './loop-project.ts';
import { planOut, readOperators, readPlan } from './plan-files.ts';

/**
 * Runs `assay loop PATH --failures FILE`: finds the training episodes nearest to the failures and writes a plan that
 * boosts them.
 */
export async function loopCommand(
  path: string | undefined,
  args: LoopArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if ((path === undefined) === (args.project === undefined))
    throw new AssayError('usage', 'loop needs either a path or --project', {
      advice: 'assay loop PATH --failures FILE, or assay loop --project NAME --failures FILE',
    });
  const written = readPlan(args);
  if (written !== null) resolvePlan(written, '');
  if (path === undefined) {
    const { loopProject } = await import('./loop-project.ts');
    return loopProject({ ...args, project: args.project! }, io, launcher);
  }
  requireLocalPath(path, 'assay loop');
  if (args.format !== undefined)
    throw new AssayError('usage', '--format works with --project only', {
      advice: 'write the plan with --out, then assay export PATH --plan FILE --format FORMAT',
    });
  const out = planOut(args);
  if (out !== null) assertWritable(out);
  const choice = readChoice(args.failures);
  const { scored, plan } = await loopFolder(path, choice, args, io);
  if (out !== null && plan !== null) writeNew(out, `${JSON.stringify(plan, null, 2)}\n`);
  const notes = choice.kind === 'file' ? choice.notes : [];
  const document = { schema: 'assay/failure-loop/v1', assay: engine.version, ...scored, notes, plan };
  await io.out(args.json === true ? `${JSON.stringify(document)}\n` : inWords(path, document, args, io));
  return 0;
}

async function loopFolder(path: string, choice: FailureChoice, args: LoopArguments, io: Io) {
  const operators = readOperators(args.operators);
  const progress = createProgressLine(io, path);
  const hooks = { signal: io.signal, onProgress: progress.show };
  const index = await indexEpisodes(path, assessOptionsOf(args), hooks).finally(() => progress.end());
  const episodes = curationEpisodes(index, operators);
  const failures = await describeFailures(choice, episodes, args, io);
  const { neighbours, novelFrom: novel_from, factor, seed } = args;
  const scored = scoreFailures(episodes, failures, { neighbours, novel_from });
  const boosted = scored.gaps.map(({ id }) => id);
  if (boosted.length === 0) return { scored, plan: null };
  const base = readPlan(args) ?? {
    ...recommendPlan(episodes, true).plan,
    ...(seed === undefined ? {} : { seed }),
  };
  const plan: PlanFile = {
    schema: 'assay/curation-plan/v1',
    assay: engine.version,
    source: { name: basename(resolve(path)), settings_hash: index.settings_hash },
    ...runPlan(resolvePlan(loopPlan(base, boosted, factor), ''), episodes),
  };
  return { scored, plan };
}

interface LoopDocument extends ScoredFailures {
  readonly notes: readonly string[];
  readonly plan: PlanFile | null;
}

function inWords(
  path: string,
  { plan, ...looped }: LoopDocument,
  { out, dryRun }: LoopArguments,
  io: Io,
): string {
  const found = renderFailures(looped, io.columns);
  if (plan === null) return found + noNearFailureText(looped.failures, 'plan');
  const next =
    out !== undefined && dryRun !== true
      ? `Written: ${out}\nNext:    assay export ${path} --plan ${out} --out DIR\n`
      : 'Nothing was written. Add --out FILE to save the plan for assay export --plan\n';
  return found + renderCuration(plan, io.columns) + next;
}
