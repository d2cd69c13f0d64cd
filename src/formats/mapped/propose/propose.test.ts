import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { npyBytes } from '#test/support/npy-file';
import { npzBytes } from '#test/support/npz-file';
import { readEverything } from '#test/support/read-dataset';
import { discover } from '../../discovery/discover.ts';
import { proposeMapping } from '../../discovery/map-folder.ts';
import { parseMapping } from '../mapping.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-propose-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const arm = (first: number) =>
  [
    'time_ns,frame_index,joint_1,joint_2,gripper,cmd_1,cmd_2,imu.x,imu.y,task,success,empty',
    ...Array.from(
      { length: 30 },
      (_, row) => `${first + row * 1e7},${row},${row / 10},0.5,${row % 2},0,1,9.8,0.1,"pick, up",0,`,
    ),
  ].join('\n');

describe('a proposed mapping', () => {
  it('names streams, clock, task and videos, and marks what a person must check', async () => {
    write('log/run_1.csv', arm(17e17));
    write('log/run_2.csv', arm(17e17 + 1e9));
    write('video/front/2.mp4', 'x');
    const { text, name, checks } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping.episodes).toEqual({ files: 'log/run_{episode}.csv' });
    expect(mapping.clocks).toEqual([{ column: 'time_ns', unit: 'ns', epoch: 'unix' }]);
    expect(mapping.streams.map(({ id, role, columns }) => [id, role, columns])).toEqual([
      ['joint', 'state', ['joint_1', 'joint_2', 'gripper']],
      ['cmd', 'action', ['cmd_1', 'cmd_2']],
      ['imu', 'imu', ['imu.x', 'imu.y']],
    ]);
    expect(mapping.streams[0].grippers).toEqual([{ column: 'gripper', open_value: null }]);
    expect(mapping.videos).toMatchObject([{ id: 'front', files: 'video/front/{episode}.mp4' }]);
    expect(mapping.task).toEqual({ column: 'task' });
    expect(mapping.outcome).toBeUndefined();
    expect(text).toMatch(/# outcome: \{ column: success.*CHECK/);
    expect(text).toContain('empty (empty)');
    expect(checks).toBe(text.match(/CHECK/g)!.length - 1);
  });

  it('knows objects, subtasks and the previous action, and joints of long vectors by their range', async () => {
    const wave = (width: number, size: number) =>
      Float64Array.from({ length: 40 * width }, (_, at) => size * Math.sin(at));
    const add = (name: string, width: number, size: number) =>
      write(`run_1/${name}.npy`, npyBytes([40, width], wave(width, size)));
    for (const name of ['state', 'action', 'obs.last_action']) add(name, 12, 2);
    for (const name of ['obs.red_block', 'obs.subtask', 'obs.velocity']) add(name, 3, 2);
    const { text, name } = await proposeMapping(folder);
    const { streams } = parseMapping(text, name);
    expect(Object.fromEntries(streams.map(({ id, role, unit }) => [id, [role, unit]]))).toMatchObject({
      state: ['state', 'rad'],
      action: ['action', 'rad'],
      'obs.last_action': ['other', undefined],
      'obs.red_block': ['other', undefined],
      'obs.subtask': ['annotation', undefined],
    });
  });

  it('claims no polarity, no outcome and no unit but of joints, and reads as it stands', async () => {
    write('run_1.csv', arm(17e17));
    write('run_2.csv', arm(17e17));
    const { text, name } = await proposeMapping(folder);
    write(name, text);
    const { sets } = await readEverything(folder);
    const [episode] = sets[0].episodes;
    expect(text).toMatch(/unit: rad {2}# CHECK rad and not deg/);
    expect(episode.streams.map(({ unit }) => unit.unit)).toEqual(['rad', 'unknown', 'unknown']);
    expect(episode.grippers).toMatchObject([{ open_value: null }]);
    expect(episode.outcome.value).toBe('unknown');
    expect(sets[0].findings).toEqual([]);
  });

  it('finds the episode column of a single table', async () => {
    write('all.csv', 'episode_index,t,q0,q1\n0,0.0,1,2\n0,0.1,1,2\n1,0.2,1,2\n');
    const { text, name } = await proposeMapping(folder);
    expect(parseMapping(text, name).episodes).toEqual({ file: 'all.csv', column: 'episode_index' });
  });

  it('can be read whatever the columns and files are called', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((text) => /[^\s]/.test(text));
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(name, { minLength: 2, maxLength: 8, selector: (text) => text.trim() }),
        async (names) => {
          write('a.csv', `${names.map(quoted).join(',')}\n${names.map((_, at) => at + 0.5).join(',')}\n`);
          const proposal = await proposeMapping(folder).catch((thrown: { code: string }) => thrown.code);
          if (proposal === 'not_recognised') return;
          expect(proposal).toMatchObject({ name: 'assay.map.yaml' });
        },
      ),
      { numRuns: 100 },
    );
  });

  const array = (...shape: number[]) =>
    npyBytes(
      shape,
      Float64Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
    );

  it.each([
    ['one array with a row per step', () => ({ qpos: array(300, 7) })],
    ['one row more than the other', () => ({ obs: array(301, 7), action: array(300, 7) })],
    ['single columns', () => ({ t: array(300), x: array(300), fps: array() })],
  ])('takes files of %s for episodes and not for steps', async (_, arrays) => {
    for (let episode = 0; episode < 10; episode++) {
      write(`ep_${episode}.npz`, npzBytes(arrays()));
      write(`ep_${episode}.json`, '{"operator": 7, "score": 0.5}');
    }
    const { text, name } = await proposeMapping(folder);
    expect(parseMapping(text, name).episodes).toEqual({ files: '{episode}.npz' });
  });

  it('takes files with one large value beside vectors for steps', async () => {
    for (let step = 0; step < 10; step++)
      write(`run/${step}.npz`, npzBytes({ points: array(64, 3), q: array(7), cmd: array(7) }));
    const { text, name } = await proposeMapping(folder);
    expect(parseMapping(text, name).episodes).toMatchObject({ steps: '*.npz' });
  });

  it('is not made where there is no table of numbers', async () => {
    write('notes.csv', 'who,what\nme,this\nyou,that\n');
    await expect(proposeMapping(folder)).rejects.toMatchObject({ code: 'not_recognised' });
  });
});

describe('a folder of tables without a mapping', () => {
  it('is not recognised, and the advice says how to go on', async () => {
    write('run_1.csv', arm(0));
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'not_recognised',
      advice: expect.stringContaining('assay map init'),
    });
  });

  it('beside recordings gets a finding that says so; lists of other things do not', async () => {
    write('signals/run_1.csv', arm(0));
    write('index.csv', 'id,name\n1,a\n2,b\n3,c\n');
    writeFileSync(join(folder, 'a.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    const { findings, datasets } = await discover(folder);
    for (const { dataset } of datasets) await dataset.close();
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ['signals_unmapped', 'info'],
      ['files_beside', 'info'],
    ]);
  });
});
