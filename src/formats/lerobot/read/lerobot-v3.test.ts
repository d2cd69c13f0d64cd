import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadSet, readSet, type SetShape, writeSet } from '#test/support/lerobot-set';

const read = async (shape: SetShape) => readSet(await writeSet(shape));
const codes = (findings: readonly { code: string }[]) => findings.map((finding) => finding.code);

describe('a sound LeRobot v3 set', () => {
  it('is read row for row, without a finding', async () => {
    const { dataset, episodes, unreadable } = await read({ episodes: 5, rows: 30, files: 2, rowGroup: 40 });
    expect(dataset.findings).toEqual([]);
    expect(unreadable).toEqual([]);
    expect(episodes.map((episode) => episode.index)).toEqual([0, 1, 2, 3, 4]);
    const third = episodes[3];
    expect(third.findings).toEqual([]);
    expect(third.locator).toEqual({
      format: 'lerobot',
      path: 'data/chunk-000/file-001.parquet',
      span: { unit: 'row', from: 0, to: 30 },
    });
    const state = third.streams.find((stream) => stream.id === 'observation.state');
    expect(state?.role).toBe('state');
    expect(state?.names).toEqual(['a', 'b', 'c']);
    expect([...(state?.series?.values.subarray(0, 6) ?? [])]).toEqual([0, 3, 0, 0.5, 3, 1]);
    expect(third.tasks).toEqual([
      { text: 'open the drawer', source: 'meta/episodes/chunk-000/file-000.parquet' },
    ]);
    expect(third.sources.map((source) => source.role)).toEqual(['data', 'metadata', 'metadata', 'metadata']);
    expect(third.sources.every((source) => source.sha256?.length === 64)).toBe(true);
    expect(third.duration_s).toBeCloseTo(3, 5);
  });

  it('has stamps that are computed, and says so', async () => {
    const { episodes } = await read({});
    expect(episodes[0].streams[0].clocks[0].provenance).toBe('synthesised');
  });

  it('gives each episode its span of a shared video', async () => {
    const { episodes, codes: found } = await read({ cameras: ['observation.images.top'] });
    const camera = episodes[2].streams.find((stream) => stream.role === 'camera');
    expect(camera?.frames?.locator).toEqual({
      type: 'video',
      path: 'videos/observation.images.top/chunk-000/file-000.mp4',
      from_s: 4,
      to_s: 6,
      expected_frames: 20,
      asked: { rows: 20, rate_hz: 10, tolerance_s: 1e-4, until_s: null, windows_end_s: 6 },
    });
    expect(camera?.frames?.declared_size_px).toEqual([6, 4]);
    expect(found).toEqual([]);
  });
});

describe('the table of tasks', () => {
  it('is read by value, and rows out of order are a finding', async () => {
    const { episodes, finding } = await read({
      tasks: (tasks) => `SELECT * FROM (${tasks}) ORDER BY task_index DESC`,
      table: (table) => `SELECT * EXCLUDE tasks FROM (${table})`,
    });
    expect(finding('tasks_out_of_order')?.severity).toBe('blocking');
    expect(episodes[1].tasks?.[0]).toEqual({ text: 'open the drawer', source: 'meta/tasks.parquet' });
  });

  it('without a pandas index is a finding, and its texts are read all the same', async () => {
    const { codes: found, episodes } = await read({ pandas: false });
    expect(found).toContain('tasks_without_index');
    expect(episodes[0].tasks?.[0].text).toBe('pick the cube');
  });

  it('may hold the text in __index_level_0__', async () => {
    const { episodes } = await read({
      tasks: (tasks) => `SELECT task_index, task AS "__index_level_0__" FROM (${tasks})`,
      table: (table) => `SELECT * EXCLUDE tasks FROM (${table})`,
    });
    expect(episodes[0].tasks?.[0].text).toBe('pick the cube');
  });

  it('lacking a used index is a finding of the episode', async () => {
    const { episodes } = await read({ tasks: (tasks) => `SELECT * FROM (${tasks}) WHERE task_index = 0` });
    expect(codes(episodes[1].findings)).toContain('task_index_unknown');
  });

  it('missing altogether is a finding', async () => {
    const folder = await writeSet();
    await rm(join(folder, 'meta/tasks.parquet'));
    const { codes: found, episodes } = await readSet(folder);
    expect(found).toContain('tasks_missing');
    expect(episodes).toHaveLength(3);
  });
});

