import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layers } from '#annotation';
import type { LayerId } from '#contract';
import { program } from '#test/support/program';
import { treeHash } from '#test/support/tree-hash';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { runAssay } from './run-assay.ts';
import { encodeVideo, x264 } from './support/encode-video.ts';
import { movingPicture } from './support/moving-picture.ts';
import { startServiceProcess } from './support/service-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-annotate-folder-'));
const recordings = join(place, 'recordings');
/** Those that need no model. */
const own = layers.rows.flatMap(({ id, lane }) => (lane !== null && lane.requires.length === 0 ? [id] : []));

beforeAll(async () => {
  await generateNumericSet(join(recordings, 'arms'), 5);
  mkdirSync(join(recordings, 'films'));
  await encodeVideo(join(recordings, 'films', 'kitchen.mp4'), 64, 48, movingPicture(64, 48, 60), x264);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Listed {
  readonly layers: readonly { layer: LayerId; config_hash: string; episodes: Record<string, number> }[];
  readonly episodes: readonly {
    id: string;
    review?: { verdicts: Record<string, string>; path: string; sha256: string };
    receipt: string;
    layers: Record<
      string,
      {
        state: string;
        artifact_hash: string;
        input_hash: string;
        files: { name: string; path: string; sha256: string; bytes: number }[];
      }
    >;
  }[];
}

const annotate = (out: string, args: readonly string[] = []) =>
  runAssay(['annotate', recordings, '--layers', own.join(), '--out', join(place, out), ...args]);
const listOf = (out: string): Listed =>
  JSON.parse(readFileSync(join(place, out, 'annotations.json'), 'utf8'));
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a folder gives the artifacts that a service keeps for the same episodes and knobs, hash for hash', async () => {
  const knobs = ['--config', 'segments.max_segments=3'];
  const local = await annotate('local', [...knobs, '--json']);
  expect(local.code, local.err).toBe(0);
  const list: Listed = JSON.parse(local.out);
  expect(list).toEqual(listOf('local'));
  expect(list.episodes).toHaveLength(6);
  const data = join(place, 'data');
  const service = await startServiceProcess({ data, roots: [recordings] });
  try {
    const ran = await runAssay(['ingest', recordings, '--data', data, '--project', 'both', '--json']);
    expect(ran.code, ran.err).toBe(0);
    const project = `/v1/projects/${JSON.parse(ran.out).project_id}`;
    for (const layer of own) {
      const more = layer === 'segments' ? ['--config', '{"max_segments": 3}'] : [];
      const job = await runAssay([
        ...['annotate', '--data', data, '--project', 'both', '--layer', layer, '--force', ...more],
      ]);
      expect(job.code, job.err).toBe(0);
    }
    const { items } = await service.ask('GET', `${project}/episodes`);
    let compared = 0;
    for (const { id, name } of items) {
      const here = list.episodes.find((one) => one.id === name);
      const kept = await service.ask('GET', `${project}/episodes/${id}/annotations`);
      for (const { layer, machine } of kept.items) {
        const told = here?.layers[layer];
        const { config_hash } = list.layers.find((one) => one.layer === layer) ?? {};
        expect({ ...told, config_hash }, `${name} ${layer}`).toMatchObject({
          ...{ state: 'done', artifact_hash: machine.artifact_hash, input_hash: machine.input_hash },
          ...{ config_hash: machine.config_hash, counts: machine.counts },
        });
        const parts = machine.parts.map(({ hash }: { hash: string }) => hash);
        expect(told?.files.map((file) => file.sha256)).toEqual([machine.artifact_hash, ...parts]);
        compared++;
      }
    }
    const done = list.layers.reduce((sum, { episodes }) => sum + episodes.done, 0);
    expect(compared).toBe(done);
    expect(done).toBeGreaterThan(10);
  } finally {
    await service.stop();
  }
}, 240_000);

test('every file is what the list says, and any number of workers writes the same bytes', async () => {
  const [one, two] = await Promise.all([
    annotate('one', ['--workers', '1']),
    annotate('two', ['--workers', '2']),
  ]);
  expect([one.code, two.code], one.err + two.err).toEqual([0, 0]);
  expect(treeHash(join(place, 'one'))).toBe(treeHash(join(place, 'two')));
  const files = listOf('one').episodes.flatMap(({ layers }) =>
    Object.values(layers).flatMap((told) => told.files ?? []),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const { path, sha256: hash } of files) expect(sha256(join(place, 'one', path))).toBe(hash);
  const written = readdirSync(join(place, 'one'), { recursive: true, withFileTypes: true });
  expect(written.filter((entry) => entry.isFile())).toHaveLength(files.length + 1);
}, 120_000);

