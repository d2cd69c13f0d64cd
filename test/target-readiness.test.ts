import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#core';
import type { TargetProfileId } from '#core/api';
import type { Episode } from '#core/episode';
import {
  createEpisodeRecord,
  deriveKind,
  judgeEpisode,
  measureEpisode,
  resolveSettings,
  sealReceipt,
} from '#quality/readiness';
import { createProject, createWorkspace, getTargetReadiness } from '#service/operations';
import { openShardWriter } from '#store';
import {
  armEpisode,
  asTargetSteps,
  fromChunkStart,
} from '../src/quality/readiness/action-space/test-transforms.ts';
import { testSubject } from '../src/quality/readiness/test-subject.ts';
import { addEpisodes, type TestEpisode } from './support/episode-rows.ts';
import { readEverything } from './support/read-dataset.ts';
import { callAs } from './support/service-call.ts';
import { openTestStore, serviceDatabases, type TestStore } from './support/service-store.ts';

/** Recordings as a run leaves them: numbers in one shard, receipts in packs, rows. Answers the shard's key. */
async function ingest(
  store: TestStore,
  tenant_id: string,
  project_id: string,
  episodes: readonly Episode[],
  row: (index: number) => TestEpisode = () => ({}),
): Promise<string> {
  const shard_blob = `${tenant_id}/${newId('run')}/streams.parquet`;
  const path = join(store.data_folder, 'streams.parquet');
  const writer = await openShardWriter(path);
  const rows: TestEpisode[] = [];
  const settings = resolveSettings();
  for (const [index, episode] of episodes.entries()) {
    const place = await writer.add(episode.id, episode.streams);
    const subject = testSubject(episode);
    const record = createEpisodeRecord(subject, deriveKind(episode).evidence);
    const { receipt } = sealReceipt(judgeEpisode(record, measureEpisode(subject), {}, settings));
    rows.push({
      receipt,
      shard_blob,
      shard_place: place,
      duration_s: episode.duration_s,
      task: episode.tasks?.[0]?.text ?? null,
      kind: receipt.kind.kind,
      ...row(index),
    });
  }
  await writer.close();
  await store.blobs.putFile(shard_blob, path);
  await addEpisodes(store, tenant_id, project_id, rows);
  return shard_blob;
}

const told = (episode: Episode, text = 'lift the cube'): Episode => ({
  ...episode,
  tasks: [{ text, source: 'test' }],
});
const arms = (count: number, change = (episode: Episode): Episode => episode) =>
  Array.from({ length: count }, (_, seed) => told(change(armEpisode(seed + 1))));

