export { episodesText, type Issue, issuesOf, saysLess } from './issues.ts';
export type { Assessed, JudgedEpisode, OutputContext, OutputFormat } from './output.ts';
export { rangesText } from './ranges.ts';
export { outputFormats } from './registry.ts';
