import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSet, type SetShape, writeSet } from '#test/support/lerobot-set';

const read = async (shape: SetShape) => readSet(await writeSet(shape));

describe('meta/info.json', () => {
  it('is read with a byte order mark and NaN, which is a finding', async () => {
    const folder = await writeSet();
    const clean = await readSet(folder);
    const text = `\ufeff${JSON.stringify({ codebase_version: 'v3.0', fps: 10, total_episodes: 3, total_frames: 60, total_tasks: 2, features: featuresOf(clean) }).replace('"fps":10', '"fps":10,"extra":NaN')}`;
    const { finding, episodes } = await readSet(await writeSet({ extra: { 'meta/info.json': text } }));
    expect(finding('nonstandard_json')?.message).toContain('NaN');
    expect(episodes).toHaveLength(3);
  });

  it('that is no JSON stops the set with its name', async () => {
    await expect(read({ extra: { 'meta/info.json': '{"codebase_version": ' } })).rejects.toMatchObject({
      code: 'unreadable_input',
      path: 'meta/info.json',
    });
  });

  it('is held against what is there: episodes, frames, tasks, splits', async () => {
    const { dataset } = await read({
      info: (info) => ({
        ...info,
        total_episodes: 9,
        total_frames: 7,
        total_tasks: 5,
        total_chunks: 4,
        splits: { train: '0:99' },
      }),
    });
    const wrong = dataset.findings.map(({ code, severity, evidence }) => [code, severity, evidence?.key]);
    expect(wrong).toEqual([
      ['total_episodes_too_high', 'blocking', undefined],
      ['metadata_count_mismatch', 'warning', 'total_tasks'],
      ['metadata_count_mismatch', 'warning', 'total_chunks'],
      ['metadata_count_mismatch', 'warning', 'splits.train'],
      ['total_frames_wrong', 'blocking', undefined],
    ]);
    expect(dataset.facts.declared_episodes).toBe(9);
  });

  it('without fps is a finding, and the clock is not called computed', async () => {
    const { codes, episodes } = await read({ info: (info) => ({ ...info, fps: 0 }) });
    expect(codes).toContain('fps_missing');
    expect(episodes[0].streams[0].clocks[0].provenance).toBe('log');
  });

  it('with camera names that training misreads is a finding', async () => {
    const { codes } = await read({
      cameras: ['observation.images.top'],
      info: (info) => {
        const features = info.features as Record<string, Record<string, unknown>>;
        features['observation.images.top'].names = ['height', 'width', 'rgb'];
        return info;
      },
    });
    expect(codes).toContain('camera_names_wrong');
  });

  it.each([
    ['in the library’s own order', ['height', 'width', 'channels'], [4, 6, 3], []],
    ['with channels first, named so', ['channels', 'height', 'width'], [3, 4, 6], []],
    ['turned under its names', ['height', 'width', 'channels'], [3, 48, 64], ['picture_shape_turned']],
    ['without names', null, [4, 6, 3], ['camera_names_wrong']],
    ['of two numbers', ['height', 'width', 'channels'], [4, 6], ['camera_shape_wrong']],
  ])('with a camera shape %s is read as training reads it', async (_, names, shape, codes) => {
    const { codes: found } = await read({
      cameras: ['observation.images.top'],
      info: (info) => {
        const features = info.features as Record<string, Record<string, unknown>>;
        features['observation.images.top'] = { dtype: 'video', shape, names };
        return info;
      },
    });
    expect(found.filter((code) => /^(picture|camera)_/.test(code))).toEqual(codes);
  });

  it('declaring a camera that no table names and without files is a finding, and the episodes do not carry it', async () => {
    const { finding, episodes } = await read({
      cameras: ['observation.images.top'],
      info: (info) => {
        const features = info.features as Record<string, unknown>;
        const wrist = features['observation.images.top'];
        return { ...info, features: { ...features, 'observation.images.wrist': wrist } };
      },
    });
    expect(finding('camera_without_files')?.evidence).toEqual({ cameras: ['observation.images.wrist'] });
    const cameras = episodes[0].streams.filter((stream) => stream.role === 'camera');
    expect(cameras.map((stream) => stream.id)).toEqual(['observation.images.top']);
  });

  it('whose table names files of a camera that are all lost: each episode lacks its own', async () => {
    const folder = await writeSet({ cameras: ['observation.images.top', 'observation.images.wrist'] });
    await rm(join(folder, 'videos/observation.images.wrist'), { recursive: true });
    const { finding, episodes } = await readSet(folder);
    expect(finding('camera_without_files')).toBeUndefined();
    for (const episode of episodes)
      expect(episode.findings.map(({ code, severity }) => [code, severity])).toEqual([
        ['video_missing', 'blocking'],
      ]);
  });

  it('whose every camera lost its files keeps the cameras, missing', async () => {
    const folder = await writeSet({ cameras: ['observation.images.top'] });
    await rm(join(folder, 'videos'), { recursive: true });
    const { episodes, finding } = await readSet(folder);
    const camera = episodes[0].streams.find((stream) => stream.role === 'camera');
    expect(camera?.frames?.locator.type).toBe('missing');
    expect(finding('videos_missing')?.severity).toBe('blocking');
    expect(finding('camera_without_files')).toBeUndefined();
    expect(episodes[0].findings.map((finding) => finding.code)).toEqual(['video_missing']);
  });
});

