import { clamp } from '#core';
import type {
  ActionGroup,
  ActionSpaceDiagnosis,
  Citation,
  PolicyCandidate,
  PolicyClass,
  PolicyRecommendation,
  TargetProfileId,
} from '#core/api';
import { roundFinite } from '../features/numeric.ts';
import { type CitationId, literature } from './literature.ts';
import {
  act,
  actionWorldModel,
  bcRnn,
  diffusion,
  type PolicyFacts,
  type PolicyRow,
  videoWorldModel,
  vlaFinetuning,
} from './rules.ts';

const actionPolicies = [act, diffusion, vlaFinetuning, bcRnn];
const rowsByTarget: Readonly<Record<TargetProfileId, readonly PolicyRow[]>> = {
  vla: actionPolicies,
  'behaviour-cloning': actionPolicies,
  'diffusion-policy': actionPolicies,
  'world-model': [actionWorldModel, videoWorldModel],
  'ssl-encoder': [],
  detector: [],
};

/**
 * Recommends a policy class to train, with all candidates, best first, and the facts that count for or against each;
 * `not_assessable` without usable episodes, `not_applicable` if the target learns no actions. No policy is trained,
 * so nothing is promised; disagreement in the literature is cited.
 */
export function recommendPolicy(facts: PolicyFacts): PolicyRecommendation {
  const rows = rowsByTarget[facts.target_profile];
  if (rows.length === 0)
    return {
      status: 'not_applicable',
      reason: 'this target does not learn actions, so no policy is trained',
    };
  if (facts.episodes === 0) return { status: 'not_assessable', reason: 'all episodes were rejected' };
  const judged = rows.map((row) => scoreCandidate(row, facts));
  const candidates = judged
    .filter(({ impossible }) => impossible === null)
    .map(({ candidate }) => candidate)
    .sort((a, b) => b.score - a.score);
  const [best, next] = candidates;
  if (best === undefined)
    return { status: 'not_assessable', reason: judged.map(({ impossible }) => impossible).join('; ') };
  return {
    status: 'recommended',
    policy_class: best.policy_class,
    title: best.title,
    confidence: computeConfidence(best, next, facts),
    candidates: [
      ...candidates,
      ...judged.filter(({ impossible }) => impossible !== null).map(({ candidate }) => candidate),
    ],
    settings: listTrainingSettings(best.policy_class, facts),
    ...collectCitations(best.policy_class, facts),
  };
}

interface ScoredCandidate {
  readonly candidate: PolicyCandidate;
  readonly impossible: string | null;
}

function scoreCandidate(
  { policy_class, title, impossible, points }: PolicyRow,
  facts: PolicyFacts,
): ScoredCandidate {
  const never = impossible(facts);
  const all = points(facts).filter((point) => point !== null);
  return {
    impossible: never,
    candidate: {
      policy_class,
      title,
      score: all.reduce((sum, point) => sum + point.points, 0),
      for: all.filter((point) => point.points > 0).map(({ why }) => why),
      against: [
        ...(never === null ? [] : [never]),
        ...all.filter((point) => point.points < 0).map(({ why }) => why),
      ],
    },
  };
}

/** Maximum confidence: rules of thumb are no experiment. */
const maxConfidence = 0.75;

/**
 * Returns 0.3 plus 0.15 per point ahead of the next candidate, capped at `maxConfidence`; reduced if the
 * action space is unclear or episodes are few.
 */
function computeConfidence(
  best: PolicyCandidate,
  next: PolicyCandidate | undefined,
  { action_space, episodes, target_profile }: PolicyFacts,
): number {
  const ahead = next === undefined ? 1 : best.score - next.score;
  const clarity =
    target_profile === 'world-model'
      ? 1
      : action_space.status === 'diagnosed'
        ? 0.5 + 0.5 * action_space.confidence
        : 0.5;
  const enough = episodes >= 20 ? 1 : 0.7;
  return roundFinite(clamp(0.3 + 0.15 * ahead, 0, maxConfidence) * clarity * enough, 2);
}

interface CitationIds {
  readonly supporting: readonly CitationId[];
  readonly disagreeing: readonly CitationId[];
}

const citationsByClass: Readonly<Record<PolicyClass, CitationIds>> = {
  act: { supporting: ['act', 'pitfalls'], disagreeing: ['bid', 'openvla_oft'] },
  diffusion_policy: { supporting: ['diffusion_policy', 'pitfalls'], disagreeing: ['noising', 'bid'] },
  vla_finetuning: { supporting: ['openvla_oft', 'fast'], disagreeing: ['noising', 'scaling'] },
  bc_rnn: { supporting: ['robomimic'], disagreeing: ['diffusion_policy', 'pitfalls'] },
  action_conditioned_world_model: { supporting: ['v_jepa_2'], disagreeing: ['jepa_wm'] },
  video_world_model: { supporting: ['v_jepa_2'], disagreeing: ['jepa_wm'] },
};