describe('the table of episodes', () => {
  it('reversed is a finding, and episodes keep their own task and rows', async () => {
    const { finding, episodes } = await read({
      table: (table) => `SELECT * FROM (${table}) ORDER BY episode_index DESC`,
    });
    expect(finding('episodes_out_of_order')?.evidence).toMatchObject({ rows: 2 });
    expect(episodes.map((episode) => [episode.index, episode.tasks?.[0].text])).toEqual([
      [0, 'pick the cube'],
      [1, 'open the drawer'],
      [2, 'pick the cube'],
    ]);
  });

  it('listing an episode without rows makes that one unreadable and no other', async () => {
    const { episodes, unreadable } = await read({
      data: (rows) => `SELECT * FROM (${rows}) WHERE episode_index <> 1`,
    });
    expect(episodes.map((episode) => episode.index)).toEqual([0, 2]);
    expect(unreadable.map((row) => [row.index, row.finding.code])).toEqual([[1, 'episode_without_rows']]);
  });

  it('lacking an episode that has rows is a finding of it', async () => {
    const { episodes } = await read({ table: (table) => `SELECT * FROM (${table}) WHERE episode_index < 2` });
    expect(episodes).toHaveLength(3);
    expect(codes(episodes[2].findings)).toContain('episode_unlisted');
  });

  it('with another length than the rows is a finding of the episode', async () => {
    const { episodes } = await read({
      data: (rows) => `SELECT * FROM (${rows}) WHERE NOT (episode_index = 1 AND frame_index IN (5, 6))`,
    });
    expect(codes(episodes[1].findings)).toEqual([
      'row_range_wrong',
      'length_mismatch',
      'frame_index_broken',
      'index_broken',
    ]);
    expect(episodes[1].streams[0].sample_count).toBe(18);
    expect(episodes[2].findings).toEqual([]);
  });

  it('pointing to the wrong data file is a finding, and the rows are found', async () => {
    const { episodes, unreadable } = await read({
      episodes: 4,
      files: 2,
      table: (table) => `SELECT * REPLACE (0::BIGINT AS "data/file_index") FROM (${table})`,
    });
    expect(unreadable).toEqual([]);
    expect(episodes.map((episode) => episode.index)).toEqual([0, 1, 2, 3]);
    expect(codes(episodes[3].findings)).toContain('episode_elsewhere');
  });

  it('missing is a finding, and episodes come from the data', async () => {
    const folder = await writeSet();
    await rm(join(folder, 'meta/episodes'), { recursive: true });
    const { codes: found, episodes } = await readSet(folder);
    expect(found).toContain('episodes_missing');
    expect(episodes.map((episode) => episode.index)).toEqual([0, 1, 2]);
    expect(episodes[1].tasks?.[0].text).toBe('open the drawer');
  });

  it('with video spans that overlap, or of the wrong length, is found out', async () => {
    const key = 'videos/observation.images.top';
    const { codes: found, episodes } = await read({
      cameras: ['observation.images.top'],
      table: (table) =>
        `SELECT * REPLACE (0::DOUBLE AS "${key}/from_timestamp", 3::DOUBLE AS "${key}/to_timestamp") FROM (${table})`,
    });
    expect(found).toContain('video_spans_overlap');
    expect(codes(episodes[0].findings)).toContain('video_span_mismatch');
  });

  const top = 'videos/observation.images.top';
  const windows = (of: string, set: Omit<SetShape, 'table'> = {}) =>
    read({
      cameras: ['observation.images.top'],
      episodes: 5,
      ...set,
      table: (table) => `SELECT * REPLACE (${of}) FROM (${table})`,
    });
  const placed = ({ episodes }: ReadSet) =>
    episodes.map((episode) => codes(episode.findings).filter((code) => code.startsWith('video_')));

  it('with the window of another episode names the episode that has it', async () => {
    const set = await windows(
      `CASE episode_index WHEN 3 THEN 2.0 ELSE "${top}/from_timestamp" END AS "${top}/from_timestamp",
       CASE episode_index WHEN 3 THEN 4.0 ELSE "${top}/to_timestamp" END AS "${top}/to_timestamp"`,
    );
    expect(placed(set)).toEqual([[], [], [], ['video_window_foreign'], []]);
    expect(set.episodes[3].findings[0]).toMatchObject({
      severity: 'blocking',
      message: expect.stringContaining('among the frames of episode 1'),
    });
    expect(set.finding('video_spans_overlap')?.evidence).toMatchObject({ episodes: [3] });
  });

  it('with windows that count on into the next file names all in it', async () => {
    const set = await windows(
      `(CASE WHEN episode_index >= 3 THEN 1 ELSE 0 END)::BIGINT AS "${top}/file_index"`,
      { extra: { [`${top}/chunk-000/file-001.mp4`]: 'no video' } },
    );
    const not = ['video_window_not_reset'];
    expect(placed(set)).toEqual([[], [], [], not, not]);
    expect(set.finding('video_windows_not_reset')?.path).toContain('file-001');
  });

  it('with frames left out between windows accuses nobody', async () => {
    const set = await windows(
      `"${top}/from_timestamp" + CASE WHEN episode_index >= 2 THEN 0.7 ELSE 0 END AS "${top}/from_timestamp",
       "${top}/to_timestamp" + CASE WHEN episode_index >= 2 THEN 0.7 ELSE 0 END AS "${top}/to_timestamp"`,
    );
    expect(placed(set)).toEqual([[], [], [], [], []]);
  });

  it('that says nothing of some windows is refused as a whole', async () => {
    const { finding } = await windows(
      `CASE episode_index WHEN 1 THEN NULL ELSE "${top}/chunk_index" END AS "${top}/chunk_index"`,
    );
    expect(finding('video_columns_missing')).toMatchObject({
      severity: 'blocking',
      evidence: { episodes: [1], columns: [] },
    });
  });

  it('asks videos at the rate of the stamps where fps is declared wrongly', async () => {
    const set = await read({
      cameras: ['observation.images.top'],
      info: (info) => ({ ...info, fps: 15 }),
    });
    const camera = set.episodes[1].streams.find((stream) => stream.role === 'camera');
    expect(camera?.frames?.locator).toMatchObject({ asked: { rate_hz: 10 } });
    expect(placed(set)).toEqual([[], [], []]);
  });
});

