import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { readEverything } from '#test/support/read-dataset';
import { borrowConnection, returnConnection } from '../shared/parquet/duck.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mapped-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const oneStream = (rest = '') => `assay_map: 1
episodes: {files: 'data/{episode}.csv'}
clocks: [{column: t, unit: s}]
streams:
  - {id: state, role: state, columns: [a, b]}
${rest}`;

async function read(): Promise<readonly Episode[]> {
  const { sets } = await readEverything(folder);
  expect(sets.map(({ format }) => format)).toEqual(['mapped']);
  return sets[0].episodes;
}

async function readOne(csv: string | Buffer, mapping = oneStream()): Promise<Episode> {
  write('assay.map.yaml', mapping);
  write('data/run.csv', csv);
  const [episode] = await read();
  return episode;
}

const valuesOf = (episode: Episode, id = 'state') => [
  ...(episode.streams.find((stream) => stream.id === id)?.series?.values ?? []),
];
const codes = (episode: Episode) => episode.findings.map(({ code }) => code);

describe('a CSV with a mapping', () => {
  it('becomes streams with roles, units, clocks, task, outcome and gripper as the mapping says', async () => {
    const mapping = `assay_map: 1
episodes: {files: 'data/{episode}.csv'}
clocks: [{column: time_ns, unit: ns, epoch: unix, provenance: header}, {column: t, unit: s}]
rate_hz: 30
robot: arm
streams:
  - {id: state, role: state, columns: ['j*', grip], unit: rad, grippers: [{column: grip, open_value: 1, unit: '0..1'}]}
  - {id: action, role: action, columns: [cmd], clock: t}
task: {column: task}
outcome: {column: done, success: true, failure: false}
`;
    const rows = [
      'time_ns,t,j1,j2,grip,cmd,task,done',
      '1700000000123456789,10.5,1,2,0,7,"pick, place",false',
      '1700000000133456790,10.51,3,4,1,8,"pick, place",true',
    ];
    const episode = await readOne(rows.join('\r\n'), mapping);
    expect(episode).toMatchObject({ id: 'run', start_ns: '1700000000123456789', robot: 'arm' });
    expect(valuesOf(episode)).toEqual([1, 2, 0, 3, 4, 1]);
    const [state, action] = episode.streams;
    expect(state).toMatchObject({
      names: ['j1', 'j2', 'grip'],
      unit: { unit: 'rad', evidence: 'declared' },
      declared_rate_hz: 30,
      clock: { index: 0 },
    });
    expect(state.clocks.map(({ name, provenance }) => [name, provenance])).toEqual([
      ['time_ns', 'header'],
      ['t', 'log'],
    ]);
    expect([...state.clocks[0].time_s]).toEqual([0, 0.010000001]);
    expect(action).toMatchObject({ clock: { index: 1 }, unit: { unit: 'unknown' } });
    expect(episode.tasks).toEqual([{ text: 'pick, place', source: 'column task' }]);
    expect(episode.outcome).toMatchObject({ value: 'success', evidence: 'declared' });
    expect(episode.grippers).toMatchObject([
      {
        dimension: 2,
        name: 'grip',
        open_value: 1,
        unit: '0..1',
        range_observed: [0, 1],
        evidence: 'declared',
      },
    ]);
    expect(episode.sources.map(({ path, role }) => [path, role])).toEqual([
      ['data/run.csv', 'data'],
      ['assay.map.yaml', 'metadata'],
    ]);
  });

  it('has no outcome and no polarity that nobody declared', async () => {
    const mapping = `assay_map: 1
