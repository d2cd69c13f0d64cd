import { strategyTitle } from '#core/titles';
import type { CurationResult } from '#quality/curation';
import { count, cutLine, grouped, printableName } from '../text.ts';
import { omittedLines } from './omitted-lines.ts';

/** Renders the effect of a curation plan: stages, dropped episodes with reasons, and totals before and after. */
export function renderCuration(
  { stages, kept, dropped, before, after, trims, boosts, plan_hash }: CurationResult,
  columns: number,
): string {
  const lines = [`${grouped(kept.length)} of ${count(before.episodes, 'episode')} kept`];
  for (const { stage, strategy, looked_at, dropped, not_assessable, trimmed, boosted, reasons } of stages) {
    const done = [
      `${grouped(dropped)} of ${grouped(looked_at)} dropped`,
      ...(trimmed > 0 ? [`${grouped(trimmed)} trimmed`] : []),
      ...(boosted > 0 ? [`${grouped(boosted)} with a higher sampling weight`] : []),
    ];
    lines.push(`  ${stage}. ${strategyTitle(strategy)}: ${done.join(', ')}`);
    if (not_assessable > 0)
      lines.push(
        `     ${count(not_assessable, 'episode')} not assessable, kept: ${printableName(reasons[0]?.reason ?? '')}`,
      );
  }
  lines.push(
    ...omittedLines(
      dropped.map(({ id, strategy, reason }) => ({ id, why: `${strategyTitle(strategy)}: ${reason}` })),
    ),
  );
  lines.push(`Time:    ${hours(before.duration_s)} before, ${hours(after.duration_s)} after`);
  lines.push(`Tasks:   ${countKnown(before.by_task)} before, ${countKnown(after.by_task)} after`);
  if (after.action_coverage.status === 'measured')
    lines.push(
      `Actions: ${after.action_coverage.covered} of ${after.action_coverage.of} regions of the action space remain covered`,
    );
  const marks = [Object.keys(trims).length, Object.keys(boosts).length];
  if (marks[0] > 0) lines.push(`Trims:   ${count(marks[0], 'episode')} with idle ends marked in the plan`);
  if (marks[1] > 0)
    lines.push(`Weights: ${count(marks[1], 'episode')} with a higher sampling weight in the plan`);
  lines.push(`Plan:    ${plan_hash}`);
  return `${lines.map((line) => cutLine(line, Math.max(columns, 80))).join('\n')}\n`;
}

const countKnown = (parts: readonly { readonly value: string | null }[]): number =>
  parts.filter(({ value }) => value !== null).length;

const hours = (seconds: number): string =>
  seconds < 3600 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(2)} h`;
