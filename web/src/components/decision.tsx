import { type Decision, decisions, decisionWords } from '#quality/report/views';
import { Glyph } from './glyph.tsx';

/** Decision as icon and word. */
export function Badge({ decision }: { readonly decision: Decision }) {
  return (
    <span className={`badge is-${decision}`}>
      <Glyph name={decision} />
      {decisionWords[decision]}
    </span>
  );
}

/** Number of episodes per decision as a stacked bar with a legend. */
export function DecisionBar({ counts }: { readonly counts: Readonly<Record<Decision, number>> }) {
  const total = decisions.reduce((sum, each) => sum + counts[each], 0);
  const shown = decisions.filter((each) => counts[each] > 0);
  return (
    <div>
      <div className="decision-bar" aria-hidden="true">
        {shown.map((each) => (
          <i
            key={each}
            className={`segment is-${each}`}
            style={{ '--share': counts[each] / Math.max(1, total) } as object}
          />
        ))}
      </div>
      <p className="decision-legend">
        {decisions.map((each) => (
          <span key={each} className={`decision is-${each}`}>
            <Glyph name={each} /> {decisionWords[each]} <b>{counts[each].toLocaleString('en')}</b>
          </span>
        ))}
      </p>
    </div>
  );
}