describe('the rows', () => {
  it('scattered over the file are gathered, and that is a finding', async () => {
    const { episodes } = await read({
      data: (rows) => `SELECT * FROM (${rows}) ORDER BY frame_index, episode_index`,
    });
    expect(episodes.map((episode) => episode.index)).toEqual([0, 1, 2]);
    expect(codes(episodes[0].findings)).toContain('rows_scattered');
    const state = episodes[1].streams[0].series?.values;
    expect([...(state?.subarray(0, 6) ?? [])]).toEqual([0, 1, 0, 0.5, 1, 1]);
  });

  it('with a null vector, a short vector and a null inside read as NaN, each with its finding', async () => {
    const { episodes } = await read({
      data: (rows) => `SELECT * REPLACE (CASE
        WHEN episode_index = 0 AND frame_index = 3 THEN NULL
        WHEN episode_index = 1 AND frame_index = 3 THEN [1, 2]::FLOAT[]
        WHEN episode_index = 2 AND frame_index = 3 THEN [1, NULL, 3]::FLOAT[]
        ELSE "observation.state" END AS "observation.state") FROM (${rows})`,
    });
    expect(codes(episodes[0].findings)).toEqual(['rows_null']);
    expect(codes(episodes[1].findings)).toEqual(['vector_length_wrong']);
    expect(codes(episodes[2].findings)).toEqual(['values_null']);
    const row = (episode: number) => [...(episodes[episode].streams[0].series?.values.subarray(9, 12) ?? [])];
    expect(row(0)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(row(1)).toEqual([1, 2, Number.NaN]);
    expect(row(2)).toEqual([1, Number.NaN, 3]);
  });

  it.each([
    ['index', 'index_broken'],
    ['frame_index', 'frame_index_broken'],
  ])('with numbers of no row in %s are read, and that is a finding', async (column, code) => {
    for (const foreign of ['9000000000', '-9223372036854775807']) {
      const { episodes } = await read({
        data: (rows) =>
          `SELECT * REPLACE (CASE WHEN episode_index = 1 THEN ${foreign} ELSE "${column}" END AS "${column}") FROM (${rows})`,
      });
      expect(episodes.map(({ findings }) => codes(findings))).toEqual([[], [code], []]);
    }
  });

  it('of another length than declared keep their numbers and say so', async () => {
    const { episodes } = await read({
      data: (rows) => `SELECT * REPLACE ([1, 2, 3, 4]::FLOAT[] AS action) FROM (${rows})`,
    });
    const action = episodes[0].streams.find((stream) => stream.id === 'action');
    expect(action?.series?.dims).toBe(4);
    expect(action?.names).toBeNull();
    expect(codes(episodes[0].findings)).toContain('vector_length_wrong');
  });

  it('in double precision, as nested lists, booleans or integers are read as numbers', async () => {
    const { episodes } = await read({
      data: (rows) =>
        `SELECT *, [[1.5, 2], [3, 4]]::DOUBLE[][] AS pose, frame_index > 3 AS "next.success", 7::BIGINT AS count FROM (${rows})`,
      info: (info) => ({
        ...info,
        features: {
          ...(info.features as object),
          pose: { dtype: 'float64', shape: [2, 2], names: null },
          'next.success': { dtype: 'bool', shape: [1], names: null },
          count: { dtype: 'int64', shape: [1], names: null },
        },
      }),
    });
    const stream = (id: string) => episodes[0].streams.find((row) => row.id === id);
    expect(stream('pose')?.series?.values).toBeInstanceOf(Float64Array);
    expect([...(stream('pose')?.series?.values.subarray(0, 4) ?? [])]).toEqual([1.5, 2, 3, 4]);
    expect(stream('pose')?.shape).toEqual([2, 2]);
    expect(stream('count')?.series?.values[0]).toBe(7);
    expect(episodes[0].outcome).toMatchObject({ value: 'success', evidence: 'declared' });
  });

  it('stamped by a recorder keep their clock', async () => {
    const { episodes } = await read({
      data: (rows) =>
        `SELECT * REPLACE ((timestamp + 0.004 * sin(frame_index * 7))::FLOAT AS timestamp) FROM (${rows})`,
    });
    expect(episodes[0].streams[0].clocks[0].provenance).toBe('log');
  });

  it('without a timestamp column get a computed clock', async () => {
    const { episodes, codes: found } = await read({
      data: (rows) => `SELECT * EXCLUDE timestamp FROM (${rows})`,
    });
    expect(found).toContain('feature_missing');
    expect(episodes[0].streams[0].clocks[0]).toMatchObject({ provenance: 'synthesised' });
    expect(episodes[0].streams[0].clocks[0].time_s[3]).toBeCloseTo(0.3, 9);
  });
});

describe('columns against declared features', () => {
  it('a declared feature that no file has is a finding of the set', async () => {
    const { finding, episodes } = await read({ data: (rows) => `SELECT * EXCLUDE action FROM (${rows})` });
    expect(finding('signal_missing')).toMatchObject({
      severity: 'blocking',
      message: expect.stringContaining('action'),
    });
    expect(episodes[0].streams.some((stream) => stream.id === 'action')).toBe(false);
  });

  it('an undeclared column is a finding of the set', async () => {
    const { finding } = await read({ data: (rows) => `SELECT *, 1 AS extra FROM (${rows})` });
    expect(finding('column_undeclared')?.message).toContain('extra');
  });

  it('a file with other columns than the rest is a finding of its episodes', async () => {
    const { episodes } = await read({
      episodes: 4,
      files: 2,
      data: (rows, file) => (file === 0 ? rows : `SELECT * EXCLUDE action FROM (${rows})`),
    });
    expect(codes(episodes[0].findings)).toEqual([]);
    expect(codes(episodes[3].findings)).toEqual(['columns_differ']);
  });

  it('no features at all are taken from the columns', async () => {
    const { codes: found, episodes } = await read({ info: (info) => ({ ...info, features: undefined }) });
    expect(found).toContain('features_missing');
    expect(episodes[0].streams.map((stream) => stream.id)).toEqual(['observation.state', 'action']);
  });
});

describe('damaged files', () => {
  it('a data file that is no Parquet costs its own episodes', async () => {
    const {
      codes: found,
      episodes,
      unreadable,
    } = await read({
      episodes: 4,
      files: 2,
      extra: { 'data/chunk-000/file-000.parquet': 'PAR1 this is not it' },
    });
    expect(found).toContain('data_file_unreadable');
    expect(episodes.map((episode) => episode.index)).toEqual([2, 3]);
    expect(unreadable.map((row) => row.index)).toEqual([0, 1]);
    expect(unreadable[0].finding.path).toBe('data/chunk-000/file-000.parquet');
  });

  it('a damaged page costs the episodes of that page', async () => {
    const folder = await writeSet({ episodes: 6, rows: 2048 });
    const path = join(folder, 'data/chunk-000/file-000.parquet');
    const bytes = await readFile(path);
    bytes.fill(0xff, 60_000, 60_400);
    const spoiled = await readSet(
      await writeSet({ episodes: 6, rows: 2048, extra: { 'data/chunk-000/file-000.parquet': bytes } }),
    );
    expect(spoiled.episodes.length + spoiled.unreadable.length).toBe(6);
    expect(spoiled.unreadable.length).toBeGreaterThan(0);
    expect(spoiled.episodes.length).toBeGreaterThan(0);
  });

  it('an empty data file and a Git LFS pointer are named as such', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
    const {
      codes: found,
      dataset,
      unreadable,
      episodes,
    } = await read({
      episodes: 3,
      files: 3,
      cameras: ['observation.images.top'],
      extra: {
        'data/chunk-000/file-000.parquet': '',
        'data/chunk-000/file-001.parquet': pointer,
        'videos/observation.images.top/chunk-000/file-000.mp4': pointer,
      },
    });
    expect(found).toContain('lfs_pointers');
    expect(unreadable.map((row) => row.finding.code)).toEqual(['data_file_unreadable', 'lfs_pointers']);
    // One that the set says as well is said once.
    expect(dataset.findings.map(({ message }) => message)).toContain(unreadable[1].finding.message);
    const camera = episodes[0].streams.find((stream) => stream.role === 'camera');
    expect(camera?.frames?.locator).toMatchObject({ type: 'missing' });
  });

  it('a data file that is gone costs its own episodes', async () => {
    const folder = await writeSet({ episodes: 4, files: 2 });
    await rm(join(folder, 'data/chunk-000/file-001.parquet'));
    const { episodes, unreadable } = await readSet(folder);
    expect(episodes.map((episode) => episode.index)).toEqual([0, 1]);
    expect(unreadable.map((row) => [row.index, row.finding.code])).toEqual([
      [2, 'data_file_missing'],
      [3, 'data_file_missing'],
    ]);
  });
});

