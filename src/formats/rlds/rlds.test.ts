import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  action,
  actionNode,
  codesOf,
  episode,
  firstEpisode,
  png,
  readRlds,
  steps,
  streamOf,
} from '#test/support/rlds-sets';
import { example, type FeatureInput, featuresJson, node } from '#test/support/tfrecord';

describe('features', () => {
  it('are laid out as declared: tensors, texts, booleans, pictures', async () => {
    const features = featuresJson({
      action: node.tensor([2]),
      observation: node.dict({
        image: node.image([2, 3, 3]),
        joint_state: node.tensor([1, 2], 'float64'),
        note: node.text,
      }),
      open: node.tensor([], 'bool'),
      reward: node.tensor([]),
    });
    const set = await readRlds({
      features,
      shards: [
        [
          episode({
            ...action,
            'steps/observation/image': { bytes: [1, 2, 3, 4].map(png) },
            'steps/observation/joint_state': { floats: [1, 2, 3, 4, 5, 6, 7, 8] },
            'steps/observation/note': { bytes: ['', 'b', '', ''] },
            'steps/open': { ints: [1, 0, 1, 1] },
            'steps/reward': { floats: [0, 0, 0, 1] },
          }),
        ],
      ],
    });
    const [found] = set.episodes;
    expect(found.streams.map(({ id, role, modality, shape }) => [id, role, modality, shape])).toEqual([
      ['action', 'action', 'numeric', [2]],
      ['observation/image', 'camera', 'image', [2, 3, 3]],
      ['observation/joint_state', 'state', 'numeric', [1, 2]],
      ['observation/note', 'annotation', 'text', []],
      ['open', 'other', 'numeric', []],
      ['reward', 'reward', 'numeric', []],
    ]);
    expect(streamOf(found, 'observation/image').frames).toMatchObject({
      locator: { type: 'embedded', channel: 'observation/image', encoding: 'png' },
      declared_size_px: [3, 2],
    });
    expect(streamOf(found, 'observation/image').frames!.payloads!.crc32[2]).toBe(crc32(png(3)));
    expect(found.streams.every(({ unit }) => unit.evidence === 'unknown')).toBe(true);
    expect(set.findings[0]).toMatchObject({
      code: 'precision_lost',
      evidence: { features: ['observation/joint_state'] },
    });
  });

  it('of even ragged rows are signals, of uneven ones are only counted', async () => {
    const features = featuresJson({ observation: node.dict({ state: node.sequence(node.tensor([])) }) });
    const ragged = (lengths: number[], flat: number[]) =>
      firstEpisode({
        features,
        shards: [
          [
            episode({
              'steps/observation/state/ragged_flat_values': { floats: flat },
              'steps/observation/state/ragged_row_lengths_0': { ints: lengths },
            }),
          ],
        ],
      });
    const even = streamOf(await ragged([2, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]), 'observation/state');
    expect([even.modality, even.series?.dims]).toEqual(['numeric', 2]);
    const uneven = streamOf(await ragged([2, 0, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8]), 'observation/state');
    expect([uneven.modality, uneven.sample_count]).toEqual(['opaque', 4]);
  });

  it('packed as bytes or zlib are unpacked, a bomb is not', async () => {
    const rows = [1, 2, 3, 4].map((value) => Buffer.from(Float64Array.of(value, -value).buffer));
    const features = (encoding: string) => featuresJson({ action: node.tensor([2], 'float64', encoding) });
    for (const [encoding, pack] of [
      ['bytes', (row: Buffer) => row],
      ['zlib', (row: Buffer) => deflateSync(row)],
    ] as const) {
      const found = await firstEpisode({
        features: features(encoding),
        shards: [[episode({ 'steps/action': { bytes: rows.map(pack) } })]],
      });
      expect([...streamOf(found, 'action').series!.values]).toEqual([1, -1, 2, -2, 3, -3, 4, -4]);
    }
    const bomb = deflateSync(Buffer.alloc(1e7));
    const found = await firstEpisode({
      features: features('zlib'),
      shards: [[episode({ 'steps/action': { bytes: [bomb, bomb, bomb, bomb] } })]],
    });
    expect(codesOf(found)).toContain('tensor_undecodable');
  });

  it('of packed uint8 pictures are cameras of raw pixels', async () => {
    const rows = [1, 2, 3, 4].map((value) => Buffer.alloc(2 * 3 * 3, value));
    const features = featuresJson({
      observation: node.dict({ rgb: node.tensor([2, 3, 3], 'uint8', 'zlib') }),
    });
    const found = await firstEpisode({
      features,
      shards: [[episode({ 'steps/observation/rgb': { bytes: rows.map((row) => deflateSync(row)) } })]],
    });
    expect(streamOf(found, 'observation/rgb').frames!.kept![3]).toMatchObject({
      bytes: Uint8Array.from(rows[3]),
      layout: { encoding: 'rgb8', width: 3, height: 2, step: 9 },
    });
  });

  it('that are absent or of the wrong length are findings', async () => {
    const absent = await firstEpisode({ features: featuresJson({ ...actionNode, reward: node.tensor([]) }) });
    expect(absent.findings.find(({ code }) => code === 'record_feature_missing')?.evidence).toEqual({
      features: ['reward'],
    });
    const short = await firstEpisode({
      shards: [[episode({ 'steps/action': { floats: [1, 2, 3, 4, 5] } })]],
    });
    expect(streamOf(short, 'action').sample_count).toBe(2);
    expect(codesOf(short)).toContain('feature_length_wrong');
  });
});

