import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
} from '../shared/rule.ts';

const reader = 'tfds';
/** TFDS reads the other splits without an error. */
const refusesSplit: Consequence = { reader: 'refuses_rows', severity: 'error' };

const setRules = [
  {
    id: 'dataset_info_missing',
    holds: 'dataset_info.json is next to the shards.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy dataset_info.json as written by TFDS next to the shards.',
  },
  {
    id: 'features_json_missing',
    holds: 'features.json is next to the shards.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy features.json as written by TFDS next to the shards.',
  },
  {
    id: 'metadata_unreadable',
    holds:
      'TFDS can parse dataset_info.json and features.json: UTF-8 without a byte order mark, nothing after the end, only fields that TFDS knows, and in dataset_info.json no key twice.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy the file as written by TFDS next to the shards.',
  },
  {
    id: 'shard_missing',
    holds:
      'Every shard that has records according to dataset_info.json exists; a split with a missing shard cannot be read.',
    on: 'dataset',
    consequences: { [reader]: refusesSplit },
    advice: 'Copy the missing shards, or remove the split from dataset_info.json.',
  },
  {
    id: 'split_count_mismatch',
    holds: 'A split has as many records as its shardLengths add up to; otherwise reading it fails.',
    on: 'dataset',
    consequences: { [reader]: refusesSplit },
    advice: 'Copy the shard again, or correct shardLengths.',
  },
  {
    id: 'shard_count_mismatch',
    holds:
      'Each shard has as many records as declared in shardLengths; slices such as train[:10%] rely on it.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Correct shardLengths.',
  },
  {
    id: 'shard_undeclared',
    holds: 'dataset_info.json lists every shard; others are ignored.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Check that these shards belong to the dataset, and add them to shardLengths.',
  },
] as const satisfies readonly ContractRule[];

const recordRules = [
  {
    id: 'record_damaged',
    holds: 'Length and data of every record match their CRC-32C.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Copy the shard again.',
  },
  {
    id: 'record_truncated',
    holds: 'The last record of a shard is complete.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Copy the shard again.',
  },
  {
    id: 'record_undecodable',
    holds: 'Every record is a valid tf.train.Example.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Check which program wrote it.',
  },
  {
    id: 'record_feature_missing',
    holds: 'A record has every feature that features.json declares.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write the episode again, or remove the feature from features.json.',
  },
  {
    id: 'feature_type_wrong',
    holds:
      'Numbers are stored as floats or integers as declared in features.json; strings and images are stored as bytes.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Correct the dtype in features.json, or write the dataset again.',
  },
  {
    id: 'feature_length_wrong',
    holds: 'Every feature has its declared values, or one image, for each step.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write the episode again with the shapes declared in features.json; do not pair rows by number.',
  },
  {
    id: 'tensor_undecodable',
    holds: 'Encoded tensors decode to the declared shape.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write the dataset again with the shapes declared in features.json.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...setRules, ...recordRules];

/** Contract of TFDS: builder_from_directory, then every split as a whole through as_dataset. */
export const tfdsContract: Contract = {
  format: 'rlds',
  title: 'RLDS episodes (TFDS)',
  readers: [{ id: reader, title: 'TFDS', release: '4.9.10' }],
  rules,
};

export const tfdsViolation = ruleFindings(rules, reader);
