import type { Consequence, ContractRule, Reader, ReaderFacts } from '../../shared/rule.ts';

/** Id of the LeRobot library for sets of v2.0 and v2.1. */
export const v21 = 'lerobot-0.3';
/** Id of the LeRobot library for sets of v3.0. */
export const v30 = 'lerobot-0.4';
/** Id of the loader of Physical Intelligence's openpi, which reads with a LeRobot of before 0.3. */
const openpi = 'openpi';
/** Id of the loader of NVIDIA's GR00T N1.6 and N1.7: indices select the frames, and timestamps are not read. */
export const gr00t = 'gr00t';
/** Id of the loader of NVIDIA's GR00T N1 and N1.5: timestamps select the frames. */
export const gr00tN15 = 'gr00t-n1.5';

/** Path of GR00T's division of state, action, cameras and annotations into named parts. */
export const modalityPath = 'meta/modality.json';

/**
 * Default of the library's `tolerance_s` in both versions: largest accepted time difference of a frame or timestamp,
 * in seconds.
 */
export const tolerance_s = 1e-4;

/**
 * Returns the rule with its consequences for openpi added, which are those of the LeRobot that openpi reads with
 * (v2.1); unchanged if it has none.
 */
export function withOpenpi<Rule extends ContractRule>(rule: Rule): Rule {
  const consequence = rule.consequences[v21];
  if (consequence === undefined) return rule;
  return { ...rule, consequences: { ...rule.consequences, [openpi]: consequence } };
}

/** Returns the consequences of a rule that has the same one for LeRobot v2.1 and v3.0. */
export const sameInBoth = (consequence: Consequence) => ({ [v21]: consequence, [v30]: consequence });

const isOf = (major: 'v2' | 'v3', { version }: ReaderFacts) => version?.startsWith(major) === true;

/** Refuses datasets of the other major version; an unknown version is not refused here. */
const refusesVersion = (title: string, other: 'v2' | 'v3') => (facts: ReaderFacts) =>
  isOf(other, facts)
    ? { rule: 'version_unsupported', message: `${title} does not read datasets of version ${facts.version}` }
    : null;

const refusesWithoutModality = (title: string) => (facts: ReaderFacts) =>
  refusesVersion(title, 'v3')(facts) ??
  (facts.prepared_for === undefined
    ? {
        rule: 'modality_missing',
        message: `${modalityPath} not found: ${title} cannot divide state and action`,
      }
    : null);

/** Loaders of LeRobot sets. GR00T: with a modality config that uses every part that meta/modality.json names. */
export const lerobotReaders: readonly Reader[] = [
  { id: v21, title: 'LeRobot v2.1', release: '0.3.3', refuses: refusesVersion('LeRobot v2.1', 'v3') },
  { id: v30, title: 'LeRobot v3.0', release: '0.4.4', refuses: refusesVersion('LeRobot v3.0', 'v2') },
  {
    id: openpi,
    title: 'openpi',
    release:
      'Physical-Intelligence/openpi, commit 15a9616 (2026-06-15), src/openpi/training/data_loader.py, with a config whose mapping names features of the dataset; it reads with LeRobot at commit 0cf8648 (2025-05-28), whose reading code is that of 0.3.3',
    refuses: refusesVersion('openpi', 'v3'),
  },
  {
    id: gr00t,
    title: 'GR00T N1.7',
    release:
      'NVIDIA/Isaac-GR00T, commits 4e62473 (N1.6, 2025-12-15) and 23ace64 (N1.7, 2026-04-17), gr00t/data/dataset/lerobot_episode_loader.py and stats.py as training calls them, with a modality config that uses every part named in meta/modality.json',
    marker: modalityPath,
    refuses: refusesWithoutModality('GR00T N1.7'),
  },
  {
    id: gr00tN15,
    title: 'GR00T N1.5',
    release:
      'NVIDIA/Isaac-GR00T, commit d598400 (2025-07-11), LeRobotSingleDataset in gr00t/data/dataset.py, with a modality config that uses every part named in meta/modality.json',
    refuses: refusesWithoutModality('GR00T N1.5'),
  },
];

/**
 * Returns the id of the loader for a set: v3.0 of LeRobot unless the version is v2; for v2 GR00T's if the set is
 * prepared for it, else v2.1 of LeRobot.
 */
export function lerobotReaderOf(facts: ReaderFacts): string {
  if (!isOf('v2', facts)) return v30;
  return facts.prepared_for ?? v21;
}
