import type { EpisodeVerdict } from '#engine/local';
import { saysLess } from '#quality/report';
import { count, words } from '../words.ts';
import { wrap } from '../wrap.ts';
import { findingRank } from './finding-lines.ts';

const flagsShown = 4;
const flagRank = { blocking: 0, warning: 1, info: 2 } as const;
const findingsShown = 2;

/** What the files of an episode got wrong, then a line a flag: blocking ones first. */
export function whatWasSeen(verdict: EpisodeVerdict, width: number): string[] {
  return [...fileFaults(verdict, width), ...flagged(verdict, width)];
}

function fileFaults({ findings, flags }: EpisodeVerdict, width: number): string[] {
  const unsaid = findings.filter((finding) => !flags.some((flag) => saysLess(finding.message, flag.message)));
  const worst = unsaid.toSorted((a, b) => findingRank[a.severity] - findingRank[b.severity]);
  const shown = worst.length > findingsShown ? worst.slice(0, findingsShown - 1) : worst;
  const lines = shown.flatMap(({ code, severity, message }) =>
    wrap(message ?? words(code), Math.max(30, width - 2), '').map(
      (line, i) => (i > 0 ? '  ' : severity === 'blocking' ? '✗ ' : '! ') + line,
    ),
  );
  return shown.length < worst.length
    ? [...lines, `! and ${worst.length - shown.length} more that its receipt names`]
    : lines;
}

function flagged(verdict: EpisodeVerdict, width: number): string[] {
  const flags = [...verdict.flags].sort((a, b) => flagRank[a.severity] - flagRank[b.severity]);
  const lines = flags.slice(0, flagsShown).flatMap(({ code, severity, message }) => {
    const mark = severity === 'blocking' ? '✗ ' : severity === 'warning' ? '· ' : 'i ';
    const wrapped = wrap(
      `${words(code)}${message === null ? '' : `: ${message}`}`,
      Math.max(30, width - 2),
      '',
    );
    return wrapped.map((line, i) => (i === 0 ? mark : '  ') + line);
  });
  const unsaid = flags.length === 0 && verdict.findings.length === 0 && verdict.decision !== 'accept';
  if (unsaid && verdict.reason !== null) {
    return wrap(verdict.reason, Math.max(30, width), '');
  }
  const more = flags.length - flagsShown;
  return more > 0 ? [...lines, `· and ${count(more, 'more flag')}`] : lines;
}
