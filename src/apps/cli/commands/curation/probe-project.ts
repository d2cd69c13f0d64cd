import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf, reachService, type ServiceArguments } from '../../service-client.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { readPlan } from './plan-files.ts';

interface ProjectArguments extends ServiceArguments {
  /** Project id, or a name that is unique among projects. */
  readonly project: string;
  /** Id of an applied plan, or a file of stages. */
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly window: number;
  readonly json?: boolean;
}

/** Runs `assay probe --project`: a running service trains small policies on a project's episodes and compares them. */
export async function probeProject(args: ProjectArguments, io: Io, launcher: Launcher): Promise<number> {
  const { plan, seed, folds, window } = args;
  const chosen = plan === undefined ? {} : /^cur_\w+$/.test(plan) ? { plan_id: plan } : stagesOf(plan);
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { value } = await client.ask('run_probe', { project_id, seed, folds, window, ...chosen });
  await io.out(args.json === true ? `${JSON.stringify(value)}\n` : renderProbe(value.result, io.columns));
  return 0;
}

/** Reads only the stages of a plan file, since its episode names differ from those of the service. */
const stagesOf = (file: string) => ({ plan: JSON.parse(JSON.stringify(readPlan({ plan: file }))) });