test('killed at any moment it leaves nothing under its name, and the next run is whole', async () => {
  const home = join(place, 'home');
  mkdirSync(home);
  const out = join(home, 'made');
  const args = ['annotate', recordings, '--layers', own.join(), '--out', out];
  let killed = 0;
  for (const wait_ms of [0, 400, 1200]) {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    while (child.exitCode === null && !readdirSync(home).some((name) => name.includes('partial')))
      await pause(5);
    await pause(wait_ms);
    child.kill('SIGKILL');
    if ((await ended) === 0) break;
    killed++;
    expect(existsSync(out)).toBe(false);
  }
  expect(killed).toBeGreaterThan(0);
  if (!existsSync(out)) expect((await runAssay(args)).code).toBe(0);
  expect(readdirSync(home)).toEqual(['made']);
  expect(readdirSync(out).sort()).toEqual(['annotations.json', 'episodes']);
}, 120_000);

test('only the episodes that are named are annotated', async () => {
  const [first] = listOf('one').episodes;
  const some = await annotate('some', ['--episodes', first.id]);
  expect(some.code, some.err).toBe(0);
  expect(listOf('some').episodes).toEqual([first]);
}, 60_000);

test('a review says of every layer how good it is, with evidence, and writes it beside the layers', async () => {
  const out = join(place, 'reviewed');
  const ran = await runAssay([
    'annotate',
    recordings,
    '--layers',
    'segments,metadata,annotation_review',
    '--out',
    out,
  ]);
  expect(ran.code, ran.err).toBe(0);
  for (const { id, review } of listOf('reviewed').episodes) {
    expect(review?.verdicts.metadata, id).toBe('good');
    expect(sha256(join(out, review?.path ?? ''))).toBe(review?.sha256);
    const { layers: told } = JSON.parse(readFileSync(join(out, review?.path ?? ''), 'utf8'));
    for (const { layer, verdict, evidence, not_held } of told) {
      expect(review?.verdicts[layer]).toBe(verdict);
      expect(verdict === 'not_assessable' ? not_held.length : evidence.length).toBeGreaterThan(0);
    }
  }
  const arms = listOf('reviewed').episodes.filter(({ review }) => review?.verdicts.segments === 'good');
  expect(arms.length).toBeGreaterThan(0);
}, 60_000);

test('what cannot be done is refused before anything is written', async () => {
  writeFileSync(join(place, 'file'), 'not a folder');
  mkdirSync(join(place, 'empty'));
  mkdirSync(join(place, 'full'));
  writeFileSync(join(place, 'full', 'mine'), 'mine');
  const out = join(place, 'refused');
  const refused = async (args: readonly string[], code: number, said: RegExp) => {
    const ran = await runAssay(['annotate', ...args]);
    expect({ code: ran.code, said: ran.err.replaceAll(/\s+/g, ' ') }, args.join(' ')).toEqual({
      code,
      said: expect.stringMatching(said),
    });
    expect(existsSync(out)).toBe(false);
  };
  const here = [recordings, '--out', out];
  await refused([...here], 2, /which layer to add/);
  await refused([...here, '--layers', 'no_such'], 2, /There is no layer no_such/);
  await refused([...here, '--layers', 'representation_3d'], 2, /cannot be run/);
  await refused([...here, '--layers', 'segments', '--config', 'speed=1'], 2, /no knob speed/);
  await refused([...here, '--layers', 'segments', '--config', 'max_segments=0'], 2, /from 1 to 200/);
  await refused([...here, '--layers', 'segments,metadata', '--config', 'x=1'], 2, /which layer it is of/);
  await refused([...here, '--layers', 'segments', '--episodes', 'nobody'], 2, /there is no episode nobody/);
  await refused([...here, '--layers', 'segments', '--force'], 2, /are of a service/);
  await refused([recordings, '--layers', 'segments'], 2, /add --out DIR/);
  await refused([recordings, '--layers', 'segments', '--out', join(place, 'full')], 2, /is not empty/);
  await refused(
    [recordings, '--layers', 'segments', '--out', join(recordings, 'in')],
    2,
    /inside the recordings/,
  );
  await refused([join(place, 'nowhere'), '--layers', 'segments', '--out', out], 3, /nowhere/);
  await refused([join(place, 'empty'), '--layers', 'segments', '--out', out], 3, /.*/);
  expect(readFileSync(join(place, 'full', 'mine'), 'utf8')).toBe('mine');
}, 120_000);
