import { z } from 'zod';
import { AssayError } from '#core';
import type { ProjectReadinessSettings } from '#core/api';
import {
  type Call,
  getEpisode,
  getReadinessSettings,
  getTargetReadiness,
  listEpisodes,
  listFailures,
  listFindings,
  listRuns,
  setReadinessSettings,
  summariseProject,
} from '#service/operations';
import type { Store } from '#store';
import { defineTool, operationOf } from './define-tool.ts';

interface EpisodePath {
  readonly project_id: string;
  readonly episode_id: string;
}

/** Returns the reasons for an episode's judgement, without file locations. Throws `not_found`. */
async function episodeEvidence(store: Store, call: Call, path: EpisodePath) {
  const episode = await getEpisode(store, call, path);
  if (episode.project_id !== path.project_id)
    throw new AssayError('not_found', 'episode not found in the project', {
      advice: 'find episodes of the project with search_episodes',
    });
  const { id, name, kind, task, robot, outcome, duration_s, tags } = episode;
  const { decision, decision_reason, score, graded_fraction, review_decision } = episode;
  const { integrity, semantic, utility } = episode.views;
  return {
    ...{ id, name, kind, task, robot, outcome, duration_s, tags },
    ...{ decision, decision_reason, score, graded_fraction, review_decision },
    flags: episode.flag_details,
    views: { integrity, semantic, utility },
    findings: episode.findings,
    limits: episode.limits,
    receipt: episode.receipt,
  };
}

const getReadinessReportOperation = operationOf('summarise_project');
const { episode_id } = operationOf('get_episode').params.shape;
const maxFindings = 20;

export const getReadinessReportTool = defineTool({
  id: 'get_readiness_report',
  title: 'Get the readiness report',
  description:
    'Returns the readiness of a project’s data: decisions, scores, most frequent flags, dataset findings, and whether the target’s requirements are met. With episode_id, explains why that episode was accepted, rejected or sent to review.',
  effect: 'read',
  operation: getReadinessReportOperation,
  input: {
    params: getReadinessReportOperation.params,
    query: z.strictObject({ episode_id: episode_id.optional() }),
  },
  run: async (store, call, { project_id, episode_id }) => {
    if (episode_id !== undefined) return episodeEvidence(store, call, { project_id, episode_id });
    const [summary, findings, target] = await Promise.all([
      summariseProject(store, call, { project_id }),
      listFindings(store, call, { project_id, limit: maxFindings }),
      getTargetReadiness(store, call, { project_id }),
    ]);
    const { verdict, requirements, recommendation } = target;
    const policy = recommendation.status === 'recommended' ? recommendation.policy_class : null;
    return {
      summary,
      findings: findings.items,
      more_findings: findings.next_cursor !== null,
      target: { profile: target.target_profile, verdict, requirements, recommended_policy: policy },
    };
  },
});

const diagnoseFailuresOperation = operationOf('list_episodes');
const { limit } = diagnoseFailuresOperation.query.shape;
const notAccepted = ['reject', 'review'] as const;
const reportedSeverities = ['blocking', 'error', 'warning'] as const;

export const diagnoseFailuresTool = defineTool({
  id: 'diagnose_failures',
  title: 'Diagnose failures',
  description:
    'Returns what went wrong in a project: the worst rejected or review episodes, their common flags, dataset findings, failed runs, and imported policy failures with their novelty.',
  effect: 'read',
  operation: diagnoseFailuresOperation,
  input: { params: diagnoseFailuresOperation.params, query: z.strictObject({ limit }) },
  run: async (store, call, { project_id, limit }) => {
    const listLimit = Math.min(limit, 20);
    const [episodes, summary, findings, runs, failures] = await Promise.all([
      listEpisodes(store, call, { project_id, decision: [...notAccepted], sort: 'score', limit }),
      summariseProject(store, call, { project_id, decision: [...notAccepted] }),
      listFindings(store, call, { project_id, severity: [...reportedSeverities], limit: listLimit }),
      listRuns(store, call, { project_id, status: 'failed', limit: listLimit }),
      listFailures(store, call, { project_id, limit: listLimit }),
    ]);
    return {
      episodes_not_accepted: summary.episodes,
      flags: summary.flags,
      worst_episodes: episodes.items.map(({ id, name, decision, score, flags, task }) => ({
        ...{ id, name, decision, score, flags, task },
      })),
      findings: findings.items,
      failed_runs: runs.items.map(({ id, source_id, stage, error }) => ({ id, source_id, stage, error })),
      policy_failures: failures.items,
    };
  },
});

/** Returns readiness settings without formulas, sources and meanings, which are in docs/checks.md. */
function briefSettings(settings: ProjectReadinessSettings) {
  const { checks, settings_file: _file, stored: _stored, ...rest } = settings;
  return {
    ...rest,
    checks: checks.map(({ id, title, view, applies, enabled, threshold, weight, flags }) => ({
      ...{ id, title, view, applies, enabled, weight },
      threshold: {
        default: threshold.default,
        stored_offset: threshold.stored_offset,
        effective: threshold.effective,
      },
      flags: flags.map(({ code }) => code),
    })),
  };
}

const setReadinessSettingsOperation = operationOf('set_readiness_settings');

export const setReadinessSettingsTool = defineTool({
  id: 'set_readiness_settings',
  title: 'Set readiness settings',
  description:
    'Changes a project’s check settings: enabled, threshold offset and weight; and the training loaders that decide whether a dataset loads. Out-of-range values are clamped and listed in adjusted. Episodes keep their receipts until they are evaluated again.',
  effect: 'write',
  operation: setReadinessSettingsOperation,
  input: setReadinessSettingsOperation,
  run: async (store, call, input) => briefSettings(await setReadinessSettings(store, call, input)),
});

const getReadinessSettingsOperation = operationOf('get_readiness_settings');

export const getReadinessSettingsTool = defineTool({
  id: 'get_readiness_settings',
  title: 'Get readiness settings',
  description:
    'Returns how a project’s episodes are evaluated: each readiness check, whether it applies and is enabled, its threshold and weight with the project’s changes, and the flags that it raises.',
  effect: 'read',
  operation: getReadinessSettingsOperation,
  input: getReadinessSettingsOperation,
  run: async (store, call, input) => briefSettings(await getReadinessSettings(store, call, input)),
});
