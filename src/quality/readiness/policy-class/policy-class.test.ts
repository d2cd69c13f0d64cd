import { describe, expect, it } from 'vitest';
import { type ActionSpaceDiagnosis, targetProfileIds } from '#core/api';
import { ActionSpaceStatistics } from '../action-space/diagnose.ts';
import { armEpisode, asTargetSteps } from '../action-space/test-transforms.ts';
import { literature } from './literature.ts';
import { recommendPolicy } from './recommend.ts';
import type { PolicyFacts } from './rules.ts';

const diagnosisOf = (change = (episode: ReturnType<typeof armEpisode>) => episode): ActionSpaceDiagnosis => {
  const statistics = new ActionSpaceStatistics();
  for (const seed of [1, 2, 3]) statistics.add(change(armEpisode(seed)));
  return statistics.conclude();
};

const facts = (changed: Partial<PolicyFacts> = {}): PolicyFacts => ({
  target_profile: 'behaviour-cloning',
  episodes: 50,
  hours: 0.4,
  tasks: 1,
  instructed_share: 1,
  cameras: 2,
  has_state: true,
  action_rate_hz: 50,
  action_space: diagnosisOf(),
  ...changed,
});

const recommended = (changed: Partial<PolicyFacts> = {}) => {
  const answer = recommendPolicy(facts(changed));
  if (answer.status !== 'recommended') throw new Error(answer.reason);
  return answer;
};

describe('a recommended policy class', () => {
  it('is ACT for few demonstrations of one task in absolute joint targets at 50 Hz', () => {
    const { policy_class, settings, confidence } = recommended();
    expect(policy_class).toBe('act');
    expect(settings.join('; ')).toMatch(/chunks of about 100 rows/);
    expect(confidence).toBeLessThanOrEqual(0.75);
  });

  it('is a fine-tuned VLA where many texts tell many tasks apart, whatever the target was', () => {
    const many = { tasks: 40, episodes: 2000, hours: 12 };
    expect(recommended(many).policy_class).toBe('vla_finetuning');
    expect(recommended({ ...many, target_profile: 'diffusion-policy' }).policy_class).toBe('vla_finetuning');
  });

  it('is no VLA for one text, even where the project wants one, and says why', () => {
    const { policy_class, candidates } = recommended({ target_profile: 'vla' });
    expect(policy_class).not.toBe('vla_finetuning');
    const vla = candidates.find((candidate) => candidate.policy_class === 'vla_finetuning');
    expect(vla?.against.join()).toMatch(/learns to ignore/);
  });

  it('puts what cannot be trained last, with the reason', () => {
    const { candidates } = recommended({ cameras: 0 });
    expect(candidates.at(-1)).toMatchObject({ policy_class: 'vla_finetuning' });
    expect(candidates.at(-1)?.against[0]).toMatch(/no camera/);
  });

  it('is a small recurrent network where nothing is seen and steps are slow', () => {
    const slow = { cameras: 0, action_rate_hz: 10, action_space: diagnosisOf(asTargetSteps) };
    expect(recommended(slow).policy_class).toBe('bc_rnn');
  });

  it('warns of what changes lose, and cites who disagrees', () => {
    const { settings, supporting, disagreeing } = recommended({ action_space: diagnosisOf(asTargetSteps) });
    expect(settings[0]).toMatch(/keep the deltas as stored/);
    expect(supporting.map(({ arxiv }) => arxiv)).toContain(literature.action_space_design.arxiv);
    expect(disagreeing.map(({ arxiv }) => arxiv)).toContain(literature.diffusion_policy.arxiv);
  });

  it.each(targetProfileIds)(
    'always names literature on both sides, or says why there is none, for %s',
    (id) => {
      const answer = recommendPolicy(facts({ target_profile: id }));
      if (answer.status === 'recommended') {
        expect(answer.supporting.length).toBeGreaterThan(0);
        expect(answer.disagreeing.length).toBeGreaterThan(0);
      } else expect(answer.reason).not.toBe('');
    },
  );

  it('is less sure of unclear actions and of few episodes', () => {
    const unclear = { status: 'not_assessable', reason: 'no state' } as const;
    expect(recommendPolicy(facts({ action_space: unclear })).status).toBe('not_assessable');
    expect(recommended({ episodes: 10 }).confidence).toBeLessThan(recommended({ episodes: 30 }).confidence);
  });

  it('is a world model with actions where they are clear, and of video alone without them', () => {
    const world = { target_profile: 'world-model', hours: 20 } as const;
    expect(recommended(world).policy_class).toBe('action_conditioned_world_model');
    const action_space = {
      status: 'not_assessable',
      reason: 'no episode has a numeric action stream',
    } as const;
    expect(recommended({ ...world, action_space }).policy_class).toBe('video_world_model');
  });

  it('is nothing without episodes, and none where no actions are learnt', () => {
    expect(recommendPolicy(facts({ episodes: 0 })).status).toBe('not_assessable');
    expect(recommendPolicy(facts({ target_profile: 'detector' })).status).toBe('not_applicable');
  });
});

describe('the literature', () => {
  it.each(Object.entries(literature))(
    'cites %s so that it can be found',
    (_, { authors, year, title, arxiv, finding }) => {
      expect(arxiv).toMatch(/^\d{4}\.\d{5}$/);
      // An arXiv id begins with the year and month it was first posted in.
      expect(2000 + Number(arxiv.slice(0, 2))).toBe(year);
      for (const text of [authors, title, finding]) expect(text.length).toBeGreaterThan(5);
    },
  );
});
