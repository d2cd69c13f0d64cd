import { counted } from '#core';
import type { Finding } from '#core/episode';
import { type DatasetInfo, featuresName, infoName } from './dataset-info.ts';
import type { Leaf } from './feature-tree.ts';
import type { KnownDataset } from './known-datasets.ts';
import type { Plan } from './plan.ts';
import { tfdsBreach } from './rules.ts';

/** What the set's own files say against what is there; `ofOldForm`: features.json is there, whatever it says. */
export function setFindings(
  info: DatasetInfo | null,
  leaves: readonly Leaf[] | null,
  known: KnownDataset | null,
  plan: Plan,
  ofOldForm: boolean,
): Finding[] {
  return [
    ...(info === null ? [noInfo] : splitFindings(info, plan)),
    ...(leaves !== null ? precisionFindings(leaves) : [ofOldForm ? oldFeatures : noFeatures]),
    rateFinding(info, known),
  ];
}

const noInfo = tfdsBreach(
  'dataset_info_missing',
  infoName,
  `there is no ${infoName} of TFDS: missing shards or episodes cannot be detected`,
);

const noFeatures = tfdsBreach(
  'features_json_missing',
  featuresName,
  `there is no ${featuresName}: shapes and kinds were taken from the records themselves`,
);

/** TFDS itself still reads the form that it wrote first. */
const oldFeatures: Finding = {
  code: 'features_json_form_unknown',
  severity: 'warning',
  path: featuresName,
  message: `${featuresName} has an older form: shapes and kinds were taken from the records themselves`,
  advice: 'let TFDS write the set again',
};

function splitFindings(info: DatasetInfo, { counts, missing }: Plan): Finding[] {
  const findings: Finding[] = [];
  for (const split of info.splits) {
    // A shard without records is not opened.
    const absent = missing.filter((row) => row.split === split.name && row.declared > 0);
    const declared = split.shard_lengths.reduce((sum, length) => sum + length, 0);
    if (absent.length > 0) {
      const lost = absent.reduce((sum, row) => sum + row.declared, 0);
      findings.push(
        tfdsBreach(
          'shard_missing',
          absent[0].path,
          `${counted(absent.length, `shards of the split ${split.name} are`, split.shard_lengths.length)} not there, with ${lost} of its ${declared} episodes: ${absent[0].path}${absent.length > 1 ? ', …' : ''}`,
          { split: split.name, shards: absent.slice(0, 50).map(({ path }) => path), episodes: lost },
        ),
      );
    }
    const own = counts.filter(({ shard }) => shard.split === split.name);
    for (const { shard, records } of own)
      if (records !== null && records !== shard.declared)
        findings.push(countFinding(shard.path, shard.declared!, records, amounts(own)));
    const payload = own.reduce((sum, { payload_bytes }) => sum + (payload_bytes ?? 0), 0);
    const whole =
      absent.length === 0 &&
      own.every(({ records, shard, payload_bytes }) => payload_bytes !== null && records === shard.declared);
    if (whole && own.length > 0 && split.bytes !== null && split.bytes !== payload)
      findings.push(bytesFinding(split.name, split.bytes, payload));
  }
  const extra = counts.filter(({ shard }) => shard.split === null);
  if (extra.length > 0) findings.push(undeclaredFinding(extra.map(({ shard }) => shard.path)));
  return findings;
}

/** Whether the shards hold together as many records as declared; those that nobody walked fit. */
function amounts(own: Plan['counts']): boolean {
  return (
    own.reduce((sum, { records, shard }) => sum + (records ?? shard.declared!) - shard.declared!, 0) === 0
  );
}

function countFinding(path: string, declared: number, found: number, splitFits: boolean): Finding {
  const code = splitFits ? 'shard_count_mismatch' : 'split_count_mismatch';
  const message = `${path} holds ${found} records; ${infoName} declares ${declared}`;
  return tfdsBreach(code, path, message, { declared, found });
}

function bytesFinding(split: string, declared: number, found: number): Finding {
  return {
    code: 'split_bytes_mismatch',
    severity: 'warning',
    path: infoName,
    message: `the records of the split ${split} are ${found} bytes; numBytes says ${declared}`,
    advice: 'check that shards and dataset_info.json are of the same version of the set',
    evidence: { split, declared, found },
  };
}

function undeclaredFinding(paths: readonly string[]): Finding {
  return tfdsBreach(
    'shard_undeclared',
    paths[0],
    `${paths.length === 1 ? 'a shard is' : `${paths.length} shards are`} not named by ${infoName} and read all the same: ${paths.slice(0, 3).join(', ')}`,
  );
}

/** An Example has no doubles: TFDS writes float64 as float32. */
function precisionFindings(leaves: readonly Leaf[]): Finding[] {
  const wide = leaves.filter(({ dtype, encoding }) => dtype === 'float64' && encoding === 'none');
  if (wide.length === 0) return [];
  const names = wide.slice(0, 8).map(({ id }) => id);
  return [
    {
      code: 'precision_lost',
      severity: 'info',
      path: featuresName,
      message: `${names.join(', ')} ${wide.length === 1 ? 'is' : 'are'} declared float64 and stored as float32, as every TFRecord does: seven digits are left`,
      advice: 'store times and large numbers with the encoding bytes',
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
        'RLDS keeps neither times nor a rate, and none is known of a data set of this name: nothing in seconds is judged',
      advice: 'say the rate of control when training; speeds depend on it',
    };
  return {
    code: 'rate_known_format',
    severity: 'info',
    path: null,
    message: `RLDS keeps no rate; ${rate.hz} Hz is known of ${info?.name}: ${rate.reason}`,
    advice: 'check it where the set was resampled or renamed',
    evidence: { rate_hz: rate.hz, evidence: 'known_format' },
  };
}
