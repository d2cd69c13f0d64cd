import type { CertificationBounds, CertificationPolicyInput } from '#client';

/** Typed thresholds of one metric. Numbers are text, so that incomplete input is kept. */
export interface DraftBounds {
  readonly need: CertificationBounds['need'];
  readonly ideal: string;
  readonly review: string;
  readonly allowed_share: string;
}

/** Policy being edited, by metric. */
export interface Draft {
  readonly target: CertificationPolicyInput['target'];
  readonly metrics: Readonly<Record<string, DraftBounds>>;
}

type Policy = Pick<CertificationPolicyInput, 'target' | 'metrics'>;

/** Converts a policy to a draft with the same values. */
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

/** Source of thresholds that were edited by hand. */
const byHand = 'set manually';

/**
 * Converts a draft to a policy. Text that is not a number is sent as NaN, which the service rejects with an error for
 * that field.
 */
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
