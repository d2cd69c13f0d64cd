import { kindTitles, requirementTitles, targetTitles, useCaseTitles } from './catalog.ts';
import { checkTitles } from './checks.ts';
import { findingTitles } from './findings.ts';
import { flagTitles } from './flags.ts';
import { layerTitles } from './layers.ts';
import { metricTitles } from './metrics.ts';
import { strategyTitles } from './strategies.ts';

const spellings = new Map(
  [
    'COCO',
    'CRC',
    'CSV',
    'FPS',
    'GNSS',
    'HDF5',
    'ID',
    'JSON',
    'KITTI',
    'LFS',
    'MCAP',
    'nuScenes',
    'OXTS',
    'YAML',
    'YOLO',
    'ZIP',
  ].map((word) => [word.toLowerCase(), word]),
);

/**
 * Formats an id as words, split at `_` and `-` and with the spellings of known abbreviations: `tasks_without_index` →
 * `Tasks without index`.
 */
export function sentenceCase(id: string): string {
  const [first, ...rest] = id.split(/[_-]/);
  const start = spellings.get(first) ?? first.charAt(0).toUpperCase() + first.slice(1);
  return [start, ...rest.map((word) => spellings.get(word) ?? word)].join(' ');
}

const lookup =
  (...tables: readonly Readonly<Record<string, string>>[]) =>
  (id: string): string => {
    const table = tables.find((titles) => Object.hasOwn(titles, id));
    return table === undefined ? sentenceCase(id) : table[id];
  };

/** Returns the title of a readiness check. */
export const checkTitle = lookup(checkTitles);
/** Returns the title of a flag, a finding or a loader rule. */
export const codeTitle = lookup(flagTitles, findingTitles);
/** Returns the title of a certification metric. */
export const metricTitle = lookup(metricTitles);
/** Returns the title of an annotation layer. */
export const layerTitle = lookup(layerTitles);
/** Returns the title of a curation strategy. */
export const strategyTitle = lookup(strategyTitles);
/** Returns the title of a use case. */
export const caseTitle = lookup(useCaseTitles);
/** Returns the title of a training target. */
export const targetTitle = lookup(targetTitles);
/** Returns the title of a requirement of a training target. */
export const requirementTitle = lookup(requirementTitles);
/** Returns the title of a kind of data. */
export const kindTitle = lookup(kindTitles);
