import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError } from '#core';
import { strategyTitle } from '#core/titles';
import { curationEpisodes, indexEpisodes } from '#engine/local';
import { type PlanFile, recommendPlan, resolvePlan, runPlan, strategies } from '#quality/curation';
import { engine } from '#quality/readiness';
import { assessOptionsOf, type WorkArguments } from '../../assess-options.ts';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { requireLocalPath } from '../../require-local-path.ts';
import type { ServiceArguments } from '../../service-client.ts';
import { renderCuration } from '../../tables/curation-table.ts';
import { createProgressLine } from '../../tables/progress-line.ts';
import { assertWritable, writeNew } from '../../write-new.ts';
import type { PlanArguments } from './curate-options.ts';
import { planOut, readOperators, readPlan } from './plan-files.ts';

export interface CurateArguments extends PlanArguments, ServiceArguments, WorkArguments {
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly listStrategies?: boolean;
  /** Id or name of a project of a service. */
  readonly project?: string;
  readonly json?: boolean;
}

/** Runs `assay curate`: selects the episodes to train on and gives the reason for each that is dropped. */
export async function curateCommand(
  path: string | undefined,
  args: CurateArguments,
  io: Io,
  launcher: Launcher,
): Promise<number> {
  if (args.listStrategies === true) {
    await io.out(args.json === true ? `${JSON.stringify(strategyList())}\n` : strategyText());
    return 0;
  }
  if (args.project !== undefined && path === undefined) {
    const { curateProject } = await import('./curate-project.ts');
    return curateProject({ ...args, project: args.project }, io, launcher);
  }
  if (path === undefined || args.project !== undefined)
    throw new AssayError('usage', 'curate needs either a path or --project', {
      advice: 'assay curate PATH, or assay curate --project NAME',
    });
  requireLocalPath(path, 'assay curate');
  const written = readPlan(args);
  if (written !== null) resolvePlan(written, '');
  const out = planOut(args);
  if (out !== null) assertWritable(out);
  const file = await curatePath(path, args, io);
  if (out !== null) writeNew(out, `${JSON.stringify(file, null, 2)}\n`);
  await io.out(args.json === true ? `${JSON.stringify(file)}\n` : inWords(path, file, args, io));
  return 0;
}

async function curatePath(path: string, args: CurateArguments, io: Io): Promise<PlanFile> {
  const operators = readOperators(args.operators);
  const progress = createProgressLine(io, path);
  const index = await indexEpisodes(path, assessOptionsOf(args), {
    signal: io.signal,
    onProgress: progress.show,
  }).finally(() => progress.end());
  const episodes = curationEpisodes(index, operators);
  const recommended = recommendPlan(episodes, true);
  const written = readPlan(args) ?? {
    ...recommended.plan,
    ...(args.seed === undefined ? {} : { seed: args.seed }),
  };
  if (args.json !== true && readPlan(args) === null)
    for (const { strategy, reason } of recommended.reasons)
      io.note(`assay: recommended stage ${strategyTitle(strategy)}: ${reason}\n`);
  return {
    schema: 'assay/curation-plan/v1',
    assay: engine.version,
    source: { name: basename(resolve(path)), settings_hash: index.settings_hash },
    ...runPlan(resolvePlan(written, ''), episodes),
  };
}

function inWords(path: string, file: PlanFile, { out, dryRun }: CurateArguments, io: Io): string {
  const written = out !== undefined && dryRun !== true;
  const next = written
    ? `Written: ${out}\nNext:    assay export ${path} --plan ${out} --out DIR\n`
    : `Nothing was written. Add --out FILE to save the plan for assay export --plan\n`;
  return renderCuration(file, io.columns) + next;
}

function strategyList() {
  return strategies.rows.map(({ parameters, run: _, ...row }) => ({
    ...row,
    parameters: z.toJSONSchema(parameters, { io: 'input' }),
  }));
}

function strategyText(): string {
  return strategies.rows
    .map(({ id, title, about, source, parameters }) => {
      const { properties = {} } = z.toJSONSchema(parameters, { io: 'input' });
      const rows = Object.entries(properties).map(([name, schema]) => `    ${name}: ${schemaText(schema)}`);
      return [
        `${id} (${title})`,
        `  ${about}`,
        ...(source === null ? [] : [`  Source: ${source}`]),
        ...rows,
      ].join('\n');
    })
    .join('\n\n')
    .concat('\n');
}

function schemaText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  const {
    description = '',
    minimum,
    maximum,
    enum: values,
    default: fallback,
  }: { readonly [member: string]: unknown } = { ...schema };
  const range = minimum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const choices = Array.isArray(values) ? `, one of ${values.join(', ')}` : '';
  const usual = fallback === undefined ? '' : `, default ${JSON.stringify(fallback)}`;
  return `${description}${range}${choices}${usual}`;
}
