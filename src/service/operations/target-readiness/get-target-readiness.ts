import { canonicalJson, sha256 } from '#core';
import type { RequirementId, TargetReadiness } from '#core/api';
import type { Kind } from '#core/episode';
import { type TargetProfileRow, targetProfile } from '#quality/catalog';
import { engine, recommendPolicy } from '#quality/readiness';
import {
  projectCountRows,
  projectRows,
  type SampledEpisode,
  type Store,
  type TargetTotals,
  targetRows,
} from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { kindOf } from '../projects/kind-of.ts';
import { noProject } from '../projects/views.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { lookAtSample, type SampleFacts } from './look-at-sample.ts';

/** Episodes that are looked into; more of them change a diagnosis seldom, and each costs some milliseconds. */
const mostSampled = 32;

/**
 * Whether a project's data suits its target: requirements, how its actions are stored, and what kind of policy they
 * suit. The same episodes give the same answer. Throws `not_found`.
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
  const { effective: kind } = kindOf(project.data_kind_override, counts);
  const totals = await targetRows.getTargetTotals(scope, project_id);
  const sampled = await targetRows.sampleUsable(scope, project_id, mostSampled);
  const content_hash = hashOf(sampled);
  const sample = await remembered(store, content_hash, () => lookAtSample(store, sampled));
  const profile = targetProfile(project.target_profile);
  const requirements = judgeRequirements({ kind, profile, totals, sample });
  return {
    project_id,
    use_case: storedUseCase(project.use_case).id,
    target_profile: profile.id,
    data_kind: kind,
    verdict: verdictOf(requirements, sample.looked_at),
    requirements,
    action_space: sample.action_space,
    recommendation: recommendPolicy({
      target_profile: profile.id,
      episodes: totals.usable,
      hours: totals.usable_s / 3600,
      tasks: totals.tasks,
      instructed_share: totals.usable === 0 ? 0 : totals.instructed / totals.usable,
      cameras: sample.cameras,
      has_state: sample.with_states > sample.looked_at / 2,
      action_rate_hz: sample.action_rate_hz,
      action_space: sample.action_space,
    }),
    sample: { episodes: sample.looked_at, of: totals.usable, content_hash },
  };
}

/** By content: receipts name every source by its hash. The program's version, because it decides what is seen. */
function hashOf(sampled: readonly SampledEpisode[]): string {
  return sha256(
    canonicalJson({
      engine: { ...engine },
      episodes: sampled.map(({ id, content_hash, shard_blob }) => [id, content_hash, shard_blob]),
    }),
  );
}

/** Samples that are kept; an entry is a few kilobytes. */
const most = 64;

const byStore = new WeakMap<Store['database'], Map<string, Promise<SampleFacts>>>();

/**
 * What was seen of a sample before, by its content hash, so that asking again costs no reading. Calls at once for the
 * same sample wait for one look; one that failed is forgotten.
 */
function remembered(
  store: Store,
  content_hash: string,
  look: () => Promise<SampleFacts>,
): Promise<SampleFacts> {
  const known = byStore.get(store.database) ?? new Map<string, Promise<SampleFacts>>();
  byStore.set(store.database, known);
  const before = known.get(content_hash);
  known.delete(content_hash);
  const facts = before ?? look();
  known.set(content_hash, facts);
  facts.catch(() => {
    if (known.get(content_hash) === facts) known.delete(content_hash);
  });
  for (const oldest of known.keys()) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  return facts;
}

type Requirement = TargetReadiness['requirements'][number];
type Judged = Pick<Requirement, 'status' | 'reason'>;

/** What requirements are judged by. */
interface TargetEvidence {
  readonly kind: Kind | null;
  readonly profile: TargetProfileRow;
  readonly totals: TargetTotals;
  readonly sample: SampleFacts;
}

/** Accepted episodes below which a target has too little to learn from; pictures count one by one. */
const leastEpisodes = 10;
const leastPictures = 100;
/** Share of the episodes that must carry what a target needs. */
const nearlyAll = 0.95;

/** Every requirement of the target, met or not, with what was seen. */
function judgeRequirements(evidence: TargetEvidence): Requirement[] {
  const { profile } = evidence;
  const kind: TargetProfileRow['requirements'][number] = {
    id: 'kind',
    level: 'required',
    why: `${profile.title} is trained on ${profile.kinds.join(', ')}`,
  };
  return [kind, ...profile.requirements].map((row) => ({ ...row, ...judges[row.id](evidence) }));
}

