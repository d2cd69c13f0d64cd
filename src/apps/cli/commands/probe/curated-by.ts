import { AssayError } from '#core';
import {
  type CurationEpisode,
  type DecidedPlan,
  type ProbeOptions,
  readPlanFile,
  recommendPlan,
  resolvePlan,
  runPlan,
  type WrittenPlan,
} from '#quality/curation';
import { planFrom } from '../curate/read-plan.ts';
import { textOf } from '../export/plan-choice.ts';

/** A plan that was decided, one that is only written, or none: what is recommended. */
export type Choice =
  | { readonly file: string; readonly decided: DecidedPlan }
  | { readonly file: string; readonly written: WrittenPlan }
  | null;

/** Throws `usage`, `invalid_request`, and as `readPlanFile`. */
export function readChoice(file: string | undefined): Choice {
  if (file === undefined) return null;
  const written = planFrom({ plan: file });
  if (written === null) return null;
  resolvePlan(written, '');
  const text = textOf(file);
  return JSON.parse(text).schema === undefined
    ? { file, written }
    : { file, decided: readPlanFile(text, file) };
}

/** What the plan keeps. Throws `usage` where a decided plan is of other episodes. */
export function curatedBy(choice: Choice, episodes: readonly CurationEpisode[]): ProbeOptions['curated'] {
  if (choice !== null && 'decided' in choice) {
    const { kept, dropped, plan_hash } = choice.decided;
    const there = new Set(episodes.map(({ id }) => id));
    const named = [...kept, ...dropped.map(({ id }) => id)];
    const strange = named.find((id) => !there.has(id));
    if (strange !== undefined || named.length !== there.size)
      throw new AssayError(
        'usage',
        `${choice.file} is a plan of other episodes${strange === undefined ? '' : `, such as ${strange}`}`,
        {
          path: choice.file,
          advice: 'compute it again with assay curate PATH --out FILE',
        },
      );
    return { kept, how: `plan ${plan_hash.slice(0, 8)}` };
  }
  const plan = resolvePlan(choice === null ? recommendPlan(episodes, true).plan : choice.written, '');
  const { kept, plan_hash } = runPlan(plan, episodes);
  const stages = plan.stages.map(({ strategy }) => strategy).join(', ');
  return { kept, how: `${choice === null ? 'recommended ' : ''}plan ${plan_hash.slice(0, 8)}: ${stages}` };
}
