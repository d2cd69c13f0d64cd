import type { CertificationReport } from '#client';
import { Glyph } from '../../components/glyph.tsx';

type Verdict = CertificationReport['verdict'];

const looks = {
  certified: ['accept', 'Certified'],
  review_required: ['review', 'Review required'],
  not_ready: ['reject', 'Not ready'],
  not_assessable: ['review', 'Not assessable'],
} as const;

/** Verdict as icon and words; not assessable is shown as neither good nor bad. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }) {
  const [glyph, words] = looks[verdict];
  const tone = verdict === 'not_assessable' ? 'faint' : `badge is-${glyph}`;
  return (
    <span className={tone}>
      {verdict !== 'not_assessable' && <Glyph name={glyph} />} {words}
    </span>
  );
}
