import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#episode';
import { temporaryFolder } from '../../../../test/support/lerobot-set.ts';
import { type ReadSet, readEverything } from '../../../../test/support/read-dataset.ts';
import {
  example,
  type FeatureInput,
  featuresJson,
  flags,
  node,
  plainCrc32c,
  type RldsFiles,
  tfrecord,
  writeRlds,
} from '../../../../test/support/tfrecord.ts';
import { discover } from '../../discover.ts';
import { crc32c } from './crc32c.ts';

const steps = 4;
const action = { 'steps/action': { floats: [1, 2, 3, 4, 5, 6, 7, 8] } };
const actionNode = { action: node.tensor([2]) };
const episode = (more: Record<string, FeatureInput> = action): Uint8Array =>
  example({ ...flags(steps), ...more });
const png = (size: number) =>
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Array(size).fill(size)]);

async function read(files: Partial<RldsFiles>): Promise<ReadSet> {
  const folder = await temporaryFolder();
  await writeRlds(folder, { shards: [[episode()]], features: featuresJson(actionNode), ...files });
  const { sets } = await readEverything(folder);
  expect(sets).toHaveLength(1);
  return sets[0];
}

const one = async (files: Partial<RldsFiles>): Promise<Episode> => (await read(files)).episodes[0];
const stream = ({ streams }: Episode, id: string) => streams.find((candidate) => candidate.id === id)!;
const codes = (found: { readonly findings: readonly { readonly code: string }[] }) =>
  found.findings.map(({ code }) => code);

describe('CRC-32C', () => {
  it('is Castagnoli’s, at every length and alignment', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
    const bytes = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) & 255);
    for (let from = 0; from < 9; from++)
      for (let to = from; to < bytes.length; to++)
        expect(crc32c(bytes, from, to)).toBe(plainCrc32c(bytes.subarray(from, to)));
  });
});

