import { stringify } from 'yaml';
import type { CertificationReport } from '#core/api';
import { measureText } from '#core/titles';
import { coverageText } from './render-report.ts';

/** Size categories of the Hugging Face hub: exclusive upper limit in episodes, and name. */
const sizes = [
  [1e3, 'n<1K'],
  [1e4, '1K<n<10K'],
  [1e5, '10K<n<100K'],
  [1e6, '100K<n<1M'],
  [Number.POSITIVE_INFINITY, 'n>1M'],
] as const;

/**
 * Renders a Hugging Face dataset card (Markdown with YAML front matter): certification results and how to verify
 * them.
 */
export function renderDatasetCard({ report, title, bundle }: SealedReport): string {
  const { verdict, coverage, dataset, policy } = report;
  const front = {
    pretty_name: title,
    task_categories: ['robotics'],
    tags: ['assay', ...dataset.formats.map((format) => (format === 'lerobot' ? 'LeRobot' : format))],
    size_categories: [sizes.find(([most]) => dataset.episodes < most)?.[1] ?? 'n>1M'],
    certification: {
      verdict,
      coverage: coverage.share,
      target: policy.target,
      policy_sha256: policy.policy_hash,
      report_sha256: report.content_hash,
      bundle_sha256: bundle.sha256,
      signed_by: bundle.keyid,
    },
  };
  return `---
${stringify(front)}---

# ${title}

${dataset.episodes} episodes, ${Math.round(dataset.duration_s)} s. Certification for \`${policy.target}\`: **${verdict}** (${report.reason}).
Coverage${coverage.share === null ? '' : ` ${coverage.share}`}: ${coverageText(report)}.

| Metric | Verdict | Median | Ideal threshold | Review threshold |
|---|---|---|---|---|
${report.metrics.map(renderMetricRow).join('\n')}

## Limits

${report.limits.map((limit) => `- ${limit}`).join('\n')}

## Verify

\`\`\`sh
assay verify bundle.zip --key ${bundle.keyid}
\`\`\`

\`bundle.zip\` (SHA-256 \`${bundle.sha256}\`) contains the signed report, its policy and all receipts. It contains no recordings.
The owner of the recordings should state their licence here, and whether they show people.
`;
}

function renderMetricRow({
  metric,
  verdict,
  observed,
  ideal,
  review,
  unit,
}: CertificationReport['metrics'][number]): string {
  return `| ${metric} | ${verdict} | ${observed === null ? '–' : measureText(observed.median, unit)} | ${measureText(ideal, unit)} | ${measureText(review, unit)} |`;
}

/** Report with the bundle that it was sealed into. */
export interface SealedReport {
  readonly report: CertificationReport;
  /** Title of the dataset. */
  readonly title: string;
  readonly bundle: { readonly sha256: string; readonly bytes: number; readonly keyid: string };
}
