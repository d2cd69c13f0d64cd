import { deflateSync } from 'node:zlib';
import { action } from '../rlds-sets.ts';
import {
  example,
  type FeatureInput,
  featuresJson,
  flags,
  node,
  type RldsFiles,
  rldsFiles,
  tfrecord,
} from '../tfrecord.ts';
import type { PlantedFormat } from './plant.ts';

const features = featuresJson(
  { action: node.tensor([2]), packed: node.tensor([2], 'float32', 'zlib') },
  { label: node.text },
);
const packed = deflateSync(new Uint8Array(8));
const whole: Record<string, FeatureInput> = {
  ...flags(4),
  ...action,
  'steps/packed': { bytes: [packed, packed, packed, packed] },
  'episode_metadata/label': { bytes: ['a'] },
};
const record = (over: Readonly<Record<string, FeatureInput | undefined>> = {}) =>
  example(Object.fromEntries(Object.entries({ ...whole, ...over }).flatMap(([k, v]) => (v ? [[k, v]] : []))));
const bytes = tfrecord(record()).length;

/** Names as TFDS has them, without which its builder takes a class for abstract. */
const classes: Readonly<Record<string, string>> = {
  featuresDict: 'features_dict.FeaturesDict',
  sequence: 'dataset_feature.Dataset',
  tensor: 'tensor_feature.Tensor',
  text: 'text_feature.Text',
};
function named(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one)]));
  const kind = Object.keys(value).find((key) => key in classes && Object.keys(value).length === 1);
  return kind === undefined
    ? copy
    : { pythonClassName: `tensorflow_datasets.core.features.${classes[kind]}`, ...copy };
}

/** Two shards: an episode, and two. */
const set = (files: Partial<RldsFiles> = {}) =>
  rldsFiles({ shards: [[record()], [record(), record()]], features: named(features), ...files });
const of = (rule: string, second: Uint8Array) => ({
  ...{ rule, episode: 1, files: set({ shards: [[record()], [second, record()]] }) },
});
const ofSet = (rule: string, files: ReturnType<typeof set>) => ({ rule, episode: null, files });
const without = (name: string) => Object.fromEntries(Object.entries(set()).filter(([path]) => path !== name));
const lengths = (shardLengths: readonly string[]) =>
  set({
    info: (info) => ({
      ...info,
      splits: [{ ...(info.splits as Record<string, unknown>[])[0], shardLengths }],
    }),
  });
const shard = (at: number) => `made_up-train.tfrecord-0000${at}-of-00002`;
const edited = (edit: (bytes: Buffer) => Uint8Array) =>
  set({ edit: (raw, at) => (at === 1 ? edit(raw) : raw) });
const spoiled = (at: number) =>
  edited((raw) => {
    raw[at] ^= 0x10;
    return raw;
  });

export const tfdsPlants: PlantedFormat = {
  title: 'RLDS episodes (TFDS)',
  sound: set(),
  plants: [
    ofSet('dataset_info_missing', without('dataset_info.json')),
    ofSet('features_json_missing', without('features.json')),
    ofSet('metadata_unreadable', { ...set(), 'dataset_info.json': '{"name": "cut o' }),
    ofSet('metadata_unreadable', { ...set(), 'features.json': '{"featuresDict": {' }),
    ofSet('metadata_unreadable', set({ info: (info) => ({ ...info, robot: 'unknown to TFDS' }) })),
    ofSet('shard_missing', without(shard(1))),
    ofSet('split_count_mismatch', lengths(['1', '3'])),
    ofSet('split_count_mismatch', lengths(['1', '1'])),
    ofSet('shard_count_mismatch', lengths(['2', '1'])),
    ofSet('shard_undeclared', { ...set(), 'made_up-val.tfrecord-00000-of-00001': tfrecord(record()) }),
    { rule: 'record_damaged', episode: 1, files: spoiled(40) },
    { rule: 'record_damaged', episode: 1, files: spoiled(1) },
    { rule: 'record_truncated', episode: 2, files: edited((raw) => raw.subarray(0, -5)) },
    { rule: 'record_truncated', episode: 2, files: edited((raw) => raw.subarray(0, bytes + 7)) },
    of('record_undecodable', Buffer.from([0x0a, 0xff, 0x01, 0x02])),
    of('record_feature_missing', record({ 'steps/action': undefined })),
    of('record_feature_missing', record({ 'steps/is_first': undefined })),
    of('record_feature_missing', record({ 'episode_metadata/label': undefined })),
    of('feature_type_wrong', record({ 'steps/action': { ints: [1, 2, 3, 4, 5, 6, 7, 8] } })),
    of('feature_length_wrong', record({ 'steps/action': { floats: [1, 2, 3, 4, 5] } })),
    of('feature_length_wrong', record({ 'steps/action': { floats: [1, 2, 3, 4, 5, 6] } })),
    of('tensor_undecodable', record({ 'steps/packed': { bytes: [packed, packed, packed, 'x'] } })),
    of(
      'tensor_undecodable',
      record({ 'steps/packed': { bytes: new Array(4).fill(deflateSync(new Uint8Array(4))) } }),
    ),
  ],
};
