/**
 * Titles of everything that has an id and a name for people. An id has one title, used by the CLI, the reports, the web
 * application, the API and the docs. Imports nothing, so that browsers can load it.
 */

export { kindTitles, requirementTitles, targetTitles, useCaseTitles } from './catalog.ts';
export { checkTitles, comparisonTitles } from './checks.ts';
export { findingTitles } from './findings.ts';
export { flagTitles } from './flags.ts';
export { layerTitles } from './layers.ts';
export { measureText, unitLabel } from './measure-text.ts';
export { metricTitles } from './metrics.ts';
export { strategyTitles } from './strategies.ts';
export {
  caseTitle,
  checkTitle,
  codeTitle,
  kindTitle,
  layerTitle,
  metricTitle,
  requirementTitle,
  sentenceCase,
  strategyTitle,
  targetTitle,
} from './title-of.ts';
