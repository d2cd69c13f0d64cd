import type { Io } from '../../io.ts';
import type { Launcher } from '../../launcher.ts';
import { projectOf } from '../../named-project.ts';
import { type PlaceArguments, reachService } from '../../service-place.ts';
import { renderProbe } from '../../tables/probe-table.ts';
import { planFrom } from '../curate/read-plan.ts';

interface ProjectArguments extends PlaceArguments {
  /** Id, or a name that only one project has. */
  readonly project: string;
  /** Id of a plan that was applied, or a file of stages. */
  readonly plan?: string;
  readonly seed: number;
  readonly folds: number;
  readonly window: number;
  readonly json?: boolean;
}

/** `assay probe --project`: what small policies learn from a project's episodes, computed by the service. */
export async function probeProject(args: ProjectArguments, io: Io, launcher: Launcher): Promise<number> {
  const { plan, seed, folds, window } = args;
  const chosen = plan === undefined ? {} : /^cur_\w+$/.test(plan) ? { plan_id: plan } : stagesOf(plan);
  const client = await reachService(args, launcher);
  const project_id = await projectOf(client, args.project);
  const { value } = await client.ask('run_probe', { project_id, seed, folds, window, ...chosen });
  await io.out(args.json === true ? `${JSON.stringify(value)}\n` : renderProbe(value.result, io.columns));
  return 0;
}

/** Stages alone: what a file says was kept is of other names than the service's. */
const stagesOf = (file: string) => ({ plan: JSON.parse(JSON.stringify(planFrom({ plan: file }))) });