describe('records', () => {
  const three = { shards: [[episode(), episode(), episode()]] };
  const places = ({ episodes, unreadable }: ReadSet) => [
    episodes.map(({ index }) => index),
    unreadable.map(({ index, finding }) => [index, finding.code]),
  ];

  it('are episodes, a shard behind the other', async () => {
    const set = await read({ shards: [[episode(), episode()], [episode()]] });
    expect(set.episodes.map(({ id, index }) => [id, index])).toEqual([
      ['made_up-train-00000-of-00002/000000', 0],
      ['made_up-train-00000-of-00002/000001', 1],
      ['made_up-train-00001-of-00002/000000', 2],
    ]);
    expect(set.episodes[1].locator.span).toEqual({ unit: 'record', from: 1, to: 2 });
    expect([...stream(set.episodes[2], 'action').series!.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(codes(set)).toEqual(['rate_unknown']);
  });

  const size = tfrecord(episode()).length;
  const spoil = (at: number) => (bytes: Buffer) => {
    bytes[at] ^= 0x10;
    return bytes;
  };
  it.each([
    ['data', 12 + 30],
    ['checksum of the data', size - 2],
    ['length', 1],
    ['checksum of the length', 9],
  ])('with damaged %s cost themselves alone', async (_, place) => {
    const set = await read({ ...three, edit: spoil(size + place) });
    expect(places(set)).toEqual([[0, 2], [[1, 'record_damaged']]]);
    expect(set.unreadable[0].finding.message).toContain(`byte ${size}`);
  });

  it('that break off at the end are named, and what was declared too', async () => {
    const set = await read({ ...three, edit: (bytes) => bytes.subarray(0, -5) });
    expect(places(set)).toEqual([[0, 1], [[2, 'record_truncated']]]);
    const within = await read({ ...three, edit: (bytes) => bytes.subarray(0, 2 * size + 7) });
    expect(places(within)).toEqual([[0, 1], [[2, 'record_truncated']]]);
    const whole = await read({ ...three, edit: (bytes) => bytes.subarray(0, 2 * size) });
    expect(places(whole)).toEqual([[0, 1], []]);
    expect(whole.findings[0]).toMatchObject({
      code: 'split_count_mismatch',
      evidence: { declared: 3, found: 2 },
    });
  });

  it('that are no Example or have no steps are named', async () => {
    const set = await read({
      shards: [[Buffer.from([0x0a, 0x7f]), example({ label: { ints: [1] } }), episode()]],
    });
    expect(places(set)).toEqual([
      [2],
      [
        [0, 'record_undecodable'],
        [1, 'record_without_steps'],
      ],
    ]);
  });

  it('are read from shards that gzip packed, whole or broken off', async () => {
    const gz = await read({ ...three, edit: (bytes) => gzipSync(bytes) });
    expect(places(gz)).toEqual([[0, 1, 2], []]);
    const cut = await read({ ...three, edit: (bytes) => gzipSync(bytes).subarray(0, -9) });
    expect(cut.unreadable.map(({ finding }) => finding.code)).toContain('record_truncated');
    expect(cut.episodes.length).toBeGreaterThan(0);
    const few = { info: (info: Record<string, unknown>) => withLengths(info, ['2']) };
    const more = await read({ ...three, ...few, edit: (bytes) => gzipSync(bytes) });
    expect(more.episodes).toHaveLength(2);
    expect(codes(more.episodes[1])).toContain('split_count_mismatch');
  });

  it('decode alike packed and one field a value, negative integers too', async () => {
    const features = {
      ...flags(2),
      'steps/action': { floats: [1.5, -2] },
      'steps/observation/state': { ints: [-3, 2 ** 40] },
    };
    const declared = featuresJson({
      action: node.tensor([]),
      observation: node.dict({ state: node.tensor([], 'int64') }),
    });
    for (const packed of [true, false]) {
      const found = await one({ shards: [[example(features, packed)]], features: declared });
      expect([...stream(found, 'action').series!.values]).toEqual([1.5, -2]);
      expect([...stream(found, 'observation/state').series!.values]).toEqual([-3, 2 ** 40]);
    }
  });
});

const withLengths = (info: Record<string, unknown>, shardLengths: readonly string[]) => {
  const [split] = info.splits as Record<string, unknown>[];
  return { ...info, splits: [{ ...split, shardLengths }] };
};

describe('the files of a set', () => {
  it('say which shards and splits are missing', async () => {
    const set = await read({
      info: (info) => {
        const { splits } = withLengths(info, ['1']);
        return { ...info, splits: [...splits, { ...splits[0], name: 'val', shardLengths: ['7', '8'] }] };
      },
    });
    expect(set.declared_episodes).toBe(16);
    expect(set.findings[0]).toMatchObject({
      code: 'shard_missing',
      evidence: { split: 'val', episodes: 15 },
    });
  });

  it('name shards by a template of their own', async () => {
    const folder = await writeRlds(await temporaryFolder(), {
      shards: [[episode()]],
      features: featuresJson(actionNode),
      info: (info) => {
        const { splits } = withLengths(info, ['1']);
        return { ...info, splits: [{ ...splits[0], filepathTemplate: 'part-{SPLIT}-{SHARD_INDEX}.bin' }] };
      },
    });
    const shard = await readFile(join(folder, 'made_up-train.tfrecord-00000-of-00001'));
    await writeFile(join(folder, 'part-train-00000.bin'), shard);
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes.map(({ locator }) => locator.path)).toEqual([
      'part-train-00000.bin',
      'made_up-train.tfrecord-00000-of-00001',
    ]);
    expect(codes(sets[0])).toContain('shard_undeclared');
  });

  it('disagree with the bytes that are there', async () => {
    const set = await read({
      info: (info) => {
        const { splits } = withLengths(info, ['1']);
        return { ...info, splits: [{ ...splits[0], numBytes: '12' }] };
      },
    });
    expect(set.findings[0]).toMatchObject({ code: 'split_bytes_mismatch', evidence: { declared: 12 } });
  });

  it.each(['array_record', 'riegeli'])('as %s are refused with what to do', async (fileFormat) => {
    const folder = await writeRlds(await temporaryFolder(), {
      shards: [[]],
      info: (info) => ({ ...info, fileFormat }),
    });
    await writeFile(join(folder, `made_up-train.${fileFormat}-00000-of-00001`), 'x');
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unsupported_version',
      path: 'dataset_info.json',
      message: expect.stringContaining(fileFormat),
      advice: expect.stringContaining('convert'),
    });
  });

  it('are not taken for those of Hugging Face, which has a dataset_info.json too', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      join(folder, 'dataset_info.json'),
      JSON.stringify({ features: {}, splits: { train: {} } }),
    );
    await expect(discover(folder)).rejects.toMatchObject({ code: 'not_recognised' });
  });

  it('may lack both JSON files: the records show what they hold', async () => {
    const folder = await temporaryFolder();
    const more = {
      ...action,
      'steps/observation/image': { bytes: [1, 2, 3, 4].map(png) },
      'steps/language_instruction': { bytes: ['a', 'a', 'a', 'a'] },
    };
    await writeFile(join(folder, 'x.tfrecord'), tfrecord(episode(more)));
    const { sets } = await readEverything(folder);
    expect(codes(sets[0])).toEqual(['dataset_info_missing', 'features_json_missing', 'rate_unknown']);
    const [found] = sets[0].episodes;
    expect(found.streams.map(({ id, role, shape, sample_count }) => [id, role, shape, sample_count])).toEqual(
      [
        ['action', 'action', [2], 4],
        ['observation/image', 'camera', [], 4],
      ],
    );
    expect(found.tasks).toEqual([{ text: 'a', source: 'language_instruction' }]);
  });

  it('may hold a features.json of an older form: the records show what they hold', async () => {
    const set = await read({ features: { type: 'FeaturesDict', content: '{}', proto_cls: 'x' } });
    expect(codes(set)).toEqual(['features_json_missing', 'rate_unknown']);
    expect([...stream(set.episodes[0], 'action').series!.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are recognised by bytes: text called .tfrecord is not', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'x.tfrecord'), 'this is not a record, and long enough to hold a header');
    await expect(discover(folder)).rejects.toMatchObject({ code: 'not_recognised' });
  });

  it('without steps are another kind of set', async () => {
    const folder = await writeRlds(await temporaryFolder(), {
      shards: [[episode()]],
      features: node.dict({ label: node.text }),
    });
    await expect(discover(folder)).rejects.toThrow(/declares no steps/);
  });
});

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
    const set = await read({
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
    expect(stream(found, 'observation/image').frames).toMatchObject({
      locator: { type: 'embedded', channel: 'observation/image', encoding: 'png' },
      declared_size_px: [3, 2],
    });
    expect(stream(found, 'observation/image').frames!.payloads!.crc32[2]).toBe(crc32(png(3)));
    expect(found.streams.every(({ unit }) => unit.evidence === 'unknown')).toBe(true);
    expect(set.findings[0]).toMatchObject({
      code: 'precision_lost',
      evidence: { features: ['observation/joint_state'] },
    });
  });

  it('of even ragged rows are signals, of uneven ones are only counted', async () => {
    const features = featuresJson({ observation: node.dict({ state: node.sequence(node.tensor([])) }) });
    const ragged = (lengths: number[], flat: number[]) =>
      one({
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
    const even = stream(await ragged([2, 2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 8]), 'observation/state');
    expect([even.modality, even.series?.dims]).toEqual(['numeric', 2]);
    const uneven = stream(await ragged([2, 0, 3, 3], [1, 2, 3, 4, 5, 6, 7, 8]), 'observation/state');
    expect([uneven.modality, uneven.sample_count]).toEqual(['opaque', 4]);
  });

  it('packed as bytes or zlib are unpacked, a bomb is not', async () => {
    const rows = [1, 2, 3, 4].map((value) => Buffer.from(Float64Array.of(value, -value).buffer));
    const features = (encoding: string) => featuresJson({ action: node.tensor([2], 'float64', encoding) });
    for (const [encoding, pack] of [
      ['bytes', (row: Buffer) => row],
      ['zlib', (row: Buffer) => deflateSync(row)],
    ] as const) {
      const found = await one({
        features: features(encoding),
        shards: [[episode({ 'steps/action': { bytes: rows.map(pack) } })]],
      });
      expect([...stream(found, 'action').series!.values]).toEqual([1, -1, 2, -2, 3, -3, 4, -4]);
    }
    const bomb = deflateSync(Buffer.alloc(1e7));
    const found = await one({
      features: features('zlib'),
      shards: [[episode({ 'steps/action': { bytes: [bomb, bomb, bomb, bomb] } })]],
    });
    expect(codes(found)).toContain('tensor_undecodable');
  });

  it('of packed uint8 pictures are cameras of raw pixels', async () => {
    const rows = [1, 2, 3, 4].map((value) => Buffer.alloc(2 * 3 * 3, value));
    const features = featuresJson({
      observation: node.dict({ rgb: node.tensor([2, 3, 3], 'uint8', 'zlib') }),
    });
    const found = await one({
      features,
      shards: [[episode({ 'steps/observation/rgb': { bytes: rows.map((row) => deflateSync(row)) } })]],
    });
    expect(stream(found, 'observation/rgb').frames!.kept![3]).toMatchObject({
      bytes: Uint8Array.from(rows[3]),
      layout: { encoding: 'rgb8', width: 3, height: 2, step: 9 },
    });
  });

  it('that are absent or of the wrong length are findings', async () => {
    const absent = await one({ features: featuresJson({ ...actionNode, reward: node.tensor([]) }) });
    expect(absent.findings.find(({ code }) => code === 'feature_missing')?.evidence).toEqual({
      features: ['reward'],
    });
    const short = await one({ shards: [[episode({ 'steps/action': { floats: [1, 2, 3, 4, 5] } })]] });
    expect(stream(short, 'action').sample_count).toBe(2);
    expect(codes(short)).toContain('feature_length_wrong');
  });
});

