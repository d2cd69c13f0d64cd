import type { Flag } from '#client';
import { formatSpan, type Timeline } from '#quality/report/timeline';
import { flagGroups, spread } from '#quality/report/views';
import { Glyph } from '../../components/glyph.tsx';
import { Panel } from '../../components/page.tsx';
import { codeTitle, score } from '../../components/words.ts';

const maxTimes = 6;

interface FlagsProps {
  readonly flags: readonly Flag[];
  /** Timeline of the same flags, to go to their marks; `null` without a player. */
  readonly timeline: Timeline | null;
}

/** The flags of an episode, most severe first and grouped by code, with their times and what to do. */
export function Flags({ flags, timeline }: FlagsProps) {
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
                  <Evidence key={each.index} {...each} timeline={timeline} />
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

interface EvidenceProps extends Pick<FlagsProps, 'timeline'> {
  readonly flag: Flag;
  readonly index: number;
}

/** Message of a flag, its score and threshold, and its times, which go to the timeline. */
function Evidence({ flag: { message, score: own, threshold, marks }, index, timeline }: EvidenceProps) {
  const goTo = (mark: Flag['marks'][number]) => {
    const own = timeline?.marks.find(
      ({ flag, from_s, stream, dimension }) =>
        flag === index && from_s === mark.from_s && stream === mark.stream && dimension === mark.dimension,
    );
    if (timeline === null || own === undefined) return;
    timeline.choose(index, own);
    timeline.element.scrollIntoView({ block: 'center' });
    timeline.reveal(own);
  };
  return (
    <>
      <p>{message}</p>
      <p className="faint">
        Score {score(own)}, flagged below {score(threshold)}
        {spread(marks, maxTimes).map((mark) => (
          <span key={`${mark.stream} ${mark.from_s} ${mark.to_s} ${mark.dimension}`}>
            {' · '}
            <button
              type="button"
              className="link"
              title={mark.stream}
              disabled={timeline === null}
              onClick={() => goTo(mark)}
            >
              {formatSpan(mark)}
            </button>
          </span>
        ))}
        {marks.length > maxTimes && ` · ${marks.length - maxTimes} more`}
      </p>
    </>
  );
}
