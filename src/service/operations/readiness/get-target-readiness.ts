import { canonicalJson, sha256 } from '#core';
import type { RequirementId, TargetReadiness } from '#core/api';
import type { Kind } from '#core/episode';
import { kindTitle } from '#core/titles';
import { engine, recommendPolicy } from '#quality/readiness';
import { type TargetProfileRow, targetProfile } from '#quality/use-cases';
import {
  projectCountRows,
  projectRows,
  type SampledEpisode,
  type Store,
  type TargetTotals,
  targetRows,
} from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { deriveKind, noProject } from '../projects/views.ts';
import { storedUseCase } from '../use-cases.ts';
import { readSampleFacts, type SampleFacts } from './target-sample.ts';

/** Episodes in the sample; more rarely change the result, and each costs some milliseconds. */
const maxSampled = 32;

/**
 * Judges whether a project's data suits its target, from all episodes and a sample of their receipts and streams, and
 * recommends a policy class. The same episodes give the same answer. Throws `not_found`.
 */
export async function getTargetReadiness(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<TargetReadiness> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const counts = await projectCountRows.countEpisodes(scope, [project_id]);
  const { effective: kind } = deriveKind(project.data_kind_override, counts);
  const totals = await targetRows.getTargetTotals(scope, project_id);
  const sampled = await targetRows.sampleUsable(scope, project_id, maxSampled);
  const content_hash = hashSample(sampled);
  const sample = await readCachedSample(store, content_hash, () => readSampleFacts(store, sampled));
  const profile = targetProfile(project.target_profile);
  const requirements = judgeRequirements({ kind, profile, totals, sample });
  return {
    project_id,
    use_case: storedUseCase(project.use_case).id,
    target_profile: profile.id,
    data_kind: kind,
    verdict: decideVerdict(requirements, sample.episodes),
    requirements,
    action_space: sample.action_space,
    recommendation: recommendPolicy({
      target_profile: profile.id,
      episodes: totals.usable,
      hours: totals.usable_s / 3600,
      tasks: totals.tasks,
      instructed_share: totals.usable === 0 ? 0 : totals.instructed / totals.usable,
      cameras: sample.cameras,
      has_state: sample.with_states > sample.episodes / 2,
      action_rate_hz: sample.action_rate_hz,
      action_space: sample.action_space,
    }),
    sample: { episodes: sample.episodes, of: totals.usable, content_hash },
  };
}

/**
 * Returns a hash of the sample by content: receipts cover every source file by hash. The engine version is included because it
 * decides what is measured.
 */
function hashSample(sampled: readonly SampledEpisode[]): string {
  return sha256(
    canonicalJson({
      engine: { ...engine },
      episodes: sampled.map(({ id, content_hash, shard_blob }) => [id, content_hash, shard_blob]),
    }),
  );
}

/** Cached samples; an entry takes a few kilobytes. */
const maxCachedSamples = 64;

const samplesByDatabase = new WeakMap<Store['database'], Map<string, Promise<SampleFacts>>>();

/**
 * Returns the facts of a sample, cached by its content hash. Concurrent calls for the same sample share one read; a
 * failed read is not cached.
 */
function readCachedSample(
  store: Store,
  content_hash: string,
  look: () => Promise<SampleFacts>,
): Promise<SampleFacts> {
  const cachedSamples = samplesByDatabase.get(store.database) ?? new Map<string, Promise<SampleFacts>>();
  samplesByDatabase.set(store.database, cachedSamples);
  const before = cachedSamples.get(content_hash);
  cachedSamples.delete(content_hash);
  const facts = before ?? look();
  cachedSamples.set(content_hash, facts);
  facts.catch(() => {
    if (cachedSamples.get(content_hash) === facts) cachedSamples.delete(content_hash);
  });
  for (const oldest of cachedSamples.keys()) {
    if (cachedSamples.size <= maxCachedSamples) break;
    cachedSamples.delete(oldest);
  }
  return facts;
}

type Requirement = TargetReadiness['requirements'][number];
type Judgement = Pick<Requirement, 'status' | 'reason'>;

/** Evidence that the requirements are judged by. */
interface TargetEvidence {
  readonly kind: Kind | null;
  readonly profile: TargetProfileRow;
  readonly totals: TargetTotals;
  readonly sample: SampleFacts;
}

/** Accepted episodes that a target needs at least; for single images, accepted images. */
const minEpisodes = 10;
const minImages = 100;
/** Share of the episodes that must carry what a requirement asks for. */
const minShare = 0.95;

/** Returns the status of every requirement of the target, with the reason for each. */
function judgeRequirements(evidence: TargetEvidence): Requirement[] {
  const { profile } = evidence;
  const kind: TargetProfileRow['requirements'][number] = {
    id: 'kind',
    level: 'required',
    why: `${profile.title} is trained on ${profile.kinds.join(', ')} data`,
  };
  return [kind, ...profile.requirements].map((row) => ({ ...row, ...requirementChecks[row.id](evidence) }));
}

