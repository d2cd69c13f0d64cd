import type { Flag } from '@assay/client';
import { Glyph } from '../../components/glyph.tsx';
import { Panel } from '../../components/page.tsx';
import { number, spaced } from '../../components/words.ts';

/** What the checks raised, with what was seen, where, and what to do. */
export function Flags({ flags }: { readonly flags: readonly Flag[] }) {
  return (
    <Panel title="Flags" tally={flags.length === 0 ? 'none raised' : flags.length}>
      <ul className="flag-list">
        {flags.map(({ code, severity, message, advice, observed, threshold, marks }) => (
          <li key={code} className="finding">
            <Glyph name={severity} />
            <div>
              <p>
                <b>{spaced(code)}</b> <span className="faint">{severity}</span>
              </p>
              <p>{message}</p>
              <p className="advice">{advice}</p>
              <p className="faint">
                Observed {number(observed)}, threshold {number(threshold)}
                {marks.slice(0, 3).map(({ stream, from_s, to_s, dimension }) => (
                  <span key={`${stream} ${from_s} ${to_s} ${dimension}`}>
                    {' '}
                    · <code>{stream}</code>
                    {dimension === undefined ? '' : ` [${dimension}]`} {number(from_s)}–{number(to_s)} s
                  </span>
                ))}
                {marks.length > 3 && ` · ${marks.length - 3} more`}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
