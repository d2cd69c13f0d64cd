import type { Flag } from '@assay/client';
import { flagGroups, spread } from '#quality/report/views';
import { Glyph } from '../../components/glyph.tsx';
import { Panel } from '../../components/page.tsx';
import { codeTitle, number } from '../../components/words.ts';

const shownMarks = 3;

/** What the checks raised, worst first and of one code together, with what was seen, where, and what to do. */
export function Flags({ flags }: { readonly flags: readonly Flag[] }) {
  return (
    <Panel title="Flags" tally={flags.length === 0 ? 'none' : flags.length}>
      <ul className="flag-list">
        {flagGroups(flags).map(({ raised, advices }) => {
          const [{ flag }] = raised;
          return (
            <li key={`${flag.check} ${flag.code}`} className="finding">
              <Glyph name={flag.severity} />
              <div>
                <p>
                  <b>{codeTitle(flag.code)}</b> <span className="faint">{flag.severity}</span>
                </p>
                {raised.map((each) => (
                  <Seen key={each.index} flag={each.flag} />
                ))}
                {advices.map((advice) => (
                  <p key={advice} className="advice">
                    {advice}
                  </p>
                ))}
              </div>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Seen({ flag: { message, observed, threshold, marks } }: { readonly flag: Flag }) {
  return (
    <>
      <p>{message}</p>
      <p className="faint">
        Observed {number(observed)}, threshold {number(threshold)}
        {spread(marks, shownMarks).map(({ stream, from_s, to_s, dimension }) => (
          <span key={`${stream} ${from_s} ${to_s} ${dimension}`}>
            {' '}
            · <code>{stream}</code>
            {dimension === undefined ? '' : ` [${dimension}]`} {number(from_s)}–{number(to_s)} s
          </span>
        ))}
        {marks.length > shownMarks && ` · ${marks.length - shownMarks} more`}
      </p>
    </>
  );
}
