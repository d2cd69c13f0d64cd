import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTeleopLeRobot } from '#apps/samples';
import { type ChatEvent, type ProjectAnswer, projectAnswerSchema } from '#core/api';
import { runAssay } from './run-assay.ts';
import { chatOver } from './support/chat-client.ts';
import { collect } from './support/collect.ts';
import { OwnObjects } from './support/contract-calls.ts';
import { type ContractService, startContractService } from './support/contract-service.ts';
import { temporaryFolder } from './support/lerobot-set.ts';
import { rounds } from './support/tiers.ts';

const asked = {
  blocks_readiness: 'What blocks readiness?',
  missing_for_target: 'What is missing for this target?',
  look_at_first: 'Which episodes should I look at first?',
  what_changed: 'What changed since the last run?',
  what_it_cost: 'What did it cost?',
} as const;
const shapes = Object.entries(asked);

/** Ids and numbers of a text that its evidence does not hold. */
function withoutEvidence({ text, evidence }: ProjectAnswer['sentences'][number]): string[] {
  const known = Object.values(evidence).join(' ');
  const told = text.match(/\b[a-z]{2,3}_[0-9a-z]{26}\b|(?<![\w.-])\d+(?:\.\d+)?(?![\w-])/g) ?? [];
  return told.filter((word) => !known.includes(word));
}

