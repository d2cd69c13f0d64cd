import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  trainsWorse,
} from '../shared/rule.ts';

const reader = 'TFDS';
/** TFDS reads the other splits without an error. */
const refusesSplit: Consequence = { reader: 'refuses_rows', severity: 'error' };

const setRules = [
  {
    id: 'dataset_info_missing',
    holds: 'dataset_info.json is next to the shards.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy the file that TFDS wrote next to the shards.',
  },
  {
    id: 'features_json_missing',
    holds: 'features.json is next to the shards.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy the file that TFDS wrote next to the shards.',
  },
  {
    id: 'metadata_unreadable',
    holds: 'dataset_info.json and features.json are JSON.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Copy the file that TFDS wrote next to the shards.',
  },
  {
    id: 'shard_missing',
    holds:
      'Every shard that has records by dataset_info.json is there; a split that lacks one cannot be read.',
    on: 'dataset',
    consequences: { [reader]: refusesSplit },
    advice: 'Fetch the missing shards, or take the split out of dataset_info.json.',
  },
  {
    id: 'split_count_mismatch',
    holds:
      'A split has as many records as its shardLengths add up to; otherwise reading it stops with an error.',
    on: 'dataset',
    consequences: { [reader]: refusesSplit },
    advice: 'Fetch the shard again, or correct shardLengths.',
  },
  {
    id: 'shard_count_mismatch',
    holds: 'Each shard has as many records as shardLengths says; slices such as train[:10%] are cut by it.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Correct shardLengths.',
  },
  {
    id: 'shard_undeclared',
    holds: 'dataset_info.json names every shard; others are ignored.',
    on: 'dataset',
    consequences: { [reader]: trainsWorse },
    advice: 'Check that they belong to this set, and add them to shardLengths.',
  },
] as const satisfies readonly ContractRule[];

const recordRules = [
  {
    id: 'record_damaged',
    holds: 'Length and data of every record match their CRC-32C.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Fetch the shard again.',
  },
  {
    id: 'record_truncated',
    holds: 'The last record of a shard is complete.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Fetch the shard again.',
  },
  {
    id: 'record_undecodable',
    holds: 'Every record is a tf.train.Example.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Check which program wrote it.',
  },
  {
    id: 'record_feature_missing',
    holds: 'A record holds every feature that features.json declares.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write the episode again, or take the feature out of features.json.',
  },
  {
    id: 'feature_type_wrong',
    holds: 'Numbers are stored as floats or integers as features.json says, texts and pictures as bytes.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Correct the dtype in features.json, or write the data set again.',
  },
  {
    id: 'feature_length_wrong',
    holds: 'Every feature has its declared numbers, or one picture, for each step.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice:
      'Write the episode again with the shapes that features.json declares; do not pair rows by number.',
  },
  {
    id: 'tensor_undecodable',
    holds: 'Packed tensors unpack to the declared shape.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Write the data set again with the shapes that features.json declares.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...setRules, ...recordRules];

/** Contract of TFDS: builder_from_directory, then every split as a whole through as_dataset. */
export const tfdsContract: Contract = {
  format: 'rlds',
  title: 'RLDS episodes (TFDS)',
  readers: [{ id: reader, release: '4.9.10' }],
  rules,
};

export const tfdsViolation = ruleFindings(rules, reader);