episodes: {files: 'data/{episode}.csv'}
streams: [{id: state, role: state, columns: [gripper]}]
outcome: {column: done, success: 1}
`;
    const episode = await readOne('gripper,done\n0,0\n1,0\n', mapping);
    expect(episode.outcome.value).toBe('unknown');
    expect(episode.grippers).toMatchObject([{ open_value: null, evidence: 'unknown' }]);
    expect(episode.streams[0].clock).toBeNull();
  });

  it('says which declared gripper is no column of its stream', async () => {
    const mapping = oneStream().replace('b]}', 'b], grippers: [{column: grip, open_value: 1}]}');
    const episode = await readOne('t,a,b\n0,1,2\n', mapping);
    expect(episode.grippers).toEqual([]);
    expect(episode.findings).toMatchObject([{ code: 'gripper_not_found', path: 'assay.map.yaml' }]);
  });

  it.each([
    ['a byte order mark and CRLF', '\ufefft,a,b\r\n0,1,2\r\n1,3,4\r\n'],
    ['quotes around everything', '"t","a","b"\n"0","1","2"\n"1","3","4"\n'],
    ['semicolons', 't;a;b\n0;1;2\n1;3;4'],
    ['tabs', 't\ta\tb\n0\t1\t2\n1\t3\t4'],
    ['spaces around names and numbers', 't, a, b\n0, 1, 2\n1, 3, 4\n'],
    ['other columns between', 't,x,a,note,b\n0,9,1,"hm, ""so""",2\n1,9,3,,4'],
  ])('is read with %s', async (_, text) => {
    const episode = await readOne(text);
    expect(valuesOf(episode)).toEqual([1, 2, 3, 4]);
    expect(episode.findings).toEqual([]);
  });

  it('takes a decimal comma where the mapping says so', async () => {
    const episode = await readOne(
      't;a;b\n0,0;1,5;2\n0,1;3;4',
      oneStream("csv: {delimiter: ';', decimal: ','}"),
    );
    expect(valuesOf(episode)).toEqual([1.5, 2, 3, 4]);
  });

  it('has NaN where a value is missing, silently; where it is no number, with line and text', async () => {
    const episode = await readOne('t,a,b\n0,NaN,\n1,null,12.3 rad\n2,True,1e3\n');
    expect(valuesOf(episode)).toEqual([NaN, NaN, NaN, NaN, 1, 1000]);
    expect(codes(episode)).toEqual(['values_not_numeric']);
    expect(episode.findings[0].message).toContain('"12.3 rad" on line 3');
  });

  it('counts ragged rows, names the first, and keeps what is there', async () => {
    const episode = await readOne('t,a,b\n0,1,2\n1,3\n2,5,6,7\n');
    expect(valuesOf(episode)).toEqual([1, 2, 3, NaN, 5, 6]);
    expect(episode.findings).toMatchObject([{ code: 'rows_ragged', evidence: { rows: 2, line: 3 } }]);
  });

  it('says how many rows have no stamp', async () => {
    const episode = await readOne('t,a,b\n0,1,2\nsoon,3,4\n2,5,6\n');
    expect([...episode.streams[0].clocks[0].time_s]).toEqual([0, NaN, 2]);
    expect(codes(episode)).toEqual(['stamps_unreadable']);
  });

  it('says which columns are not there, and that a name stands twice', async () => {
    const episode = await readOne('t,a,a\n0,1,2\n');
    expect(valuesOf(episode)).toEqual([1, NaN]);
    expect(codes(episode)).toEqual(['columns_repeated', 'column_missing']);
  });

  it('takes stamps that lie on one grid as computed, whatever the mapping says', async () => {
    const rows = Array.from({ length: 20 }, (_, row) => `${row / 50},1,2`);
    const episode = await readOne(`t,a,b\n${rows.join('\n')}`);
    expect(episode.streams[0].clocks[0].provenance).toBe('synthesised');
  });

  it('reads ISO 8601 stamps to the microsecond', async () => {
    const mapping = oneStream().replace('unit: s}', 'unit: iso8601, epoch: unix}');
    const rows = ['t,a,b', '2024-05-01 12:00:00.000001,1,2', '2024-05-01T14:00:00.5+02:00,3,4'];
    const episode = await readOne(rows.join('\n'), mapping);
    expect(episode.start_ns).toBe('1714564800000001000');
    expect(episode.streams[0].clocks[0].time_s[1]).toBeCloseTo(0.499999, 9);
  });

  it('reads thousands of columns', async () => {
    const names = Array.from({ length: 4000 }, (_, at) => `c${at}`);
    const row = (first: number) => names.map((_, at) => first + at).join(',');
    const mapping = `assay_map: 1\nepisodes: {files: 'data/{episode}.csv'}\nrate_hz: 10\nstreams: [{id: state, role: state, columns: ['c*']}]\n`;
    const episode = await readOne(`${names.join(',')}\n${row(0)}\n${row(1)}\n`, mapping);
    expect(episode.streams[0].shape).toEqual([4000]);
    expect(valuesOf(episode)[7999]).toBe(4000);
  });

  it('is in parts where it is too long to be held, and no row is lost', async () => {
    const rows = 1_500_000;
    const lines = Array.from({ length: rows }, (_, row) => `${row},${row % 10},0,0,0,0`);
    const mapping = oneStream().replace('[a, b]', '[a, b, c, d, e]');
    write('assay.map.yaml', mapping);
    write('data/run.csv', `t,a,b,c,d,e\n${lines.join('\n')}\n`);
    const episodes = await read();
    expect(episodes.length).toBeGreaterThan(1);
    expect(episodes.map(({ id }) => id)).toEqual(episodes.map((_, at) => `run#000${at + 1}`));
    expect(episodes.reduce((sum, { streams }) => sum + streams[0].sample_count, 0)).toBe(rows);
    expect(codes(episodes[0])).toContain('recording_split');
    expect(episodes[0].cut).toMatchObject({
      recording: 'run',
      part: 1,
      from_s: 0,
      ends: 'memory',
      recipe: null,
    });
    expect(episodes.at(-1)?.cut).toMatchObject({ begins: 'memory', ends: 'recording' });
  });

  it('that is empty, holds a header only, zero bytes or UTF-16 costs that episode only', async () => {
    write('assay.map.yaml', oneStream());
    write('data/empty.csv', '');
    write('data/header.csv', 't,a,b\n');
    write('data/good.csv', 't,a,b\n0,1,2\n');
    write('data/wide.csv', Buffer.from('\ufefft,a,b\n0,1,2\n', 'utf16le'));
    write('data/zeros.csv', Buffer.concat([Buffer.from('t,a,b\n0,1,2\n'), Buffer.alloc(4096)]));
    const { sets } = await readEverything(folder);
    const [{ episodes, unreadable }] = sets;
    expect(unreadable.map(({ id, finding }) => [id, finding.code])).toEqual([
      ['empty', 'table_unreadable'],
      ['wide', 'table_unreadable'],
    ]);
    expect(episodes.map((episode) => [episode.id, codes(episode)])).toEqual([
      ['good', []],
      ['header', ['no_rows']],
      ['zeros', ['rows_ragged', 'stamps_unreadable']],
    ]);
  });
});

