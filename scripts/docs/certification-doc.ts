import { targetProfileIds } from '#core/api';
import { defaultPolicy, metrics } from '#quality/certification';

/** docs/certification.md: what a report says, how it is decided, and every metric. */
export function certificationDoc(notice: string): string {
  const policies = targetProfileIds.map((target) => defaultPolicy(target));
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const needs = metrics.rows.map(
    ({ id }) =>
      `| \`${id}\` | ${policies.map((policy) => marks[policy.metrics.find(({ metric }) => metric === id)?.need ?? 'advisory']).join(' | ')} |`,
  );
  const sections = metrics.rows.map(
    ({ id, title, unit, direction, formula, inputs, boundaries }) => `### ${title}

| | |
|---|---|
| id | \`${id}\` |
| formula | ${cell(formula)} |
| inputs | ${cell(inputs)} |
| unit | ${unit}, ${direction.replaceAll('_', ' ')} |
| ideal, review threshold | ${boundaries.ideal}, ${boundaries.review}; ${100 * boundaries.allowed_share} % of the episodes may miss the review threshold |
| source of the thresholds | ${cell(boundaries.source)} |
`,
  );
  return `${notice}

# Certification

\`assay certify PATH --target ID --out DIR\` measures recordings like \`assess\`, compares them with a policy and writes
\`report.json\`, \`report.html\`, \`policy.json\` and the receipts. The verdict states whether the evidence is sufficient for a
training target. It copies no media and changes no recording. Exit code 0: certified; 1: any other verdict.

## Verdicts

A metric observes a value in an episode, or gives the reason why there is none. The value is compared with two thresholds:

| verdict | meaning for one episode and metric |
|---|---|
| \`certified\` | meets the ideal threshold |
| \`review_required\` | between the two thresholds, or the evidence is too weak to decide (confidence \`low\`), whatever the value |
| \`not_ready\` | beyond the review threshold |
| \`not_assessable\` | no evidence, with the reason; never counted as zero or as a pass |

Verdict of a metric over n episodes, s of them with evidence, with allowed share a: \`not_ready\` if more than a · s episodes are
beyond the review threshold; otherwise \`not_assessable\` if more than a · n are beyond it or without evidence; otherwise
\`review_required\` if any episode is not certified; otherwise \`certified\`.

Verdict of the dataset: \`not_ready\` if any counted metric is; otherwise \`not_assessable\` if no counted metric has evidence, or a
required one has none; otherwise \`review_required\` if any counted metric is; otherwise \`certified\`. Removing evidence from
episodes therefore never improves a verdict ([decision record 43](decisions/0043-missing-evidence-in-verdicts.md)).

Report, policy and receipts are also written to a signed \`bundle.zip\`, which anyone can verify offline
([bundles.md](bundles.md)).

**Coverage** is the share of the decisions of required metrics, one per episode and metric, that had evidence. It does not measure
data quality; beside it, \`evidence\` gives the same share over all counted metrics. Neither verdict nor coverage predicts the
performance of a model.

Confidence is \`high\` if all data was measured or a peak is clear, \`medium\` if frames were sampled or the evidence is
indirect, and \`low\` if the decision requires a review.

## Policies

A policy has a target and, for each metric, its need, both boundaries with unit and direction, the share of the episodes
that may miss the review threshold, and the source of the thresholds. Policies are immutable: changed content is another policy with
another hash (SHA-256 of its canonical JSON without version and hash; metrics in the order below). \`assay certify\` writes
the policy that it used; to change it, remove \`version\` and \`policy_hash\` from a copy, edit it, and pass it with
\`--policy FILE\`.

- \`required\`: every episode must have evidence.
- \`if_present\`: if one episode has evidence, all must have it. If none has, only \`evidence\` decreases.
- \`advisory\`: measured and shown, but never counted. Captions and annotation layers that Assay made are judged only if
  the metric is \`required\`; labels in recordings always are.

Default need of each metric by target (● required, ○ if present, · advisory):

| metric | ${targetProfileIds.join(' | ')} |
|---|${targetProfileIds.map(() => '---').join('|')}|
${needs.join('\n')}

## Metrics

Metrics are computed from receipts without measuring again; the \`facts\` of a receipt exist for them.

${sections.join('\n')}`;
}

const marks = { required: '●', if_present: '○', advisory: '·' } as const;
