import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSourceTree } from '#io/sources';
import { tinyPng } from '#test/support/case-files';
import { gelloEpisode } from '#test/support/gello-episodes';
import { npyBytes } from '#test/support/npy-file';
import { npzBytes } from '#test/support/npz-file';
import { pickleBytes } from '#test/support/pickle-file';
import { readEverything } from '#test/support/read-dataset';
import { discover } from '../discovery/discover.ts';
import { proposeMapping } from '../discovery/map-folder.ts';
import { parseMapping } from './mapping.ts';
import { openStepFiles } from './steps.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mapped-steps-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const writeAll = (files: Readonly<Record<string, Uint8Array>>) => {
  for (const [path, content] of Object.entries(files)) write(path, content);
};

const joints = (step: number) => [Math.sin(step / 9), Math.cos(step / 9)];
const jsonStep = (step: number) =>
  JSON.stringify({ arm: { q: joints(step) }, cmd: joints(step + 3), t: step * 0.05 });

async function readFirst() {
  const { sets } = await readEverything(folder);
  return sets[0].episodes[0];
}

describe('a folder with one file per step', () => {
  it('is read in the order of the numbers in the names', async () => {
    for (let step = 0; step < 12; step++) write(`run/step_${step}.json`, jsonStep(step));
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { folders: "{episode}", steps: "step_*.json" }\nrate_hz: 20\nstreams: [{ id: q, role: state, columns: [arm.q] }]\n',
    );
    const { streams, sources } = await readFirst();
    expect([...(streams[0].series?.values ?? [])]).toEqual(
      Array.from({ length: 12 }, (_, step) => joints(step)).flat(),
    );
    expect(sources).toHaveLength(13);
  });

  it('has missing values for steps that cannot be read or lack a value, and names them', async () => {
    for (let step = 0; step < 10; step++)
      write(`run/${step}.json`, step === 4 ? '{' : step === 6 ? '{"arm":{}}' : jsonStep(step));
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { folders: "{episode}", steps: "*.json" }\nstreams: [{ id: q, role: state, columns: [arm.q] }]\n',
    );
    const { streams, findings } = await readFirst();
    const values = streams[0].series?.values ?? [];
    expect([values[7], values[8], values[12], values[14]].map(Number.isNaN)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(findings).toMatchObject([{ code: 'step_unreadable', path: 'run/4.json' }]);
  });

  it('is proposed with its episodes, the pictures beside it and the values of NPZ files', async () => {
    for (const run of ['run_1', 'run_2'])
      for (let step = 0; step < 10; step++) {
        const q = npyBytes([2], Float64Array.from(joints(step)));
        const cmd = npyBytes([3], Float64Array.from([...joints(step + 2), 1]));
        write(`${run}/frame_${step}.npz`, npzBytes({ q, cmd }));
        write(`${run}/rgb/${step}.png`, tinyPng);
      }
    const { text } = await proposeMapping(folder);
    expect(parseMapping(text, 'a')).toMatchObject({
      episodes: { folders: '{episode}', steps: '*.npz' },
      videos: [{ id: 'rgb', files: '{episode}/rgb/*.png' }],
    });
    write('assay.map.yaml', text);
    const { sets } = await readEverything(folder);
    const [first, second] = sets[0].episodes;
    expect(first.streams.map(({ id, sample_count }) => [id, sample_count])).toEqual([
      ['q', 10],
      ['cmd', 10],
      ['rgb', 10],
    ]);
    expect(second.streams[2].frames?.locator).toMatchObject({ type: 'image-files' });
    expect([...first.findings, ...second.findings]).toEqual([]);
  });

  it('reports the first of the steps whose values have another shape', async () => {
    for (let step = 0; step < 10; step++) {
      const numbers = [step, step, ...(step > 6 ? [1] : [])];
      const q =
        step > 3
          ? npyBytes([numbers.length], Float64Array.from(numbers))
          : npyBytes([2], new Uint8Array(Float32Array.from(numbers).buffer), { descr: '<f4' });
      write(`run/${step}.npz`, npzBytes({ q }));
    }
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { folders: "{episode}", steps: "*.npz" }\nstreams: [{ id: q, role: state, columns: [q] }]\n',
    );
    const { streams, findings } = await readFirst();
    expect([...(streams[0].series?.values ?? [])].slice(6, 18)).toEqual([
      ...[3, 3, 4, 4, 5, 5, 6, 6],
      ...[Number.NaN, Number.NaN, Number.NaN, Number.NaN],
    ]);
    expect(findings).toMatchObject([
      { code: 'step_differs', path: 'run/7.npz', evidence: { column: 'q', steps: 3 } },
    ]);
  });

  it('takes single texts of NPZ files for texts, and no tables of them', async () => {
    const texts = (count: number) =>
      npyBytes([1, count], new Uint8Array(16 * count), { descr: '<U4', shape: `(1, ${count})` });
    write('run/1.npz', npzBytes({ note: texts(1), table: texts(40) }, { deflate: true }));
    const { arrays } = await openStepFiles(await openSourceTree(folder), 'run', '*.npz');
    expect(['note', 'table'].map((name) => arrays.get(name)?.rowElements)).toEqual([1, 40]);
  });

  it('of the same name as another is reported', async () => {
    for (const task of ['a', 'b'])
      for (let step = 0; step < 3; step++) write(`${task}/1/${step}.json`, jsonStep(step));
    write('logs/1/notes.txt', 'none');
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { folders: "*/{episode}/", steps: "*.json" }\nstreams: [{ id: q, role: state, columns: [arm.q] }]\n',
    );
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes).toHaveLength(1);
    expect(JSON.stringify(sets)).toContain('2 files or folders match episode 1; only a/1 was read');
  });

  it('reports pictures that are fewer than the steps', async () => {
    for (let step = 0; step < 10; step++) write(`run/${step}.json`, jsonStep(step));
    for (let step = 0; step < 9; step++) write(`run/top/${step}.png`, tinyPng);
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { folders: "{episode}", steps: "*.json" }\nrate_hz: 20\nstreams: [{ id: q, role: state, columns: [arm.q] }]\nvideos: [{ id: top, files: "{episode}/top/*.png" }]\n',
    );
    expect((await readFirst()).findings).toMatchObject([
      { code: 'array_length_mismatch', evidence: { pictures: 9, rows: 10 } },
    ]);
  });
});

