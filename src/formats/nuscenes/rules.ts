import {
  type Consequence,
  type Contract,
  type ContractRule,
  refusesRows,
  refusesSet,
  ruleFindings,
  servesWrongRows,
} from '../shared/rule.ts';

const reader = 'nuscenes-devkit';
/** Missing images are expected after a partial download. */
const partialDownload: Consequence = { reader: 'refuses_rows', severity: 'error' };

const advice = 'Unpack all tables of one version together.';

const tableRules = [
  {
    id: 'tables_missing',
    holds: 'All thirteen tables of a version are there.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'file_truncated',
    holds: 'A table ends where its list ends.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack it again.',
  },
  {
    id: 'table_malformed',
    holds: 'A table is a list of records.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack it again.',
  },
  {
    id: 'records_broken',
    holds: 'Every record of a table is JSON.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack it again.',
  },
  {
    id: 'nuscenes_token_twice',
    holds:
      'No two records of a table share a token (checked in all tables but those of measurements and boxes).',
    on: 'dataset',
    consequences: { [reader]: servesWrongRows },
    advice: 'Remove one of them; the last is returned for both.',
  },
] as const satisfies readonly ContractRule[];

const referenceRules = [
  {
    id: 'nuscenes_reference_broken',
    holds:
      'Measurements name a calibrated sensor, which names a sensor; keyframes name a sample; every log is on a map.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'nuscenes_map_missing',
    holds: 'The table map has a record, and records have log_tokens.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the table map of this version again.',
  },
  {
    id: 'nuscenes_map_mask_missing',
    holds: 'The picture that each record of the table map names is there.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the folder maps next to the tables.',
  },
  {
    id: 'nuscenes_sample_chain',
    holds: 'prev and next of a sample are empty, or the token of a sample.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'records_without_scene',
    holds: 'Every record of sample_data leads to a sample, a scene and a calibrated sensor.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'files_missing',
    holds: 'The file that a record of sample_data names is there.',
    on: 'dataset',
    consequences: { [reader]: partialDownload },
    advice:
      'Unpack the archives of samples and sweeps next to the tables; what is there is judged without them.',
  },
  {
    id: 'nuscenes_box_reference_broken',
    holds: 'Every box names a sample and an instance, and the instance a category.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'poses_missing',
    holds: 'The pose of the car that a measurement names is there (checked for the laser).',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'nuscenes_scan_cut',
    holds: 'A laser scan has five numbers per point, none left over.',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice: 'Unpack the archive of this sensor again.',
  },
] as const satisfies readonly ContractRule[];

const rules = [...tableRules, ...referenceRules];

/**
 * Contract of the devkit's NuScenes class: opening with all reverse indexes, then reading every sample, measurement and
 * laser scan.
 */
export const nuScenesContract: Contract = {
  format: 'nuscenes',
  title: 'nuScenes',
  readers: [{ id: reader, release: '1.2.0' }],
  rules,
};

export const nuScenesViolation = ruleFindings(rules, reader);
