import { countPhrase } from '#core';
import type { Finding } from '#core/episode';
import { type DatasetInfo, featuresName, infoName } from './dataset-info.ts';
import type { Leaf } from './features.ts';
import type { KnownDataset } from './known-datasets.ts';
import type { Plan } from './plan.ts';
import { tfdsViolation } from './rules.ts';

/**
 * Returns the findings on a dataset as a whole: declared shards and metadata that are absent, and notes on the
 * precision of its numbers and its rate.
 * @param hasFeaturesFile true if features.json exists, even in an unknown form
 */
export function setFindings(
  info: DatasetInfo | null,
  leaves: readonly Leaf[] | null,
  known: KnownDataset | null,
  plan: Plan,
  hasFeaturesFile: boolean,
): Finding[] {
  return [
    ...(info === null ? [missingInfoFinding] : splitFindings(info, plan)),
    ...(leaves !== null
      ? precisionFindings(leaves)
      : [hasFeaturesFile ? oldFeaturesFinding : missingFeaturesFinding]),
    rateFinding(info, known),
  ];
}

const missingInfoFinding = tfdsViolation(
  'dataset_info_missing',
  infoName,
  `${infoName} is missing, so missing shards or episodes cannot be detected`,
);

const missingFeaturesFinding = tfdsViolation(
  'features_json_missing',
  featuresName,
  `${featuresName} is missing; shapes and types were inferred from the records`,
);

/** TFDS itself still reads its first form of features.json. */
const oldFeaturesFinding: Finding = {
  code: 'features_json_form_unknown',
  severity: 'warning',
  path: featuresName,
  message: `${featuresName} has an older format; shapes and types were inferred from the records`,
  advice: 'rewrite the dataset with a current TFDS version',
};

function splitFindings(info: DatasetInfo, { counts, missing }: Plan): Finding[] {
  const findings: Finding[] = [];
  for (const split of info.splits) {
    // Shards without records are never opened.
    const missingShards = missing.filter((row) => row.split === split.name && row.declared > 0);
    const declared = split.shard_lengths.reduce((sum, length) => sum + length, 0);
    if (missingShards.length > 0) {
      const missingEpisodes = missingShards.reduce((sum, row) => sum + row.declared, 0);
      findings.push(
        tfdsViolation(
          'shard_missing',
          missingShards[0].path,
          `${countPhrase(missingShards.length, `shards of the split ${split.name} are`, split.shard_lengths.length)} missing, with ${missingEpisodes} of its ${declared} episodes: ${missingShards[0].path}${missingShards.length > 1 ? ', …' : ''}`,
          {
            split: split.name,
            shards: missingShards.slice(0, 50).map(({ path }) => path),
            episodes: missingEpisodes,
          },
        ),
      );
    }
    const splitCounts = counts.filter(({ shard }) => shard.split === split.name);
    for (const { shard, records } of splitCounts)
      if (records !== null && records !== shard.declared)
        findings.push(countFinding(shard.path, shard.declared!, records, countsMatch(splitCounts)));
    const payload = splitCounts.reduce((sum, { payload_bytes }) => sum + (payload_bytes ?? 0), 0);
    const isComplete =
      missingShards.length === 0 &&
      splitCounts.every(
        ({ records, shard, payload_bytes }) => payload_bytes !== null && records === shard.declared,
      );
    if (isComplete && splitCounts.length > 0 && split.bytes !== null && split.bytes !== payload)
      findings.push(bytesFinding(split.name, split.bytes, payload));
  }
  const extra = counts.filter(({ shard }) => shard.split === null);
  if (extra.length > 0) findings.push(undeclaredFinding(extra.map(({ shard }) => shard.path)));
  return findings;
}

/**
 * Returns true if the shards of a split have as many records in total as declared; shards that were not counted are
 * assumed to match.
 */
function countsMatch(splitCounts: Plan['counts']): boolean {
  return (
    splitCounts.reduce(
      (sum, { records, shard }) => sum + (records ?? shard.declared!) - shard.declared!,
      0,
    ) === 0
  );
}

function countFinding(path: string, declared: number, found: number, splitFits: boolean): Finding {
  const code = splitFits ? 'shard_count_mismatch' : 'split_count_mismatch';
  const message = `${path} has ${found} records, but ${infoName} declares ${declared}`;
  return tfdsViolation(code, path, message, { declared, found });
}

function bytesFinding(split: string, declared: number, found: number): Finding {
  return {
    code: 'split_bytes_mismatch',
    severity: 'warning',
    path: infoName,
    message: `the records of the split ${split} have ${found} bytes, but numBytes is ${declared}`,
    advice: 'check that shards and dataset_info.json belong to the same version of the dataset',
    evidence: { split, declared, found },
  };
}

function undeclaredFinding(paths: readonly string[]): Finding {
  return tfdsViolation(
    'shard_undeclared',
    paths[0],
    `${paths.length === 1 ? 'a shard is' : `${paths.length} shards are`} not listed in ${infoName} but were read: ${paths.slice(0, 3).join(', ')}`,
  );
}

/** Reports float64 features: an Example has no doubles, so TFDS stores them as float32. */
function precisionFindings(leaves: readonly Leaf[]): Finding[] {
  const doubles = leaves.filter(({ dtype, encoding }) => dtype === 'float64' && encoding === 'none');
  if (doubles.length === 0) return [];
  const names = doubles.slice(0, 8).map(({ id }) => id);
  return [
    {
      code: 'precision_lost',
      severity: 'info',
      path: featuresName,
      message: `${names.join(', ')} ${doubles.length === 1 ? 'is' : 'are'} declared float64 but stored as float32, as in every TFRecord: only about seven digits remain`,
      advice: 'store timestamps and large numbers with the encoding bytes',
      evidence: { features: names },
    },
  ];
}

function rateFinding(info: DatasetInfo | null, known: KnownDataset | null): Finding {
  const rate = known?.rate ?? null;
  if (rate === null)
    return {
      code: 'rate_unknown',
      severity: 'info',
      path: null,
      message:
        'RLDS stores neither timestamps nor a rate, and no rate is known for a dataset with this name: checks that need seconds are skipped',
      advice: 'use the control rate of the recording when training; speeds depend on it',
    };
  return {
    code: 'rate_known_format',
    severity: 'info',
    path: null,
    message: `RLDS stores no rate; ${rate.hz} Hz is known for ${info?.name}: ${rate.reason}`,
    advice: 'check the rate if the dataset was resampled or renamed',
    evidence: { rate_hz: rate.hz, evidence: 'known_format' },
  };
}