describe('questions on a project', { timeout: 120_000 }, () => {
  let service: ContractService;
  let project_id: string;
  let empty_id: string;
  beforeAll(async () => {
    service = await startContractService();
    const objects = new OwnObjects(service, service.tenants[0]);
    project_id = await objects.fixture('create_export.project_id');
    empty_id = await new OwnObjects(service, service.tenants[0]).fixture('project_id');
  }, 120_000);
  afterAll(() => service.close());

  async function ask(question: string, id = project_id, tenant = 0): Promise<ProjectAnswer> {
    const answer = await fetch(`${service.address}/v1/projects/${id}/ask`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.tenants[tenant].tokens.viewer}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ question }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status}`);
    return projectAnswerSchema.parse(await answer.json());
  }
  const chat = (question: string, id: string | null = project_id): Promise<ChatEvent[]> =>
    collect(
      chatOver(service.address, service.tenants[0].tokens.viewer, {
        messages: [{ role: 'user', content: question }],
        ...(id === null ? {} : { project_id: id }),
      }),
    );
  const textOf = (events: readonly ChatEvent[]) =>
    events.map((event) => (event.event === 'token' ? event.data.text : '')).join('');

  it.each(shapes)(
    'of the shape %s are answered by it, each sentence with what it rests on',
    async (shape, question) => {
      const answer = await ask(question);
      expect(answer).toMatchObject({ project_id, question, shape });
      expect(answer.sentences.length).toBeGreaterThan(0);
      for (const sentence of answer.sentences) expect(withoutEvidence(sentence), sentence.text).toEqual([]);
      expect(Object.fromEntries(answer.questions.map(({ id, example }) => [id, example]))).toEqual(asked);
      expect(
        (await ask(question)).sentences.map(({ evidence: { to: _, from: __, ...rest } }) => rest),
      ).toEqual(answer.sentences.map(({ evidence: { to: _, from: __, ...rest } }) => rest));
    },
  );

  it('rest on what the project is like', async () => {
    const { sentences } = await ask(asked.blocks_readiness);
    expect(sentences[0].evidence).toMatchObject({ project_id, target_profile: 'vla' });
    const worst = await ask(asked.look_at_first);
    for (const { text, evidence } of worst.sentences) {
      expect(text).toContain(`Look at ${evidence.episode}: `);
      expect(text).not.toMatch(/ep_[0-9a-z]{26}/);
    }
    expect(worst.sentences.map(({ evidence }) => evidence.episode_id)).toEqual([
      expect.stringMatching(/^ep_/),
      expect.stringMatching(/^ep_/),
    ]);
    const [run, difference] = (await ask(asked.what_changed)).sentences;
    for (const { text } of [run, difference]) expect(text).not.toMatch(/(run|src)_[0-9a-z]{26}/);
    expect(run.evidence).toMatchObject({ status: 'succeeded', judged: 2, unreadable: 0 });
    expect(difference.evidence).toMatchObject({ earlier_run_id: null });
    expect((await ask(asked.what_it_cost)).sentences[0].evidence).toMatchObject({
      project_id,
      amount_usd: 0,
    });
  });

  it('of no known shape are answered with how things stand and what to do next', async () => {
    const answer = await ask('Sing me a song');
    expect(answer.shape).toBeNull();
    expect(answer.sentences[0].evidence).toMatchObject({ project_id, episodes: 2 });
  });

  it('on a project without recordings say so, whatever is asked', async () => {
    for (const [shape, question] of shapes) {
      const answer = await ask(question, empty_id);
      expect(answer.shape).toBe(shape);
      for (const sentence of answer.sentences) expect(withoutEvidence(sentence), sentence.text).toEqual([]);
    }
    expect((await ask('Well?', empty_id)).sentences.at(-1)?.evidence).toMatchObject({
      action: 'register_source',
    });
  });

  it('find nothing of another tenant, and must be questions', async () => {
    await expect(ask(asked.what_it_cost, project_id, 1)).rejects.toThrow('404');
    await expect(ask('   ')).rejects.toThrow('422');
  });

  it.each(shapes)(
    'of the shape %s get the same answer from a copilot without a model',
    async (_shape, question) => {
      const events = await chat(question);
      expect([...new Set(events.map(({ event }) => event))]).toEqual(['start', 'token', 'done']);
      expect(events[0].data).toMatchObject({
        ...{ provider: 'none', model: null, configured: false, degraded: true },
        reason: expect.stringContaining('ASSAY_OPENROUTER_KEY'),
        context: { project: { id: project_id } },
      });
      expect(events.at(-1)?.data).toMatchObject({ steps: 0, stop_reason: 'degraded' });
      const { sentences } = await ask(question);
      const said = textOf(events);
      expect(said).toMatch(/^No chat model is configured/);
      for (const { text, evidence } of sentences)
        if (evidence.to === undefined) expect(said).toContain(`- ${text}`);
    },
  );

  it('without a project are answered with which there are', async () => {
    const events = await chat('Hello?', null);
    expect(textOf(events)).toContain(`- arms (${project_id}): 2 episodes, 2 accepted`);
    expect(events.at(-1)?.data).toMatchObject({ stop_reason: 'degraded' });
  });

  it('can be asked on the command line', async () => {
    const place = ['--url', service.address, '--token', service.tenants[0].tokens.viewer];
    const ran = await runAssay(['ask', '--project', project_id, asked.look_at_first, ...place, '--json']);
    expect(JSON.parse(ran.out)).toEqual(await ask(asked.look_at_first));
  });
});

describe('questions on a folder', { timeout: 120_000 }, () => {
  let set: string;
  let report: string;
  let cache: string;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    [set, report, cache] = ['set', 'report', 'cache'].map((name) => join(folder, name));
    const plan = { 2: ['nan', 'medium'] } as const;
    await writeTeleopLeRobot(set, 3, () => {}, { episodes: 4, plan });
    await runAssay(['assess', set, '--out', report, '--cache', cache, '--limit', '3']);
  }, 120_000);

  async function ask(...words: string[]): Promise<Pick<ProjectAnswer, 'shape' | 'sentences'>> {
    const ran = await runAssay(['ask', set, ...words, '--json', '--cache', cache]);
    expect(ran.code, ran.err).toBe(0);
    return JSON.parse(ran.out);
  }

  it.each(shapes.slice(0, rounds(2, shapes.length)))(
    'of the shape %s are answered from what was judged',
    async (shape, question) => {
      const answer = await ask(question);
      expect(answer.shape).toBe(shape);
      for (const sentence of answer.sentences) expect(withoutEvidence(sentence), sentence.text).toEqual([]);
    },
  );

  it('name the episode that was spoilt first', async () => {
    const [worst] = (await ask('which', 'episodes', 'first?')).sentences;
    expect(worst.evidence).toMatchObject({ episode_id: 'episode_000002', decision: 'reject' });
  });

  it('say what changed since an earlier assessment', async () => {
    const [change] = (await ask('what changed?', '--since', report)).sentences;
    expect(change.evidence).toMatchObject({ earlier: report, episodes: 1, reject: 0 });
  });

  it('are refused where nothing is asked, or nothing was assessed before', async () => {
    expect(await runAssay(['ask', set])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no question'),
    });
    const wrong = await runAssay(['ask', set, 'what changed?', '--since', set]);
    expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining('assessment.json') });
  });
});