describe.each(serviceDatabases)('target readiness on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  }, 120_000);
  afterAll(() => store.close());

  const begin = async (target_profile: TargetProfileId = 'behaviour-cloning') => {
    const call = callAs('engineer');
    const workspace = await createWorkspace(store, call, { name: 'lab', use_case: 'robotic-manipulation' });
    const project = await createProject(store, call, {
      workspace_id: workspace.id,
      name: 'arms',
      target_profile,
    });
    return { call, project_id: project.id, tenant_id: call.actor.tenant_id };
  };
  const statuses = (requirements: readonly { id: string; status: string }[]) =>
    Object.fromEntries(requirements.map(({ id, status }) => [id, status]));

  it('is not assessable without episodes, and says so requirement by requirement', async () => {
    const { call, project_id } = await begin();
    const target = await getTargetReadiness(store, call, { project_id });
    expect(target).toMatchObject({
      verdict: 'not_assessable',
      action_space: { status: 'not_assessable' },
      recommendation: { status: 'not_assessable' },
      sample: { episodes: 0, of: 0 },
    });
    expect(new Set(target.requirements.map(({ status }) => status))).toEqual(new Set(['not_assessable']));
  });

  it('reads numbers back from their shards, diagnoses them and recommends by them', async () => {
    const { call, project_id, tenant_id } = await begin();
    await ingest(store, tenant_id, project_id, arms(12));
    const target = await getTargetReadiness(store, call, { project_id });
    expect(target.action_space).toMatchObject({
      status: 'diagnosed',
      representation: 'absolute',
      space: 'joint',
      episodes: { looked_at: 12, agreeing: 12, other_layout: 0, without_signals: 0 },
    });
    expect(statuses(target.requirements)).toMatchObject({
      kind: 'met',
      accepted_episodes: 'met',
      actions: 'met',
      states: 'met',
      time: 'met',
      one_action_space: 'met',
      cameras: 'not_met',
      outcomes: 'not_met',
    });
    expect(target.verdict).toBe('needs_work');
    expect(target.recommendation).toMatchObject({ status: 'recommended' });
  });

  it.each([
    ['steps', asTargetSteps, 'step_delta'],
    ['chunks', (e: Episode) => fromChunkStart(e, 10), 'chunk_relative'],
  ] as const)('follows when actions are stored in %s', async (_, change, representation) => {
    const { call, project_id, tenant_id } = await begin('diffusion-policy');
    await ingest(store, tenant_id, project_id, arms(6, change));
    const { action_space } = await getTargetReadiness(store, call, { project_id });
    expect(action_space).toMatchObject({ representation, space: 'joint' });
  });

  it('holds a VLA’s need of cameras and of varied texts against what is there', async () => {
    const { call, project_id, tenant_id } = await begin('vla');
    await ingest(store, tenant_id, project_id, arms(11));
    const target = await getTargetReadiness(store, call, { project_id });
    expect(target.verdict).toBe('not_ready');
    expect(statuses(target.requirements)).toMatchObject({
      cameras: 'not_met',
      instructions: 'met',
      varied_instructions: 'not_met',
    });
  });

  it('looks at what was not rejected, a person’s word before the machine’s', async () => {
    const { call, project_id, tenant_id } = await begin();
    const decided = [
      { decision: 'reject' },
      { decision: 'accept', review_decision: 'reject' },
      { decision: 'reject', review_decision: 'accept' },
      { decision: 'review' },
    ] as const;
    await ingest(store, tenant_id, project_id, arms(4), (index) => decided[index]);
    const { sample, requirements } = await getTargetReadiness(store, call, { project_id });
    expect(sample).toMatchObject({ episodes: 2, of: 2 });
    expect(requirements.find(({ id }) => id === 'accepted_episodes')?.reason).toMatch(
      /1 of 4 episodes accepted, 2 rejected/,
    );
  });

  it('says that numbers were not kept where there is no shard', async () => {
    const { call, project_id, tenant_id } = await begin();
    await ingest(store, tenant_id, project_id, arms(2), () => ({ shard_blob: null, shard_place: null }));
    const { action_space, requirements } = await getTargetReadiness(store, call, { project_id });
    expect(action_space).toEqual({
      status: 'not_assessable',
      reason: expect.stringMatching(/stored samples/),
    });
    expect(statuses(requirements)).toMatchObject({ actions: 'met', one_action_space: 'not_assessable' });
  });

  it('samples evenly and the same again, and remembers a sample by its content', async () => {
    const { call, project_id, tenant_id } = await begin();
    const three = arms(3);
    const seventy = Array.from({ length: 70 }, (_, i) => ({ ...three[i % 3], id: `e${i}` }));
    const shard = await ingest(store, tenant_id, project_id, seventy);
    const first = await getTargetReadiness(store, call, { project_id });
    expect(first.sample).toMatchObject({ episodes: 32, of: 70 });
    await store.blobs.delete([shard]);
    expect(await getTargetReadiness(store, call, { project_id })).toEqual(first);
    await ingest(store, tenant_id, project_id, seventy);
    const { sample, action_space } = await getTargetReadiness(store, call, { project_id });
    // The first shard is gone; what is left is diagnosed.
    expect(action_space).toMatchObject({ episodes: { looked_at: 16 } });
    expect(sample.content_hash).not.toBe(first.sample.content_hash);
  });

  it('is nothing to another tenant', async () => {
    const { project_id } = await begin();
    await expect(getTargetReadiness(store, callAs('admin'), { project_id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  const real = resolve(import.meta.dirname, '../../shared/data/lerobot-v21-g1-bottle');
  it.skipIf(on !== serviceDatabases[0] || !existsSync(real))(
    'reads a real Unitree G1 set (skipped where ../shared/data is absent) as absolute joint targets',
    async () => {
      const { call, project_id, tenant_id } = await begin('vla');
      const { sets } = await readEverything(real);
      await ingest(store, tenant_id, project_id, sets[0].episodes.slice(0, 40));
      const target = await getTargetReadiness(store, call, { project_id });
      expect(target.action_space).toMatchObject({ representation: 'absolute', space: 'joint' });
      expect(target.data_kind).toBe('teleop');
      expect(target.recommendation).toMatchObject({ status: 'recommended' });
    },
  );
});
