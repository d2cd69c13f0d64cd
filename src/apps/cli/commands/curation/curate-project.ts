import { AssayError } from '#core';
import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { renderCuration } from '../../tables/curation-table.ts';
import type { PlanArguments } from './curate-options.ts';
import { readPlan } from './plan-files.ts';

interface ProjectArguments extends PlanArguments, ServiceArguments {
  /** Project id, or a name that is unique among projects. */
  readonly project: string;
  readonly out?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Runs `assay curate --project`: applies a curation plan at a running service, or previews it with `dryRun`. */
export async function curateProject(args: ProjectArguments, io: Io, launcher: Launcher): Promise<number> {
  if (args.out !== undefined || args.operators !== undefined)
    throw new AssayError(
      'usage',
      '--out and --operators do not work with --project: the service stores its plans itself',
      {
        advice: 'leave them out, or use a path instead of --project',
      },
    );
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const written = readPlan(args) ?? (await client.ask('recommend_curation', { project_id })).value.plan;
  const plan = JSON.parse(JSON.stringify(written));
  const { value } =
    args.dryRun === true
      ? await client.ask('preview_curation', { project_id, ...plan })
      : await client.ask('apply_curation', { project_id, ...plan });
  const stored = 'id' in value ? `Stored:  ${value.id}\n` : 'Dry run: nothing was stored\n';
  await io.out(
    args.json === true ? `${JSON.stringify(value)}\n` : renderCuration(value, io.columns) + stored,
  );
  return 0;
}
