/** Titles of the curation strategies, by id. */
export const strategyTitles = {
  held_out: 'Evaluation hold-out',
  decision: 'Decision filter',
  score: 'Score threshold',
  flag: 'Flag filter',
  length: 'Length filter',
  exact_duplicate: 'Exact-duplicate removal',
  near_duplicate: 'Near-duplicate removal',
  outlier: 'Outlier removal',
  demonstration_information: 'Demonstration information (DemInf)',
  failure_boost: 'More weight near failures',
  balance: 'Group balancing',
  diversity: 'Diversity selection',
  random: 'Random subset',
  idle_trim: 'Idle trimming',
} as const;
