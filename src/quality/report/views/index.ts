/**
 * What the pages of the report and the web application show alike: typed, and without a page to stand on. The report has it as
 * the script `client/views.js`, which `npm run generate` writes; the web application bundles it.
 */
export {
  type CheckOutcome,
  checkRows,
  type IdleChecks,
  measuredInShort,
  scoredWeight,
} from './checks.ts';
export { type FlagGroup, flagGroups, type RaisedFlag, spread } from './flags.ts';
export { canonicalJson, checkSeal, type SealState } from './seal.ts';
export { type Decision, decisions, decisionWords, type GlyphName, glyphPaths } from './signs.ts';
export { count, duration, number, percent, plural, score, shortNumber, words } from './words.ts';
