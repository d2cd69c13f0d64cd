export { episodesText, type Issue, saysLess } from './issue.ts';
export { issuesOf } from './issues.ts';
export type { Assessed, JudgedEpisode, OutputContext, OutputFormat } from './output.ts';
export { rangesText } from './ranges.ts';
export { outputFormats } from './registry.ts';