describe('a pickle', () => {
  const mapped = (columns: string) =>
    `assay_map: 1\nepisodes: { files: "{episode}.pkl" }\nrate_hz: 20\nstreams: [{ id: q, role: state, columns: [${columns}] }]\n`;

  it('of a dictionary of arrays is a table, and a list of dictionaries is one as well', async () => {
    const values = Float64Array.from({ length: 40 }, (_, i) => i);
    write('a.pkl', pickleBytes({ obs: { q: { descr: 'f8', shape: [20, 2], values } }, task: 'pour' }));
    write('assay.map.yaml', `${mapped('obs.q')}task: { path: task }\n`);
    const first = await readFirst();
    expect(first).toMatchObject({ tasks: [{ text: 'pour' }], streams: [{ sample_count: 20 }] });
    const records = Array.from({ length: 20 }, (_, i) => ({ obs: { q: [2 * i, 2 * i + 1] } }));
    write('a.pkl', pickleBytes(records));
    expect((await readFirst()).streams[0].series?.values).toEqual(values);
  });

  it('that needs code to be loaded is refused by the name of the opcode', async () => {
    write('a.pkl', Buffer.from("cos\nsystem\n(S'echo'\ntR."));
    write('assay.map.yaml', mapped('q'));
    const { sets } = await readEverything(folder);
    expect(sets[0].unreadable[0].finding.message).toContain('opcode GLOBAL, which imports os.system');
  });
});

describe('recordings of GELLO', () => {
  it('are read without a mapping file, with the times of their names and their cameras', async () => {
    writeAll({ ...gelloEpisode('0501_120000', 30), ...gelloEpisode('0501_120500', 24) });
    write('0501_120000/calibration.pkl', pickleBytes({ offset: 1 }));
    const { sets } = await readEverything(folder);
    expect(sets.map(({ facts }) => facts.version)).toEqual(['gello']);
    const [{ streams, findings, duration_s }, second] = sets[0].episodes;
    expect(findings).toEqual([]);
    expect(
      streams.map(({ id, role, shape, sample_count }) => [id, role, String(shape), sample_count]),
    ).toEqual([
      ['joint_positions', 'state', '7', 30],
      ['control', 'action', '7', 30],
      ['joint_velocities', 'other', '7', 30],
      ['ee_pos_quat', 'other', '7', 30],
      ['gripper_position', 'state', '1', 30],
      ['wrist_rgb', 'camera', '12,16,3', 30],
      ['wrist_depth', 'depth', '12,16,1', 30],
    ]);
    expect(duration_s).toBeCloseTo(1.45, 2);
    expect(second.streams[5].frames?.kept).toHaveLength(12);
    const [{ dataset }] = (await discover(folder)).datasets;
    const locator = second.streams[5].frames?.locator;
    if (locator?.type !== 'embedded' || dataset.picturesAt === undefined) throw new Error('no pictures');
    const [picture] = await dataset.picturesAt({
      locator,
      episode_index: 1,
      start_ns: null,
      row: 3,
      log_s: null,
    });
    await dataset.close();
    expect([...picture.bytes.subarray(0, 2)]).toEqual([33, 40]);
  });

  it('of one episode are read as well', async () => {
    writeAll(gelloEpisode('', 12));
    expect((await readFirst()).streams).toHaveLength(7);
  });

  it('are not seen in other pickles of such names', async () => {
    write('2024-05-01T12:00:00.pkl', pickleBytes({ a: 1 }));
    await expect(readEverything(folder)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});
