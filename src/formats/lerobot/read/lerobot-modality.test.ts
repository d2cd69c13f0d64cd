import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { computeLoadVerdict } from '#formats/rules';
import { readSet, type SetShape, writeSet } from '#test/support/lerobot-set';

const camera = 'observation.images.top';
const parts = {
  state: { arm: { start: 0, end: 2 }, gripper: { start: 2, end: 3 } },
  action: { arm: { start: 0, end: 2 } },
  video: { top: { original_key: camera } },
  annotation: { 'human.task': { original_key: 'task_index' } },
};
const column = (size: number) => {
  const values = new Array(size).fill(0);
  return { mean: values, std: values, min: values, max: values, q01: values, q99: values };
};
const stats = { 'observation.state': column(3), action: column(2) };
const describeCamera = (info: Record<string, unknown>) => ({
  ...info,
  features: {
    ...(info.features as object),
    [camera]: {
      dtype: 'video',
      shape: [4, 6, 3],
      names: ['height', 'width', 'channel'],
      video_info: { 'video.fps': 10 },
    },
  },
});

/** Codes of the GR00T rules that a v2 set with this modality.json violates. */
async function codesOf(modality: unknown, shape: SetShape = {}): Promise<string[]> {
  const text = typeof modality === 'string' ? modality : JSON.stringify(modality);
  const { codes } = await readSet(
    await writeSet({
      layout: 'v2',
      cameras: [camera],
      info: describeCamera,
      ...shape,
      extra: { 'meta/modality.json': text, 'meta/stats.json': JSON.stringify(stats), ...shape.extra },
    }),
  );
  return [...new Set(codes.filter((code) => code.startsWith('modality_')))];
}

describe('a set with meta/modality.json', () => {
  it('violates no rule of GR00T if all that it names is there', async () => {
    expect(await codesOf(parts)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['modality_malformed', '{'],
    ['modality_malformed', '[]'],
    ['modality_malformed', { ...parts, video: undefined }],
    ['modality_malformed', { ...parts, state: { arm: { start: 0 } } }],
    ['modality_malformed', { ...parts, state: { arm: { start: 0, end: 1.5 } } }],
    ['modality_slice_wrong', { ...parts, state: { arm: { start: 0, end: 4 } } }],
    ['modality_slice_wrong', { ...parts, state: { arm: { start: 2, end: 2 } } }],
    ['modality_rotation_unknown', { ...parts, state: { arm: { start: 0, end: 2, rotation_type: 'euler' } } }],
    ['modality_camera_unknown', { ...parts, video: { top: { original_key: 'observation.images.side' } } }],
    ['modality_camera_unnamed', { ...parts, video: { top: {} } }],
    ['modality_camera_full_name', { ...parts, video: { [camera]: {} } }],
    ['modality_annotation_unknown', { ...parts, annotation: { 'human.task': {} } }],
  ])('violates %s (%#)', async (code, modality) => {
    expect(await codesOf(modality)).toEqual([code]);
  });

  it('violates the rule of a column that neither data nor statistics have', async () => {
    const modality = { ...parts, state: { arm: { start: 0, end: 2, original_key: 'observation.arm' } } };
    expect(await codesOf(modality)).toEqual(['modality_column_unknown', 'modality_stats_missing']);
  });

  it.each<[string, string | undefined]>([
    ['no quantiles', JSON.stringify({ ...stats, action: { ...column(2), q01: undefined } })],
    ['no JSON', '{'],
  ])('has statistics that GR00T computes again: %s', async (_, text) => {
    const codes = await codesOf(parts, { extra: { 'meta/stats.json': text ?? '' } });
    expect(codes).toEqual(['modality_stats_missing']);
  });

  it('needs a described camera, with videos', async () => {
    expect(await codesOf(parts, { info: (info) => info })).toEqual(['modality_camera_undescribed']);
    const side = { original_key: 'observation.images.side' };
    const declared = (info: Record<string, unknown>) => {
      const { features, ...rest } = describeCamera(info);
      const described = (features as Record<string, unknown>)[camera];
      return { ...rest, features: { ...features, [side.original_key]: described } };
    };
    const modality = { ...parts, video: { ...parts.video, side } };
    expect(await codesOf(modality, { info: declared })).toEqual(['modality_camera_without_files']);
    // A camera that GR00T does not use may lack its videos.
    expect(await codesOf(parts, { info: declared })).toEqual([]);
  });

  it('is not asked for GR00T’s metadata in the layout that GR00T does not read', async () => {
    expect(await codesOf('{', { layout: 'v3' })).toEqual([]);
  });
});

const example = '../shared/data/lerobot-v20-gr00t-pick-place';

describe.skipIf(!existsSync(example))(`GR00T's example (needs ${example})`, () => {
  it('is judged by GR00T, which fails at the episodes that its path template does not find', async () => {
    const { dataset, episodes } = await readSet(example);
    const findings = [...dataset.findings, ...episodes.flatMap((episode) => episode.findings)];
    const codes = new Set(findings.map(({ code }) => code));
    expect([...codes].filter((code) => code.startsWith('modality_'))).toEqual([]);
    const verdict = computeLoadVerdict(
      dataset.facts,
      [...codes].map((code) => ({ code, episodes: null })),
    )!;
    expect(verdict).toMatchObject({ loaders: ['gr00t'], choice: 'detected', loads: 'no' });
    expect(verdict.why.map(({ rule, does }) => [rule, does])).toEqual([
      ['path_template_wrong', 'refuses_rows'],
    ]);
    expect(verdict.others.find(({ loader }) => loader === 'lerobot-0.3')!.why[0].does).toBe('refuses_set');
  });
});
