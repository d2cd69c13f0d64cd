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
    holds: 'All thirteen tables of a version exist.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'file_truncated',
    holds: 'A table is complete, up to the end of its list.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the table again.',
  },
  {
    id: 'table_malformed',
    holds: 'A table is a list of records.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the table again.',
  },
  {
    id: 'records_broken',
    holds: 'Every record of a table is valid JSON.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the table again.',
  },
  {
    id: 'nuscenes_token_twice',
    holds:
      'Tokens are unique within a table (checked in all tables except sample_data, ego_pose and sample_annotation).',
    on: 'dataset',
    consequences: { [reader]: servesWrongRows },
    advice: 'Remove one of the records; the last one is returned for both.',
  },
] as const satisfies readonly ContractRule[];

const referenceRules = [
  {
    id: 'nuscenes_reference_broken',
    holds:
      'sample_data refers to a calibrated sensor and its sensor, keyframes refer to a sample, and every log is on a map.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'nuscenes_map_missing',
    holds: 'The map table has at least one record, and its records have log_tokens.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the map table of this version again.',
  },
  {
    id: 'nuscenes_map_mask_missing',
    holds: 'The image of each record in the map table exists.',
    on: 'dataset',
    consequences: { [reader]: refusesSet },
    advice: 'Unpack the maps folder next to the tables.',
  },
  {
    id: 'nuscenes_sample_chain',
    holds: 'prev and next of a sample are empty or the token of a sample.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'records_without_scene',
    holds: 'Every record of sample_data refers to an existing sample, scene and calibrated sensor.',
    on: 'dataset',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'files_missing',
    holds: 'The file of each sample_data record exists.',
    on: 'dataset',
    consequences: { [reader]: partialDownload },
    advice:
      'Unpack the archives of samples and sweeps next to the tables; existing files are evaluated without the missing ones.',
  },
  {
    id: 'nuscenes_box_reference_broken',
    holds: 'Every box refers to a sample and an instance, and the instance to a category.',
    on: 'episode',
    consequences: { [reader]: refusesSet },
    advice,
  },
  {
    id: 'poses_missing',
    holds: 'The ego pose of each sample_data record exists (checked for the lidar).',
    on: 'episode',
    consequences: { [reader]: refusesRows },
    advice,
  },
  {
    id: 'nuscenes_scan_cut',
    holds: 'A lidar scan has exactly five numbers per point.',
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
  readers: [{ id: reader, title: 'nuscenes-devkit', release: '1.2.0' }],
  rules,
};

export const nuScenesViolation = ruleFindings(rules, reader);
