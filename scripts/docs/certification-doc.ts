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
    ({ id, title, unit, direction, formula, inputs, boundaries }) => `### \`${id}\`: ${title}

| | |
|---|---|
| formula | ${cell(formula)} |
| inputs | ${cell(inputs)} |
| unit | ${unit}, ${direction.replaceAll('_', ' ')} |
| ideal, review boundary | ${boundaries.ideal}, ${boundaries.review}; ${100 * boundaries.allowed_share} % of the episodes may lie beyond |
| source of the boundaries | ${cell(boundaries.source)} |
`,
  );
  return `${notice}

# Certification

\`assay certify PATH --target ID --out DIR\` measures recordings as \`assess\` does, holds them against a policy and writes
\`report.json\`, \`report.html\`, \`policy.json\` and the receipts. It answers whether the evidence suits a named training
target. It copies no media and changes no recording. Exit 0: certified; 1: any other verdict.

## Verdicts

A metric observes a number in an episode, or says why there is none. The number is held against two boundaries:

| verdict | of an episode and a metric |
|---|---|
| \`certified\` | within the ideal boundary |
| \`review_required\` | between the boundaries, or the evidence is too weak to decide by (confidence \`low\`), however good the value |
| \`not_ready\` | beyond the review boundary |
| \`not_assessable\` | there is no evidence; the reason is given, and it is never zero and never a pass |

Of a metric over n episodes of which s have evidence, with a the allowed share: \`not_ready\` where more than a · s lie beyond
the review boundary; else \`not_assessable\` where more than a · n lie beyond it or lack evidence; else \`review_required\`
where any is not certified; else \`certified\`.

Of the set: \`not_ready\` where a metric that counts is; else \`not_assessable\` where no metric that counts has evidence, or a
required one lacks it; else \`review_required\` where a metric that counts is; else \`certified\`. So a verdict never gets
better because evidence was taken away from episodes ([decision record 43](decisions/0043-missing-evidence-in-verdicts.md)).

Report, policy and receipts are also sealed into \`bundle.zip\`, signed, which anybody can verify offline
([bundles.md](bundles.md)).

**Coverage** stands beside the verdict: of all decisions of metrics that count, the share that had evidence. It says nothing
of how good the data is, and neither promises how a model will perform.

Confidence is \`high\` where everything was counted or a peak is clear, \`medium\` where frames were sampled or a sign is
indirect, \`low\` where the decision stays for review.

## Policies

A policy names a target and, for each metric, what it weighs, both boundaries with unit and direction, the share of the
episodes that may lie beyond, and where the boundaries come from. It is never changed: another content is another
policy, with another hash (SHA-256 of its canonical JSON without version and hash; metrics in the order below).
\`assay certify\` writes the policy that it used; take \`version\` and \`policy_hash\` out of a copy, change it, and give it with
\`--policy FILE\`.

- \`required\`: every episode must have evidence.
- \`if_present\`: where one episode has evidence, all must. Where none has any, coverage falls, and nothing else.
- \`advisory\`: measured and shown, and never counted.

What each metric weighs by default, from what the target needs (● required, ○ if present, · advisory):

| metric | ${targetProfileIds.join(' | ')} |
|---|${targetProfileIds.map(() => '---').join('|')}|
${needs.join('\n')}

## Metrics

Metrics read what receipts hold and measure nothing again: \`facts\` of a receipt are made for them.

${sections.join('\n')}`;
}

const marks = { required: '●', if_present: '○', advisory: '·' } as const;
