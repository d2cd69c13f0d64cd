import type { Issue } from './issue.ts';
import { IssueTally, type Said } from './issue-tally.ts';
import type { JudgedEpisode, OutputContext } from './output.ts';

/** Flags and findings of all episodes, each code once a dataset: most episodes first. */
export function issuesOf(verdicts: readonly JudgedEpisode[], flags: OutputContext['flags']): Issue[] {
  const tally = new IssueTally();
  for (const verdict of verdicts) tally.add(verdict.dataset, verdict.index, saidOf(verdict, flags));
  return tally.list();
}

function saidOf(verdict: JudgedEpisode, flags: OutputContext['flags']): Said[] {
  return [
    ...verdict.flags.map(({ code, severity, message }) => ({
      ...{ code, severity, message, source: 'flag' as const },
      advice: flags.get(code)?.advice ?? '',
    })),
    ...verdict.findings.map((finding) => ({ ...finding, source: 'finding' as const })),
  ];
}
