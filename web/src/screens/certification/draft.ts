import type { CertificationBounds, CertificationPolicyInput } from '@assay/client';

/** What is typed of one metric: numbers as text, so that a half-typed one stays as it is. */
export interface DraftBounds {
  readonly need: CertificationBounds['need'];
  readonly ideal: string;
  readonly review: string;
  readonly allowed_share: string;
}

/** A policy that is being written, by metric. */
export interface Draft {
  readonly target: CertificationPolicyInput['target'];
  readonly metrics: Readonly<Record<string, DraftBounds>>;
}

type Policy = Pick<CertificationPolicyInput, 'target' | 'metrics'>;

/** The draft that says what a policy says. */
export const draftOf = ({ target, metrics }: Policy): Draft => ({
  target,
  metrics: Object.fromEntries(
    metrics.map(({ metric, need, ideal, review, allowed_share }) => [
      metric,
      {
        need,
        ideal: String(ideal),
        review: String(review),
        allowed_share: String(+(100 * allowed_share).toPrecision(10)),
      },
    ]),
  ),
});

/** Written instead of where a boundary came from, once it was moved by hand. */
const byHand = 'set manually';

/** The policy that a draft of a base says; what is no number is sent as it is, and the service says so beside it. */
export const policyOf = (draft: Draft, base: Policy): CertificationPolicyInput => ({
  target: draft.target,
  metrics: base.metrics.map((row) => {
    const { metric, unit, direction, source } = row;
    const own = draft.metrics[metric] ?? draftOf(base).metrics[metric];
    const next = {
      need: own.need,
      ideal: numberIn(own.ideal),
      review: numberIn(own.review),
      allowed_share: numberIn(own.allowed_share) / 100,
    };
    const isMoved =
      next.ideal !== row.ideal || next.review !== row.review || next.allowed_share !== row.allowed_share;
    return { metric, unit, direction, ...next, source: isMoved ? byHand : source };
  }),
});

const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