describe('what RLDS says of steps', () => {
  const endings = (last: readonly number[], terminal: readonly number[], first = [1, 0, 0, 0]) =>
    firstEpisode({
      shards: [
        [
          example({
            ...action,
            'steps/is_first': { ints: first },
            'steps/is_last': { ints: last },
            'steps/is_terminal': { ints: terminal },
          }),
        ],
      ],
    });

  it('leaves the last action undefined, which is said with its step', async () => {
    const found = await endings([0, 0, 0, 1], [0, 0, 0, 1]);
    expect(found.findings).toMatchObject([
      { code: 'last_action_undefined', evidence: { streams: ['action'], step: 3 } },
    ]);
    expect(streamOf(found, 'action').sample_count).toBe(4);
  });

  it.each([
    ['truncated', [0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], 'episode_truncated'],
    ['without an end', [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], 'is_last_missing'],
    ['of two ends', [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0], 'is_last_wrong'],
    ['of two starts', [0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 1, 0], 'is_first_wrong'],
  ])('an episode %s is a finding', async (_, last, terminal, first, code) => {
    const found = await endings(last, terminal, first);
    expect(codesOf(found)).toContain(code);
    expect(codesOf(found).includes('last_action_undefined')).toBe(
      code === 'episode_truncated' || code === 'is_first_wrong',
    );
  });

  it('demands the flags', async () => {
    const found = await firstEpisode({ shards: [[example(action)]] });
    expect(codesOf(found).filter((code) => code === 'step_flag_missing')).toHaveLength(2);
    expect(streamOf(found, 'action').sample_count).toBe(4);
  });
});

describe('language, outcome and time', () => {
  const text = node.text;
  const languages = (features: Record<string, unknown>, values: Record<string, FeatureInput>) =>
    firstEpisode({ features: featuresJson(features), shards: [[episode(values)]] });

  it('takes instructions of every step or of the episode, each once, blanks left out', async () => {
    const perStep = await languages(
      { language_instruction: text, language_instruction_2: text },
      {
        'steps/language_instruction': { bytes: ['a', 'a', 'b', 'a'] },
        'steps/language_instruction_2': { bytes: ['', '', '', ''] },
      },
    );
    expect(perStep.tasks).toEqual([
      { text: 'a', source: 'language_instruction' },
      { text: 'b', source: 'language_instruction' },
    ]);
    const inObservation = await languages(
      { observation: node.dict({ natural_language_instruction: text }) },
      { 'steps/observation/natural_language_instruction': { bytes: ['c', 'c', 'c', 'c'] } },
    );
    expect(inObservation.tasks?.[0].text).toBe('c');
    const folder = await firstEpisode({
      features: featuresJson(actionNode, { language_instruction: text }),
      shards: [[episode({ ...action, 'episode_metadata/language_instruction': { bytes: ['d'] } })]],
    });
    expect(folder.tasks).toEqual([{ text: 'd', source: 'episode_metadata/language_instruction' }]);
  });

  it('tells an empty instruction from none', async () => {
    const empty = await languages(
      { language_instruction: text },
      { 'steps/language_instruction': { bytes: ['', '', '', ''] } },
    );
    expect(empty.tasks).toEqual([]);
    expect((await firstEpisode({})).tasks).toBeNull();
  });

  it('says success only where metadata does: a reward at the end is no label', async () => {
    const reward = {
      features: featuresJson({ ...actionNode, reward: node.tensor([]) }),
      shards: [[episode({ ...action, 'steps/reward': { floats: [0, 0, 0, 1] } })]],
    };
    expect((await firstEpisode(reward)).outcome).toMatchObject({ value: 'unknown', evidence: 'unknown' });
    for (const [label, value] of [
      [1, 'success'],
      [0, 'failure'],
    ] as const) {
      const found = await firstEpisode({
        features: featuresJson(actionNode, { success: node.tensor([], 'bool') }),
        shards: [[episode({ ...action, 'episode_metadata/success': { ints: [label] } })]],
      });
      expect(found.outcome).toMatchObject({ value, evidence: 'declared' });
    }
    const droid = await firstEpisode({
      name: 'droid_100',
      features: featuresJson(actionNode, { file_path: text }),
      shards: [
        [
          episode({
            ...action,
            'episode_metadata/file_path': { bytes: ['/x/r2d2/lab/failure/2023/trajectory.h5'] },
          }),
        ],
      ],
    });
    expect(droid.outcome).toMatchObject({ value: 'failure', evidence: 'known_format' });
  });

  it('says what its recorder took for invalid', async () => {
    const found = await firstEpisode({
      features: featuresJson(actionNode, { invalid: node.tensor([], 'bool') }),
      shards: [[episode({ ...action, 'episode_metadata/invalid': { ints: [1] } })]],
    });
    expect(codesOf(found)).toContain('episode_marked_invalid');
  });

  it.each([
    ['bridge', 5],
    ['droid', 15],
    ['fractal20220817_data', 3],
  ])('knows the rate of %s by its name, and says that it is computed', async (name, hz) => {
    const set = await readRlds({ name });
    expect(set.findings).toMatchObject([
      { code: 'rate_known_format', evidence: { rate_hz: hz, evidence: 'known_format' } },
    ]);
    const { clocks, clock, declared_rate_hz } = streamOf(set.episodes[0], 'action');
    expect([clocks[0].provenance, clocks[0].time_s[1], declared_rate_hz]).toEqual([
      'synthesised',
      1 / hz,
      null,
    ]);
    expect(clock?.reason).toContain('known from the dataset name');
    expect(set.episodes[0].duration_s).toBeCloseTo(steps / hz, 9);
  });

  it('has no clock and no duration for any other set', async () => {
    const found = await firstEpisode({});
    expect([found.streams[0].clock, found.duration_s]).toEqual([null, 0]);
  });
});