const met = (reason: string): Judged => ({ status: 'met', reason });
const missing = (reason: string): Judged => ({ status: 'not_met', reason });
const unknown = (reason: string): Judged => ({ status: 'not_assessable', reason });

const judges: Readonly<Record<RequirementId, (evidence: TargetEvidence) => Judged>> = {
  kind: ({ kind, profile }) => {
    if (kind === null) return unknown('there is no episode yet, and no kind is pinned');
    return profile.kinds.includes(kind) ? met(`the data is ${kind}`) : missing(`the data is ${kind}`);
  },
  accepted_episodes: ({ totals: { episodes, accepted, rejected }, kind }) => {
    if (episodes === 0) return unknown('there is no episode yet');
    const least = kind === 'vision-asset' ? leastPictures : leastEpisodes;
    const said = `${accepted} of ${episodes} episodes accepted, ${rejected} rejected`;
    return accepted >= least ? met(said) : missing(`${said}; ${least} accepted ones are the least`);
  },
  actions: ({ sample }) => inSample(sample, sample.with_actions, 'an action stream'),
  states: ({ sample }) => inSample(sample, sample.with_states, 'a state stream'),
  cameras: ({ sample }) => inSample(sample, sample.with_cameras, 'a camera'),
  time: ({ sample }) => {
    const judged = inSample(sample, sample.with_time, 'a clock or a declared rate');
    if (judged.status !== 'met' || sample.with_recorded_time === sample.looked_at) return judged;
    const computed = sample.looked_at - sample.with_recorded_time;
    return met(
      `${judged.reason}; in ${computed} every stamp was computed from a rate, so the rate itself is not proved`,
    );
  },
  instructions: ({ totals: { usable, instructed } }) =>
    ofAll(usable, instructed, 'say in words what is done'),
  varied_instructions: ({ totals: { usable, tasks } }) => {
    if (usable === 0) return unknown('there is no episode that was not rejected');
    return tasks >= 2
      ? met(`${tasks} different texts`)
      : missing(tasks === 1 ? 'one text for every episode' : 'no text');
  },
  outcomes: ({ totals: { usable, with_outcome } }) => ofAll(usable, with_outcome, 'say how they ended'),
  labels: ({ sample }) => {
    const judged = inSample(sample, sample.with_labels, 'labels that could be judged');
    return judged.status === 'not_met'
      ? missing(`${judged.reason}; annotating object labels makes them`)
      : judged;
  },
  one_action_space: ({ sample: { action_space, with_actions } }) => {
    if (action_space.status === 'not_assessable')
      return with_actions === 0 ? unknown('there are no actions') : unknown(action_space.reason);
    const { representation, space, confidence, episodes } = action_space;
    if (representation === 'undetermined')
      return unknown('the numbers do not tell how the actions are stored');
    if (representation === 'mixed' || episodes.other_layout > 0)
      return missing(action_space.findings.join('; '));
    return met(
      `${representation} in ${space} space in ${episodes.agreeing} of ${episodes.looked_at}, confidence ${confidence}`,
    );
  },
};

function inSample({ looked_at }: SampleFacts, having: number, what: string): Judged {
  if (looked_at === 0) return unknown('there is no episode that was not rejected');
  const said = `${having} of ${looked_at} episodes looked at have ${what}`;
  return having >= nearlyAll * looked_at ? met(said) : missing(said);
}

function ofAll(usable: number, having: number, what: string): Judged {
  if (usable === 0) return unknown('there is no episode that was not rejected');
  const said = `${having} of ${usable} episodes ${what}`;
  return having >= nearlyAll * usable ? met(said) : missing(said);
}

/** A required one not met decides; one that could not be assessed or a helpful one not met leaves work. */
function verdictOf(requirements: readonly Requirement[], looked_at: number): TargetReadiness['verdict'] {
  if (requirements.some(({ level, status }) => level === 'required' && status === 'not_met'))
    return 'not_ready';
  if (looked_at === 0) return 'not_assessable';
  return requirements.every(({ status }) => status === 'met') ? 'ready' : 'needs_work';
}
