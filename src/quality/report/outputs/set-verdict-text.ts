import type { Assessment } from '#core/api';
import type { Finding } from '#core/episode';
import { describeSetVerdict, setVerdictTitles } from '../views/set-verdict.ts';
import type { OutputAssessment } from './output.ts';

/** Describes the verdict on everything under the assessed path in one line, as `describeSetVerdict` does. */
export function describeOverall({
  datasets,
  usability,
  verdicts,
  decisions,
  unreadable,
}: Pick<OutputAssessment, 'datasets' | 'usability' | 'verdicts' | 'decisions' | 'unreadable'>): string {
  const loader = datasets.length === 1 ? (datasets[0].loads?.reader ?? null) : null;
  return describeSetVerdict(
    usability,
    { all: verdicts.length + unreadable, to_review: decisions.review },
    loader,
  );
}

/** Returns the verdict of an assessment's summary with its title and its description in one line. */
export function describeSummary({
  usability,
  parts,
  episodes,
  unreadable,
  decisions,
}: Assessment['dataset']) {
  const loader = parts.length === 1 ? (parts[0].loads?.reader ?? null) : null;
  const { verdict } = usability;
  return {
    verdict,
    title: setVerdictTitles[verdict],
    text: describeSetVerdict(usability, { all: episodes + unreadable, to_review: decisions.review }, loader),
  };
}

/**
 * Returns the verdict on a dataset as one finding of severity `error`; an empty list if the dataset is usable as it
 * is.
 */
export function unusableFinding({
  usability,
  episodes,
  unreadable,
  decisions,
  loads,
}: OutputAssessment['datasets'][number]): Finding[] {
  const { verdict } = usability;
  if (verdict === 'usable') return [];
  const counts = { all: episodes + unreadable, to_review: decisions.review };
  const message = describeSetVerdict(usability, counts, loads?.reader ?? null);
  return [{ code: `set_${verdict}`, severity: 'error', path: null, message, advice: '' }];
}