describe('what RLDS says of steps', () => {
  const endings = (last: readonly number[], terminal: readonly number[], first = [1, 0, 0, 0]) =>
    one({
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
    expect(stream(found, 'action').sample_count).toBe(4);
  });

  it.each([
    ['truncated', [0, 0, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], 'episode_truncated'],
    ['without an end', [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], 'is_last_missing'],
    ['of two ends', [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 0], 'is_last_wrong'],
    ['of two starts', [0, 0, 0, 1], [0, 0, 0, 1], [1, 0, 1, 0], 'is_first_wrong'],
  ])('an episode %s is a finding', async (_, last, terminal, first, code) => {
    const found = await endings(last, terminal, first);
    expect(codes(found)).toContain(code);
    expect(codes(found).includes('last_action_undefined')).toBe(
      code === 'episode_truncated' || code === 'is_first_wrong',
    );
  });

  it('demands the flags', async () => {
    const found = await one({ shards: [[example(action)]] });
    expect(codes(found).filter((code) => code === 'step_flag_missing')).toHaveLength(2);
    expect(stream(found, 'action').sample_count).toBe(4);
  });
});

describe('language, outcome and time', () => {
  const text = node.text;
  const languages = (features: Record<string, unknown>, values: Record<string, FeatureInput>) =>
    one({ features: featuresJson(features), shards: [[episode(values)]] });

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
    const folder = await one({
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
    expect((await one({})).tasks).toBeNull();
  });

  it('says success only where metadata does: a reward at the end is no label', async () => {
    const reward = {
      features: featuresJson({ ...actionNode, reward: node.tensor([]) }),
      shards: [[episode({ ...action, 'steps/reward': { floats: [0, 0, 0, 1] } })]],
    };
    expect((await one(reward)).outcome).toMatchObject({ value: 'unknown', evidence: 'unknown' });
    for (const [label, value] of [
      [1, 'success'],
      [0, 'failure'],
    ] as const) {
      const found = await one({
        features: featuresJson(actionNode, { success: node.tensor([], 'bool') }),
        shards: [[episode({ ...action, 'episode_metadata/success': { ints: [label] } })]],
      });
      expect(found.outcome).toMatchObject({ value, evidence: 'declared' });
    }
    const droid = await one({
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
    const found = await one({
      features: featuresJson(actionNode, { invalid: node.tensor([], 'bool') }),
      shards: [[episode({ ...action, 'episode_metadata/invalid': { ints: [1] } })]],
    });
    expect(codes(found)).toContain('episode_marked_invalid');
  });

  it.each([
    ['bridge', 5],
    ['droid', 15],
    ['fractal20220817_data', 3],
  ])('knows the rate of %s by its name, and says that it is computed', async (name, hz) => {
    const set = await read({ name });
    expect(set.findings).toMatchObject([
      { code: 'rate_known_format', evidence: { rate_hz: hz, evidence: 'known_format' } },
    ]);
    const { clocks, clock, declared_rate_hz } = stream(set.episodes[0], 'action');
    expect([clocks[0].provenance, clocks[0].time_s[1], declared_rate_hz]).toEqual([
      'synthesised',
      1 / hz,
      null,
    ]);
    expect(clock?.reason).toContain('by its name');
    expect(set.episodes[0].duration_s).toBeCloseTo(steps / hz, 9);
  });

  it('has no clock and no duration for any other set', async () => {
    const found = await one({});
    expect([found.streams[0].clock, found.duration_s]).toEqual([null, 0]);
  });
});