describe('pictures inside the data files', () => {
  it('are checksummed, sampled and left where they are', async () => {
    const { episodes } = await read({
      rows: 70,
      data: (rows) =>
        `SELECT *, {'bytes': ('\\x89PNG' || chr(65 + (frame_index // 2 % 20)::INTEGER))::BLOB, 'path': NULL::VARCHAR} AS "observation.images.cam" FROM (${rows})`,
      info: (info) => ({
        ...info,
        features: {
          ...(info.features as object),
          'observation.images.cam': {
            dtype: 'image',
            shape: [4, 6, 3],
            names: ['height', 'width', 'channels'],
          },
        },
      }),
    });
    const frames = episodes[1].streams.find((stream) => stream.id === 'observation.images.cam')?.frames;
    expect(frames?.locator).toMatchObject({
      type: 'embedded',
      path: 'data/chunk-000/file-000.parquet',
      channel: 'observation.images.cam',
      encoding: 'png',
    });
    expect(frames?.payloads?.crc32).toHaveLength(70);
    expect(frames?.payloads?.crc32[0]).toBe(frames?.payloads?.crc32[1]);
    expect(frames?.payloads?.crc32[1]).not.toBe(frames?.payloads?.crc32[2]);
    expect(frames?.kept?.length).toBeLessThanOrEqual(16);
    expect(frames?.kept?.[1].index).toBe(5);
  });
});
