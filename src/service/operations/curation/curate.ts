import { z } from 'zod';
import { AssayError } from '#core';
import type {
  ApplyCuration,
  CurationPlan,
  CurationPlanInput,
  CurationRecommendation,
  CurationReport,
  CurationStrategy,
} from '#core/api';
import { recommendPlan, strategies } from '#quality/curation';
import { targetProfile } from '#quality/use-cases';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRegistry } from '../page.ts';
import { noProject } from '../projects/views.ts';
import { computePlan } from './compute-plan.ts';
import { loadEpisodes } from './load-episodes.ts';
import { planOf, storePlan } from './plans.ts';

/**
 * Runs a curation plan, stores and audits its result, and returns it; episodes are not changed. Throws `not_found`,
 * `invalid_request`, `plan_changed` if `expected_plan_hash` does not match, `limit_exceeded`, `busy`.
 */
export async function applyCuration(
  store: Store,
  call: Call,
  { project_id, name, expected_plan_hash, ...plan }: ApplyCuration & { readonly project_id: string },
): Promise<CurationPlan> {
  requireRole(call, 'engineer');
  const report = await computePlan(store, plan, await loadEpisodes(scopeOf(store, call), project_id));
  if (expected_plan_hash !== undefined && expected_plan_hash !== report.plan_hash)
    throw new AssayError('plan_changed', 'the plan no longer selects the episodes shown in the preview', {
      advice: 'preview the plan again; episodes were evaluated, reviewed or added in the meantime',
      details: { expected_plan_hash, plan_hash: report.plan_hash },
    });
  const usual = report.plan.stages.map(({ strategy }) => strategy).join(', ');
  return planOf(await storePlan(store, call, { project_id, name: name ?? usual, report }));
}

/** A single strategy to apply. */
interface CurateInput {
  readonly project_id: string;
  readonly strategy: string;
  readonly parameters?: CurationPlan['plan']['stages'][number]['parameters'] | undefined;
  readonly seed?: number | undefined;
  readonly name?: string | undefined;
}

/** Runs a single strategy as a plan of one stage, and stores, audits and returns its result. Throws as `applyCuration`. */
export function curate(
  store: Store,
  call: Call,
  { project_id, strategy, parameters, seed, name }: CurateInput,
): Promise<CurationPlan> {
  return applyCuration(store, call, { project_id, seed, name, stages: [{ strategy, parameters }] });
}

/**
 * Returns what a plan would choose without storing it. Throws `not_found`, `invalid_request`, `limit_exceeded`,
 * `busy`.
 */
export async function previewCuration(
  store: Store,
  call: Call,
  { project_id, ...plan }: CurationPlanInput & { readonly project_id: string },
): Promise<CurationReport> {
  requireRole(call, 'viewer');
  return computePlan(store, plan, await loadEpisodes(scopeOf(store, call), project_id));
}

/**
 * Returns a recommended plan for the project's target and episodes, with a reason for each stage; nothing is stored. Throws
 * `not_found`, `limit_exceeded`.
 */
export async function recommendCuration(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<CurationRecommendation> {
  requireRole(call, 'viewer');
  const { project, episodes } = await loadEpisodes(scopeOf(store, call), project_id);
  const { id, learns_actions } = targetProfile(project.target_profile);
  const recommended = recommendPlan(episodes, learns_actions);
  return JSON.parse(JSON.stringify({ project_id, target_profile: id, ...recommended }));
}

/**
 * Lists the curation strategies with the ranges and defaults of their parameters as JSON Schema. Throws `not_found`.
 */
export async function listStrategies(
  store: Store,
  call: Call,
  query: { readonly project_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CurationStrategy>> {
  requireRole(call, 'viewer');
  if ((await projectRows.getProject(scopeOf(store, call), query.project_id)) === null) throw noProject();
  return pageOfRegistry(strategies.rows, query, ({ id, title, about, source, needs, parameters }) => ({
    ...{ id, title, about, source },
    needs: [...needs],
    parameters: JSON.parse(JSON.stringify(z.toJSONSchema(parameters, { io: 'input' }))),
  }));
}