const met = (reason: string): Judgement => ({ status: 'met', reason });
const notMet = (reason: string): Judgement => ({ status: 'not_met', reason });
const notAssessable = (reason: string): Judgement => ({ status: 'not_assessable', reason });

const requirementChecks: Readonly<Record<RequirementId, (evidence: TargetEvidence) => Judgement>> = {
  kind: ({ kind, profile }) => {
    if (kind === null) return notAssessable('no episodes yet, and no data kind is pinned');
    const kindText = `the data kind is ${kindTitle(kind)}`;
    return profile.kinds.includes(kind)
      ? met(kindText)
      : notMet(`${kindText}; the target needs ${profile.kinds.map(kindTitle).join(' or ')}`);
  },
  accepted_episodes: ({ totals: { episodes, accepted, rejected }, kind }) => {
    if (episodes === 0) return notAssessable('no episodes yet');
    const minAccepted = kind === 'vision-asset' ? minImages : minEpisodes;
    const decisionCounts = `${accepted} of ${episodes} episodes accepted, ${rejected} rejected`;
    return accepted >= minAccepted
      ? met(decisionCounts)
      : notMet(`${decisionCounts}; at least ${minAccepted} accepted are required`);
  },
  actions: ({ sample }) => judgeShareOfSample(sample, sample.with_actions, 'an action stream'),
  states: ({ sample }) => judgeShareOfSample(sample, sample.with_states, 'a state stream'),
  cameras: ({ sample }) => judgeShareOfSample(sample, sample.with_cameras, 'a camera'),
  time: ({ sample }) => {
    const judged = judgeShareOfSample(sample, sample.with_time, 'a clock or a declared rate');
    if (judged.status !== 'met' || sample.with_recorded_time === sample.episodes) return judged;
    const computed = sample.episodes - sample.with_recorded_time;
    return met(
      `${judged.reason}; in ${computed}, timestamps were computed from a declared rate and do not prove the capture rate`,
    );
  },
  instructions: ({ totals: { usable, instructed } }) =>
    judgeShareOfUsable(usable, instructed, 'have a task instruction'),
  varied_instructions: ({ totals: { usable, tasks } }) => {
    if (usable === 0) return notAssessable('no episodes that were not rejected');
    return tasks >= 2
      ? met(`${tasks} different instructions`)
      : notMet(tasks === 1 ? 'all episodes have the same instruction' : 'no instructions');
  },
  outcomes: ({ totals: { usable, with_outcome } }) =>
    judgeShareOfUsable(usable, with_outcome, 'have an outcome label'),
  labels: ({ sample }) => {
    const judged = judgeShareOfSample(sample, sample.with_labels, 'readable object labels');
    return judged.status === 'not_met'
      ? notMet(`${judged.reason}; create them with the object labels layer`)
      : judged;
  },
  one_action_space: ({ sample: { action_space, with_actions } }) => {
    if (action_space.status === 'not_assessable')
      return with_actions === 0 ? notAssessable('no actions') : notAssessable(action_space.reason);
    const { representation, space, confidence, episodes } = action_space;
    if (representation === 'undetermined')
      return notAssessable('the action representation cannot be determined from the data');
    if (representation === 'mixed' || episodes.other_layout > 0)
      return notMet(action_space.findings.join('; '));
    return met(
      `${representation} actions in ${space} space in ${episodes.agreeing} of ${episodes.looked_at} sampled usable episodes, confidence ${confidence}`,
    );
  },
};

function judgeShareOfSample({ episodes }: SampleFacts, having: number, what: string): Judgement {
  if (episodes === 0) return notAssessable('no episodes that were not rejected');
  const shareText = `${having} of ${episodes} sampled usable episodes have ${what}`;
  return having >= minShare * episodes ? met(shareText) : notMet(shareText);
}

function judgeShareOfUsable(usable: number, having: number, what: string): Judgement {
  if (usable === 0) return notAssessable('no episodes that were not rejected');
  const shareText = `${having} of ${usable} episodes ${what}`;
  return having >= minShare * usable ? met(shareText) : notMet(shareText);
}

/**
 * Returns `not_ready` if a required requirement is not met, `not_assessable` without a sample, `ready` if all are
 * met, else `needs_work`.
 */
function decideVerdict(
  requirements: readonly Requirement[],
  examinedCount: number,
): TargetReadiness['verdict'] {
  if (requirements.some(({ level, status }) => level === 'required' && status === 'not_met'))
    return 'not_ready';
  if (examinedCount === 0) return 'not_assessable';
  return requirements.every(({ status }) => status === 'met') ? 'ready' : 'needs_work';
}