describe('one table of many episodes', () => {
  const mapping = `assay_map: 1
episodes: {file: all.csv, column: ep}
rate_hz: 10
streams: [{id: state, role: state, columns: [a]}]
videos: [{id: front, files: 'v/episode_{episode:06d}.mp4', frames: rows}]
`;

  it('is cut by its episode column; scattered rows are said', async () => {
    write('assay.map.yaml', mapping);
    write('all.csv', 'ep,a\n0,1\n0,2\n1,3\n0,4\n');
    write('v/episode_000001.mp4', 'not looked into while reading');
    const episodes = await read();
    expect(episodes.map(({ id, index }) => [id, index])).toEqual([
      ['0', 0],
      ['1', 1],
      ['0~2', 2],
    ]);
    expect(episodes.map((episode) => valuesOf(episode))).toEqual([[1, 2], [3], [4]]);
    expect(episodes[1].locator).toEqual({
      format: 'mapped',
      path: 'all.csv',
      span: { unit: 'row', from: 2, to: 3 },
    });
    expect(codes(episodes[2])).toContain('episode_scattered');
    expect(episodes[1].streams[1].frames?.locator).toEqual({
      type: 'video',
      path: 'v/episode_000001.mp4',
      from_s: 0,
      to_s: null,
      expected_frames: 1,
    });
    expect(codes(episodes[0])).toEqual(['video_missing']);
  });

  it('says what does not fit with the episode whose rows it is in, and with no other', async () => {
    write(
      'assay.map.yaml',
      mapping.replace('rate_hz: 10', 'clocks: [{column: t, unit: s}]').replace(/videos.*\n/, ''),
    );
    write('all.csv', 'ep,t,a\n0,0,1\n0,1,2\n1,0,3\n1,,4\n1,2,five\n2,0,6\n2,1,7,8\n');
    const episodes = await read();
    expect(episodes.map(codes)).toEqual([[], ['values_not_numeric', 'stamps_unreadable'], ['rows_ragged']]);
    expect(episodes[2].findings[0].evidence).toEqual({ rows: 1, line: 8 });
  });
});

