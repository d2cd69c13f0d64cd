import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { type ReadSet, readEverything } from '#test/support/read-dataset';
import {
  action,
  actionNode,
  codesOf,
  episode,
  firstEpisode,
  png,
  readRlds,
  streamOf,
} from '#test/support/rlds-sets';
import { example, featuresJson, flags, node, tfrecord, writeRlds } from '#test/support/tfrecord';
import { discover } from '../discovery/discover.ts';

const withLengths = (info: Record<string, unknown>, shardLengths: readonly string[]) => {
  const [split] = info.splits as Record<string, unknown>[];
  return { ...info, splits: [{ ...split, shardLengths }] };
};

describe('records', () => {
  const three = { shards: [[episode(), episode(), episode()]] };
  const places = ({ episodes, unreadable }: ReadSet) => [
    episodes.map(({ index }) => index),
    unreadable.map(({ index, finding }) => [index, finding.code]),
  ];

  it('are episodes, a shard behind the other', async () => {
    const set = await readRlds({ shards: [[episode(), episode()], [episode()]] });
    expect(set.episodes.map(({ id, index }) => [id, index])).toEqual([
      ['made_up-train-00000-of-00002/000000', 0],
      ['made_up-train-00000-of-00002/000001', 1],
      ['made_up-train-00001-of-00002/000000', 2],
    ]);
    expect(set.episodes[1].locator.span).toEqual({ unit: 'record', from: 1, to: 2 });
    expect([...streamOf(set.episodes[2], 'action').series!.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(codesOf(set)).toEqual(['rate_unknown']);
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
    const set = await readRlds({ ...three, edit: spoil(size + place) });
    expect(places(set)).toEqual([[0, 2], [[1, 'record_damaged']]]);
    expect(set.unreadable[0].finding.message).toContain(`byte ${size}`);
  });

  it('that break off at the end are named, and what was declared too', async () => {
    const set = await readRlds({ ...three, edit: (bytes) => bytes.subarray(0, -5) });
    expect(places(set)).toEqual([[0, 1], [[2, 'record_truncated']]]);
    const within = await readRlds({ ...three, edit: (bytes) => bytes.subarray(0, 2 * size + 7) });
    expect(places(within)).toEqual([[0, 1], [[2, 'record_truncated']]]);
    const whole = await readRlds({ ...three, edit: (bytes) => bytes.subarray(0, 2 * size) });
    expect(places(whole)).toEqual([[0, 1], []]);
    expect(whole.findings[0]).toMatchObject({
      code: 'split_count_mismatch',
      evidence: { declared: 3, found: 2 },
    });
  });

  it('of many shards are counted by the sizes of the files; reading tells where they lie', async () => {
    const shards = [[episode(), episode()], [episode()], [episode()], [episode()]];
    const fine = await read4(shards, ['2', '1', '1', '1']);
    expect([fine.episodes.length, fine.unreadable.length, codesOf(fine)]).toEqual([5, 0, ['rate_unknown']]);
    const moved = await read4(shards, ['1', '2', '1', '1']);
    expect(codesOf(moved)).toEqual(['rate_unknown']);
    expect(codesOf(moved.episodes[0])).toContain('shard_count_mismatch');
    expect(places(moved)).toEqual([[0, 1, 3, 4], [[2, 'shard_count_mismatch']]]);
    const lost = await read4(shards, ['2', '2', '1', '1']);
    expect(codesOf(lost)).toEqual(['split_count_mismatch', 'rate_unknown']);
  });

  const read4 = (shards: readonly (readonly Uint8Array[])[], lengths: readonly string[]) =>
    readRlds({ shards, info: (info) => withLengths(info, lengths) });

  it('that are no Example or have no steps are named', async () => {
    const set = await readRlds({
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
    const gz = await readRlds({ ...three, edit: (bytes) => gzipSync(bytes) });
    expect(places(gz)).toEqual([[0, 1, 2], []]);
    const cut = await readRlds({ ...three, edit: (bytes) => gzipSync(bytes).subarray(0, -9) });
    expect(cut.unreadable.map(({ finding }) => finding.code)).toContain('record_truncated');
    expect(cut.episodes.length).toBeGreaterThan(0);
    const few = { info: (info: Record<string, unknown>) => withLengths(info, ['2']) };
    const more = await readRlds({ ...three, ...few, edit: (bytes) => gzipSync(bytes) });
    expect(more.episodes).toHaveLength(2);
    expect(codesOf(more.episodes[1])).toContain('split_count_mismatch');
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
      const found = await firstEpisode({ shards: [[example(features, packed)]], features: declared });
      expect([...streamOf(found, 'action').series!.values]).toEqual([1.5, -2]);
      expect([...streamOf(found, 'observation/state').series!.values]).toEqual([-3, 2 ** 40]);
    }
  });
});

describe('the files of a set', () => {
  it('say which shards and splits are missing', async () => {
    const set = await readRlds({
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
    expect(codesOf(sets[0])).toContain('shard_undeclared');
  });

  it('disagree with the bytes that are there', async () => {
    const set = await readRlds({
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
    expect(codesOf(sets[0])).toEqual(['dataset_info_missing', 'features_json_missing', 'rate_unknown']);
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
    const set = await readRlds({ features: { type: 'FeaturesDict', content: '{}', proto_cls: 'x' } });
    expect(codesOf(set)).toEqual(['features_json_form_unknown', 'rate_unknown']);
    expect([...streamOf(set.episodes[0], 'action').series!.values]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('that are no JSON are named, and the records read all the same', async () => {
    for (const name of ['dataset_info.json', 'features.json']) {
      const folder = await writeRlds(await temporaryFolder(), {
        shards: [[episode()]],
        features: featuresJson(actionNode),
      });
      await writeFile(join(folder, name), '{"name": "cut o');
      const { sets } = await readEverything(folder);
      expect(sets[0].findings[0]).toMatchObject({ code: 'metadata_unreadable', path: name });
      expect(codesOf(sets[0]).filter((code) => code.endsWith('_missing'))).toEqual([]);
      expect(sets[0].episodes).toHaveLength(1);
    }
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
