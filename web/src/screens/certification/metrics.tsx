import type { CertificationMetricSummary } from '#client';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { measureText, spaced } from '../../components/words.ts';
import { VerdictBadge } from './verdict.tsx';

/** Table of the values observed in the episodes and the policy's thresholds, by metric. */
export function Metrics({ metrics }: { readonly metrics: readonly CertificationMetricSummary[] }) {
  return (
    <Panel title="Metrics" tally={metrics.length}>
      <DataTable
        caption="Policy metrics"
        columns={columns}
        rows={metrics}
        keyOf={({ metric }) => metric}
        none="The policy has no metrics."
      />
    </Panel>
  );
}

const columns: readonly Column<CertificationMetricSummary>[] = [
  {
    title: 'Metric',
    cell: ({ metric, title, need, formula }) => (
      <details>
        <summary>{title}</summary>
        <p className="faint">
          <code>{metric}</code>, {spaced(need)}
        </p>
        <p className="advice">{formula}</p>
      </details>
    ),
  },
  { title: 'Verdict', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
  {
    title: 'Min · median · max',
    number: true,
    cell: ({ observed, unit }) =>
      observed === null
        ? '–'
        : [observed.minimum, observed.median, observed.maximum]
            .map((value) => measureText(value, unit))
            .join(' · '),
  },
  {
    title: 'Ideal, review',
    number: true,
    cell: ({ direction, ideal, review, unit }) =>
      `${direction === 'lower_is_better' ? '≤' : '≥'} ${measureText(ideal, unit)}, ${measureText(review, unit)}`,
  },
  {
    title: 'Certified · review · not ready · no evidence',
    number: true,
    cell: ({ counts: { certified, review_required, not_ready, not_assessable } }) =>
      `${certified} · ${review_required} · ${not_ready} · ${not_assessable}`,
  },
  { title: 'Reason', wide: true, cell: ({ reason }) => reason },
];