function collectCitations(
  policy: PolicyClass,
  { action_space }: PolicyFacts,
): { supporting: Citation[]; disagreeing: Citation[] } {
  const { supporting, disagreeing } = citationsByClass[policy];
  const stored = action_space.status === 'diagnosed' ? action_space.representation : null;
  const acts = policy !== 'action_conditioned_world_model' && policy !== 'video_world_model';
  const [forStored, againstStored] = acts ? citeRepresentation(stored) : [[], []];
  const cite = (ids: readonly CitationId[]): Citation[] => [...new Set(ids)].map((id) => literature[id]);
  return {
    supporting: cite([...supporting, ...forStored]),
    disagreeing: cite([...disagreeing, ...againstStored]),
  };
}

/** Returns citations for and against training on the actions as they are stored. */
function citeRepresentation(
  stored: string | null,
): readonly [supporting: readonly CitationId[], disagreeing: readonly CitationId[]] {
  if (stored === 'absolute') return [['diffusion_policy'], ['action_space_design']];
  if (stored === 'chunk_relative') return [['umi', 'action_space_design'], ['act']];
  if (stored === 'step_delta') return [['action_space_design', 'action_space_rl'], ['diffusion_policy']];
  return [[], []];
}

type Diagnosed = Extract<ActionSpaceDiagnosis, { status: 'diagnosed' }>;

/** Seconds of motion per chunk in the original papers of each class: 100 rows at 50 Hz, 16 at 10 Hz. */
const chunk_s: Partial<Record<PolicyClass, number>> = { act: 2, diffusion_policy: 1.6, vla_finetuning: 1 };
const normalisation: Partial<Record<PolicyClass, string>> = {
  act: 'normalise actions and states by mean and standard deviation of the training split',
  diffusion_policy: 'scale actions to −1..1 by the minimum and maximum of the training split',
  vla_finetuning: 'normalise actions by the 1st and 99th percentile of the training split',
  bc_rnn: 'normalise actions and states by mean and standard deviation of the training split',
};

/** Lists recommended settings for training a class on these actions, most important first. */
function listTrainingSettings(policy: PolicyClass, facts: PolicyFacts): string[] {
  const { action_space, action_rate_hz } = facts;
  if (action_space.status !== 'diagnosed') return [];
  const lines = [adviseOnRepresentation(action_space)];
  const seconds = chunk_s[policy];
  if (seconds !== undefined && action_rate_hz !== null) {
    const rows = Math.max(2, Math.round(seconds * action_rate_hz));
    lines.push(
      `predict chunks of about ${rows} rows (${seconds} s at ${roundFinite(action_rate_hz, 3)} Hz) and replan before half of a chunk has been executed`,
    );
  }
  const how = normalisation[policy];
  if (how !== undefined) lines.push(how);
  for (const group of action_space.groups) lines.push(...adviseOnGroup(group, action_space));
  return lines;
}

function adviseOnRepresentation({ representation, conversions }: Diagnosed): string {
  if (representation === 'mixed')
    return 'convert all episodes to one action representation first; they differ';
  if (representation === 'undetermined')
    return 'find out the action representation before training; it cannot be determined from the data';
  const relative = conversions.find(({ to, lossless }) => to === 'chunk_relative' && lossless);
  if (representation === 'absolute' && relative !== undefined)
    return `train on the absolute targets as stored, and compare with chunk-relative ones (${relative.how}); the literature disagrees on which is better`;
  return representation === 'chunk_relative'
    ? 'keep the chunks as stored: other chunk lengths require conversion to absolute targets'
    : 'keep the deltas as stored; the controller must keep the target that they are added to';
}

function adviseOnGroup(group: ActionGroup, { representation }: Diagnosed): string[] {
  const lines: string[] = [];
  if (group.units === 'scaled' && group.representation === 'step_delta' && group.gain !== null)
    lines.push(
      `store the controller’s scale with the model: one unit of ${group.space} action moves the state by ${group.gain} per row`,
    );
  if (group.space === 'gripper' && group.representation === 'absolute' && representation === 'step_delta')
    lines.push('keep the gripper absolute while the arm uses deltas');
  return lines;
}