describe('Parquet with a mapping', () => {
  async function writeParquet(path: string, select: string): Promise<void> {
    const connection = await borrowConnection();
    await connection.run(`COPY (${select}) TO '${join(folder, path)}' (FORMAT parquet)`);
    returnConnection(connection);
  }

  it('says the same as a CSV of the same rows', async () => {
    write(
      'assay.map.yaml',
      `assay_map: 1
episodes: {file: all.parquet, column: ep}
clocks: [{column: t, unit: us, epoch: unix}]
streams: [{id: state, role: state, columns: [a, b]}, {id: arm, role: action, columns: [q]}]
task: {column: task}
`,
    );
    await writeParquet(
      'all.parquet',
      `SELECT 'run ' || (i // 3000) AS ep, 1700000000000000 + i * 1000 + i % 7 AS t, i::FLOAT AS a,
        CASE WHEN i % 5 = 0 THEN NULL ELSE i * 0.5 END AS b, [i, i + 1]::INTEGER[] AS q, 'task ' || (i // 3000) AS task
        FROM range(6001) r(i)`,
    );
    const episodes = await read();
    expect(episodes.map(({ id }) => id)).toEqual(['run 0', 'run 1', 'run 2']);
    expect(episodes.map(({ streams }) => streams[0].sample_count)).toEqual([3000, 3000, 1]);
    const [, second] = episodes;
    expect(second.start_ns).toBe('1700000003000004000');
    expect(valuesOf(second).slice(0, 4)).toEqual([3000, NaN, 3001, 1500.5]);
    expect(valuesOf(second, 'arm').slice(0, 4)).toEqual([3000, 3001, 3001, 3002]);
    expect(second.streams[0].clocks[0].time_s[1]).toBeCloseTo(0.001001, 12);
    expect(second.tasks?.[0].text).toBe('task 1');
  });

  it('reads stamps of a type of their own, float32 columns as such, and lists of uneven length', async () => {
    write(
      'assay.map.yaml',
      `assay_map: 1
episodes: {file: all.parquet}
clocks: [{column: t, unit: ns, epoch: unix}]
streams: [{id: state, role: state, columns: [a]}, {id: arm, role: action, columns: [q]}, {id: text, role: other, columns: [s]}]
`,
    );
    await writeParquet(
      'all.parquet',
      `SELECT TIMESTAMP '2024-05-01 12:00:00.25' + to_milliseconds(i * 10) AS t, i::FLOAT AS a,
        CASE WHEN i = 1 THEN [1.5]::DOUBLE[] ELSE [i, i]::DOUBLE[] END AS q, 'x' AS s FROM range(3) r(i)`,
    );
    const [episode] = await read();
    expect(episode.start_ns).toBe('1714564800250000000');
    expect(episode.streams[0].series?.values).toBeInstanceOf(Float32Array);
    expect(valuesOf(episode, 'arm')).toEqual([0, 0, 1.5, NaN, 2, 2]);
    expect(codes(episode)).toEqual(['column_not_numeric']);
  });

  it.each([
    ['narrow integers', '(CASE WHEN i = 0 THEN 50 ELSE i END)::UTINYINT', 's', [0, -49, -48]],
    ['unsigned nanoseconds', '(1700000000000000005 - 2 * i)::UBIGINT', 'ns', [0, -2e-9, -4e-9]],
    [
      'the least of all integers',
      "(CASE WHEN i = 0 THEN 9e18 ELSE '-9e18' END)::BIGINT",
      's',
      [0, -18e18, -18e18],
    ],
    ['no number first', "CASE WHEN i = 0 THEN 'nan'::DOUBLE ELSE i / 4 END", 's', [NaN, 0, 0.25]],
    ['an infinite one', "CASE WHEN i = 1 THEN 'inf'::DOUBLE ELSE i / 4 END", 's', [0, NaN, 0.5]],
  ])('reads stamps that go back or are none: %s', async (_, stamp, unit, time_s) => {
    write('assay.map.yaml', oneStream().replace('.csv', '.parquet').replace('unit: s', `unit: ${unit}`));
    write('data/.keep', '');
    await writeParquet('data/x.parquet', `SELECT ${stamp} AS t, i AS a, i AS b FROM range(3) r(i)`);
    const [episode] = await read();
    expect([...episode.streams[0].clocks[0].time_s]).toEqual(time_s);
  });

  it('keeps each column in its place where lists before it are of another length later', async () => {
    const grip = 'columns: [q, grip], grippers: [{column: grip, open_value: 1}]';
    write('assay.map.yaml', oneStream().replace('.csv', '.parquet').replace('columns: [a, b]', grip));
    write('data/.keep', '');
    await writeParquet(
      'data/x.parquet',
      `SELECT i * 0.1 AS t, CASE WHEN i < 2048 THEN [1, 2, 3] ELSE [1, 2] END AS q, i / 4096 AS grip FROM range(4096) r(i)`,
    );
    const [episode] = await read();
    expect(valuesOf(episode).slice(0, 4)).toEqual([1, 2, 3, 0]);
    expect(valuesOf(episode).slice(4 * 2048, 4 * 2049)).toEqual([1, 2, NaN, 0.5]);
    expect(episode.grippers).toMatchObject([{ dimension: 3, range_observed: [0, 0.999756] }]);
    expect(codes(episode)).toEqual(['lists_ragged']);
  });

  it('that is damaged is one finding', async () => {
    write('assay.map.yaml', oneStream().replace('.csv', '.parquet'));
    write('data/x.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 7), Buffer.from('PAR1')]));
    const { sets } = await readEverything(folder);
    expect(sets[0].unreadable.map(({ finding }) => [finding.code, finding.path])).toEqual([
      ['table_unreadable', 'data/x.parquet'],
    ]);
  });
});

describe('a mapping that does not fit', () => {
  const refusal = async (mapping: string) => {
    write('data/run.csv', 't,a,b\n0,1,2\n');
    write('assay.map.yaml', mapping);
    return readEverything(folder).then(
      () => 'taken',
      (thrown: Error & { place?: string }) => `${thrown.place} ${thrown.message}`,
    );
  };

  it.each([
    ['no YAML', 'assay_map: 1\nstreams: [', 'line 2: '],
    ['another version', oneStream().replace('assay_map: 1', 'assay_map: 2'), 'line 1, assay_map: must be 1'],
    ['an unknown setting', oneStream('gripers: []'), 'line 6, gripers: unknown setting'],
    ['an unknown role', oneStream().replace('role: state', 'role: arm'), 'line 5, streams[0].role'],
    ['a clock that is not listed', oneStream().replace('[a, b]', '[a, b], clock: x'), 'add it to clocks'],
    ['a path out of the folder', oneStream().replace('data/', '../data/'), 'inside the folder'],
    ['a pattern without an episode', oneStream().replace('{episode}', 'run'), 'data/{episode}.csv'],
    ['no such file', oneStream().replace('data/', 'tables/'), 'no file matches'],
    [
      'aliases without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c]\nassay_map: 1\n`,
      'expand without limit',
    ],
  ])('is refused, naming the place: %s', async (_, mapping, said) => {
    expect(await refusal(mapping)).toContain(said);
  });

  it('is not taken for a mapping where it only is called so', async () => {
    write('assay.map.yaml', 'something: else\n');
    write('data/run.csv', 't,a\n0,1\n');
    await expect(readEverything(folder)).rejects.toMatchObject({
      code: 'not_recognised',
      message: expect.stringContaining('assay.map.yaml does not contain assay_map: 1'),
    });
  });

  it('is to be given with its folder', async () => {
    write('assay.map.yaml', oneStream());
    write('data/run.csv', 't,a\n0,1\n');
    await expect(readEverything(join(folder, 'assay.map.yaml'))).rejects.toMatchObject({
      code: 'unreadable_input',
      advice: expect.stringContaining('pass the folder that contains'),
    });
  });
});
