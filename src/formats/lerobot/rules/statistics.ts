import { type ContractRule, refusesSet, showsWrong, trainsWorse, trainsWrong } from '../../shared/rule.ts';
import { sameInBoth, v21, v30 } from './readers.ts';

/** Rules for the statistics that training normalises with. */
export const statisticsRules = [
  {
    id: 'episode_stats_stale',
    holds: 'min, max, mean, std and count of an episode match its rows.',
    on: 'episode',
    fix: true,
    // v2.1 normalises every sample with the pooled values; v3.0 pools them only when sets are merged or split.
    consequences: { [v21]: { reader: 'loads', severity: 'blocking' }, [v30]: trainsWorse },
    advice: 'Recompute the statistics of the episode from its rows, then those of the dataset.',
    peers: ['robovet STATS-302', 'robovet META-503'],
  },
  {
    id: 'episode_stats_malformed',
    holds:
      'Every statistics entry of an episode has min, max, mean, std and count; entries of cameras have the shape [3, 1, 1].',
    on: 'episode',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: trainsWorse },
    advice: 'Recompute the statistics of the episode with LeRobot.',
  },
  {
    id: 'episode_stats_missing',
    holds: 'If any episode has statistics, all episodes have them.',
    on: 'episode',
    fix: true,
    consequences: { [v21]: trainsWorse, [v30]: showsWrong },
    advice: 'Compute the statistics of the episode: otherwise the dataset statistics do not include it.',
  },
  {
    id: 'set_stats_wrong',
    holds: 'min, max, mean and std of state and action match the rows of the dataset.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Recompute meta/stats.json: training normalises every sample with it.',
    peers: ['robovet STATS-303'],
  },
  {
    id: 'unused_stats_wrong',
    holds: 'Statistics that training does not use match the rows as well.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(showsWrong),
    advice: 'Recompute meta/stats.json before you use a tool that reads it.',
  },
  {
    id: 'stats_missing',
    holds: 'The dataset has the statistics file that its version requires.',
    on: 'dataset',
    fix: true,
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice: 'Compute the statistics from the data.',
    peers: ['robovet STATS-301', 'doctor Data Distribution', 'doctor Training Readiness'],
  },
  {
    id: 'stats_incomplete',
    holds: 'The statistics have an entry for every state and action, with mean, std, min and max.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics of every feature: features without an entry are not normalised.',
    peers: ['doctor Data Distribution', 'doctor Training Readiness'],
  },
  {
    id: 'camera_stats_missing',
    holds: 'If any camera has statistics, all cameras have them.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics of every camera: training otherwise stops with a KeyError.',
    peers: ['doctor Data Distribution'],
  },
  {
    id: 'camera_stats_none',
    holds: 'The cameras have statistics.',
    on: 'dataset',
    fix: true,
    // Training stops before its first step and names the camera, so nothing is trained wrongly.
    consequences: sameInBoth(showsWrong),
    advice: 'Compute the camera statistics, or train with --dataset.use_imagenet_stats=false.',
  },
  {
    id: 'stats_not_a_number',
    holds: 'Every statistic is a finite number.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Recompute the statistics: NaN makes every loss NaN.',
  },
  {
    id: 'stats_std_zero',
    holds: 'std is 0 only where min equals max.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice: 'Recompute the statistics: where std is 0, values are divided by 1e-8.',
    peers: ['doctor Training Readiness'],
  },
  {
    id: 'stats_dimension_constant',
    holds: 'Every dimension of state and action changes at least once in the dataset.',
    on: 'dataset',
    consequences: sameInBoth(showsWrong),
    advice:
      'No action needed for a joint that is never used. Normalisation divides by 1e-8 here, so drop the dimension if its values are noisy.',
    peers: [
      'robovet DATA-108',
      'doctor Training Readiness',
      'doctor Data Distribution',
      'doctor Anomaly Detection',
    ],
  },
  {
    id: 'stats_quantiles_wrong',
    holds: 'Quantiles increase with their level and lie between min and max.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWrong),
    advice:
      'Recompute the quantiles: policies that normalise by q01 and q99 otherwise invert or stretch the values.',
    peers: ['robovet STATS-304'],
  },
  {
    id: 'stats_quantiles_equal',
    holds: 'q01 and q99 differ wherever min and max differ.',
    on: 'dataset',
    // Averaging over episodes makes them equal if a dimension changes only between episodes; policies that scale by quantiles divide by 1e-8.
    consequences: sameInBoth(showsWrong),
    advice:
      'Normalise by min and max: the dimension rarely moves, and quantile normalisation divides by q99 − q01, which is 0.',
  },
  {
    id: 'stats_quantiles_absent',
    holds: 'The statistics include q01 and q99.',
    on: 'dataset',
    fix: true,
    consequences: { [v30]: showsWrong },
    advice: 'Add them with LeRobot’s augment_dataset_quantile_stats before training a policy that uses them.',
  },
  {
    id: 'picture_stats_scale',
    holds: 'Camera statistics are scaled to 0..1.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWorse),
    advice: 'Divide the camera statistics by 255, or recompute them.',
  },
  {
    id: 'picture_stats_wrong',
    holds: 'The mean of a camera matches the brightness of its images.',
    on: 'dataset',
    fix: true,
    consequences: sameInBoth(trainsWorse),
    advice:
      'Recompute the statistics of the camera; check whether those of another camera were stored by mistake.',
  },
] as const satisfies readonly ContractRule[];
