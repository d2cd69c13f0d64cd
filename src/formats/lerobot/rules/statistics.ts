import { type ContractRule, refusesSet, showsWrong, trainsWorse, trainsWrong } from '../../shared/rule.ts';
import { sameInBoth, v21, v30 } from './readers.ts';

/** Rules for the statistics that training normalises with. */
export const statisticsRules = [
  {
    id: 'episode_stats_stale',
    holds: "min, max, mean, std and count of an episode are those of the episode's own rows.",
    on: 'episode',
    // v2.1 normalises every sample with the pooled values; v3.0 pools them only when sets are merged or split.
    consequences: { [v21]: { reader: 'loads', severity: 'blocking' }, [v30]: trainsWorse },
    advice: "Compute the episode's statistics again from its rows, then those of the set.",
    peers: ['robovet STATS-302', 'robovet META-503'],
  },
  {
    id: 'episode_stats_malformed',
    holds:
      'Every entry of an episode has min, max, mean, std and count; those of pictures have the shape [3, 1, 1].',
    on: 'episode',
    consequences: { [v21]: refusesSet, [v30]: trainsWorse },
    advice: "Compute the episode's statistics again with the library.",
  },
  {
    id: 'episode_stats_missing',
    holds: 'Where episodes have statistics, every episode has them.',
    on: 'episode',
    consequences: { [v21]: trainsWorse, [v30]: showsWrong },
    advice: "Compute the episode's statistics: without them the set's statistics leave it out.",
  },
  {
    id: 'set_stats_wrong',
    holds: 'min, max, mean and std of state and action are those of all rows of the set.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute meta/stats.json again: training normalises every sample with it.',
    peers: ['robovet STATS-303'],
  },
  {
    id: 'unused_stats_wrong',
    holds: 'Statistics that training does not use agree with the rows too.',
    on: 'dataset',
    consequences: sameInBoth(showsWrong),
    advice: 'Compute meta/stats.json again before you use a tool that reads it.',
  },
  {
    id: 'stats_missing',
    holds: 'The set has the statistics file of its version.',
    on: 'dataset',
    consequences: { [v21]: refusesSet, [v30]: trainsWrong },
    advice: 'Compute the statistics from the data.',
    peers: ['robovet STATS-301', 'doctor Data Distribution', 'doctor Training Readiness'],
  },
  {
    id: 'stats_incomplete',
    holds: 'The statistics have an entry for every state and action, with mean, std, min and max.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics of every feature: a feature without an entry is not normalised.',
    peers: ['doctor Data Distribution', 'doctor Training Readiness'],
  },
  {
    id: 'camera_stats_missing',
    holds: 'Where one camera has statistics, every camera has them.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics of every camera: training stops with a KeyError without them.',
    peers: ['doctor Data Distribution'],
  },
  {
    id: 'camera_stats_none',
    holds: 'The cameras have statistics.',
    on: 'dataset',
    // Training stops before its first step and names the camera, so nothing is trained wrongly.
    consequences: sameInBoth(showsWrong),
    advice: 'Compute them, or train with --dataset.use_imagenet_stats=false.',
  },
  {
    id: 'stats_not_a_number',
    holds: 'Every statistic is a finite number.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics again: NaN makes every loss NaN.',
  },
  {
    id: 'stats_std_zero',
    holds: 'std is 0 only where min equals max.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the statistics again: values are divided by 1e-8 where std is 0.',
    peers: ['doctor Training Readiness'],
  },
  {
    id: 'stats_dimension_constant',
    holds: 'Every dimension of state and action moves somewhere in the set.',
    on: 'dataset',
    consequences: sameInBoth(showsWrong),
    advice:
      'Fine for a joint that is never used. Normalising divides it by 1e-8, so leave it out if its values are noisy.',
    peers: [
      'robovet DATA-108',
      'doctor Training Readiness',
      'doctor Data Distribution',
      'doctor Anomaly Detection',
    ],
  },
  {
    id: 'stats_quantiles_wrong',
    holds: 'Quantiles rise with their level and lie between min and max.',
    on: 'dataset',
    consequences: sameInBoth(trainsWrong),
    advice: 'Compute the quantiles again: policies that scale by q01 and q99 invert or stretch the values.',
    peers: ['robovet STATS-304'],
  },
  {
    id: 'stats_quantiles_equal',
    holds: 'q01 and q99 differ where min and max do.',
    on: 'dataset',
    // Averaging over episodes makes them equal if a dimension changes only between episodes; policies that scale by quantiles divide by 1e-8.
    consequences: sameInBoth(showsWrong),
    advice:
      'Normalise by min and max: the dimension hardly ever moves, and scaling by quantiles divides by q99 − q01.',
  },
  {
    id: 'stats_quantiles_absent',
    holds: 'The statistics have q01 and q99.',
    on: 'dataset',
    consequences: { [v30]: showsWrong },
    advice:
      'Add them with the library’s augment_dataset_quantile_stats before training a policy that uses them.',
  },
  {
    id: 'picture_stats_scale',
    holds: 'Statistics of pictures are on the scale from 0 to 1.',
    on: 'dataset',
    consequences: sameInBoth(trainsWorse),
    advice: 'Divide them by 255, or compute them again.',
  },
  {
    id: 'picture_stats_wrong',
    holds: 'The mean of a camera is about as bright as its pictures.',
    on: 'dataset',
    consequences: sameInBoth(trainsWorse),
    advice: "Compute the camera's statistics again; check whether another camera's were stored.",
  },
] as const satisfies readonly ContractRule[];