describe('versions', () => {
  it('v1 is refused with what to do', async () => {
    const v1 = { 'meta_data/info.json': '{"codebase_version": "v1.6"}', 'meta_data/stats.safetensors': 'x' };
    const folder = await writeSet({ extra: v1 });
    await rm(join(folder, 'meta'), { recursive: true });
    await expect(readSet(folder)).rejects.toMatchObject({ code: 'unsupported_version' });
  });

  it('a newer one is read while its files are laid out as in v3.0', async () => {
    const { codes, episodes } = await read({ info: (info) => ({ ...info, codebase_version: 'v3.1' }) });
    expect(codes).toContain('version_unknown');
    expect(episodes).toHaveLength(3);
  });

  it('a newer one with another layout is refused', async () => {
    const folder = await writeSet({ layout: 'v2', info: (info) => ({ ...info, codebase_version: 'v4.0' }) });
    await expect(readSet(folder)).rejects.toMatchObject({ code: 'unsupported_version' });
  });

  it('v3.0 claimed over a v2 layout is a finding, and the files are read', async () => {
    const { codes, episodes } = await read({
      layout: 'v2',
      info: (info) => ({ ...info, codebase_version: 'v3.0' }),
    });
    expect(codes).toContain('version_contradicts_layout');
    expect(episodes).toHaveLength(3);
  });

  it('none at all is a finding', async () => {
    const { codes, episodes } = await read({ info: (info) => ({ ...info, codebase_version: undefined }) });
    expect(codes).toContain('version_missing');
    expect(episodes).toHaveLength(3);
  });
});

describe('files beside the format', () => {
  it('data files too deep and videos of no episode are findings', async () => {
    const { codes } = await read({
      cameras: ['observation.images.top'],
      extra: {
        'data/chunk-000/more/file-009.parquet': 'x',
        'videos/observation.images.top/chunk-000/file-007.mp4': 'x',
      },
    });
    expect(codes).toContain('data_file_misplaced');
    expect(codes).toContain('file_unreferenced');
  });
});

function featuresOf(set: Awaited<ReturnType<typeof readSet>>): Record<string, unknown> {
  const numeric = Object.fromEntries(
    set.episodes[0].streams.map((stream) => [
      stream.id,
      { dtype: 'float32', shape: stream.shape, names: null },
    ]),
  );
  for (const key of ['timestamp', 'frame_index', 'episode_index', 'index', 'task_index'])
    numeric[key] = { dtype: 'int64', shape: [1], names: null };
  return numeric;
}
