import type { Composition } from '#client';
import { decisionWords } from '#quality/report/views';
import { Panel } from '../../components/page.tsx';
import { type Bar, PairBars } from '../../components/pair-bars.tsx';
import { duration } from '../../components/words.ts';

interface CompositionsProps {
  readonly before: Composition;
  readonly after: Composition;
}

type Part = Composition['by_task'][number];

/** Bar charts of the composition before and after the plan. */
export function Compositions({ before, after }: CompositionsProps) {
  return (
    <Panel title="Before and after">
      <div className="plots">
        <PairBars title="By task" bars={paired(before.by_task, after.by_task, 'no task')} />
        <PairBars title="By duration" bars={durations(before, after)} />
        <PairBars
          title="By decision"
          bars={paired(before.by_decision, after.by_decision, 'none').map(({ label, ...bar }) => ({
            ...bar,
            label: label in decisionWords ? decisionWords[label as keyof typeof decisionWords] : label,
          }))}
        />
        <PairBars title="By outcome" bars={paired(before.by_outcome, after.by_outcome, 'unknown')} />
        <Covered title="Scene coverage" of={before.scene_coverage} left={after.scene_coverage} />
        <Covered title="Action coverage" of={before.action_coverage} left={after.action_coverage} />
      </div>
    </Panel>
  );
}

function paired(before: readonly Part[], after: readonly Part[], none: string): readonly Bar[] {
  const left = new Map(after.map(({ value, episodes }) => [value, episodes]));
  return before.map(({ value, episodes }) => ({
    label: value ?? none,
    one: episodes,
    other: left.get(value) ?? 0,
  }));
}

/** Bars of durations; both sides use the bins of the whole set. */
const durations = ({ by_duration }: Composition, after: Composition): readonly Bar[] =>
  by_duration.map(({ from_s, to_s, episodes }) => ({
    label: `${duration(from_s)} to ${duration(to_s)}`,
    one: episodes,
    other: after.by_duration.find((bin) => bin.from_s === from_s)?.episodes ?? 0,
  }));

interface CoveredProps {
  readonly title: string;
  readonly of: Composition['scene_coverage'];
  readonly left: Composition['scene_coverage'];
}

function Covered({ title, of, left }: CoveredProps) {
  if (of.status === 'not_assessable' || left.status === 'not_assessable') {
    const [reason] = [of, left].flatMap((each) => (each.status === 'not_assessable' ? [each.reason] : []));
    return (
      <figure className="plot">
        <figcaption>{title}</figcaption>
        <p className="faint">Not assessable: {reason}</p>
      </figure>
    );
  }
  return (
    <PairBars
      title={`${title}, ${of.of} cells`}
      bars={[{ label: 'Cells covered', one: of.covered, other: left.covered }]}
    />
  );
}
