/**
 * Presentation helpers shared by the report's pages and the web application, independent of a page. The
 * report loads them as the script `client/shared.js`, which `npm run generate` writes; the web application
 * bundles them.
 */

export {
  caseTitle,
  checkTitle,
  codeTitle,
  kindTitle,
  layerTitle,
  measureText,
  metricTitle,
  requirementTitle,
  sentenceCase,
  strategyTitle,
  targetTitle,
  unitLabel,
} from '#core/titles';
export {
  count,
  type Decision,
  decisions,
  decisionWords,
  duration,
  type GlyphName,
  glyphPaths,
  number,
  percent,
  plural,
  score,
  shortNumber,
  words,
} from './labels.ts';
export {
  type CheckOutcome,
  checkRows,
  type FlagGroup,
  flagGroups,
  type IdleChecks,
  measuredInShort,
  type RaisedFlag,
  reasonText,
  scoredWeight,
  spread,
} from './outcomes.ts';
export { canonicalJson, checkSeal, type SealState } from './seal.ts';
export { describeSetVerdict } from './set-verdict.ts';
