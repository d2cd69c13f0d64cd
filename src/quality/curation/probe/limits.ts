export const whyAccepted =
  'the same accepted episodes are held out for every subset: rejected ones are no measure of right actions, and those of a plan would favour the plan';

const seesOne = 'they see one row, without history';
const seesHistory = (window: number): string =>
  `they see ${window} rows of state: the moment's and those of the moments sampled before it, a sixty-fourth of the episode apart, so that history is coarser in longer episodes and tells no velocity; before the first moment stands the first again`;

/** What a probe does not say. */
export const probeLimits = (window: number): readonly string[] => [
  'this is a probe, not a robot: small policies predict recorded actions from recorded states; they see no pictures, move nothing, and say nothing of success at a task',
  `${window === 1 ? seesOne : seesHistory(window)}; up to 64 moments of an episode, and up to 64 dimensions of states and of actions`,
  'at most 10,000 rows train on a fold and 4,000 are held out in all, drawn by the seed',
  'subsets differ in size, and more episodes alone can lower the error',
  'intervals tell the chance of which episodes were held out, not of which ones trained',
  'where actions follow states closely, such as positions, every subset predicts well: compare subsets with each other, not with 0',
  'exact copies of a held-out episode never train; near copies can',
];
