import type { EpisodeComparison } from '#client';
import { Panel } from '../../components/page.tsx';
import { type Bar, PairBars } from '../../components/pair-bars.tsx';
import { codeTitle, duration, spaced } from '../../components/words.ts';

type Part = EpisodeComparison['one']['tasks'][number];

/** Bar charts of the composition of both sides: the light bar is the left side, the dark bar the right. */
export function Plots({ comparison: { one, other } }: { readonly comparison: EpisodeComparison }) {
  const durations = one.durations.map(({ from_s, to_s, episodes }, at) => ({
    label: `${duration(from_s)} to ${duration(to_s)}`,
    ...{ one: episodes, other: other.durations[at]?.episodes ?? 0 },
  }));
  const plots = [
    ['Durations', durations],
    ['Flags', paired(one.flags, other.flags, '', codeTitle)],
    ['Tasks', paired(one.tasks, other.tasks, 'no task')],
    ['Outcomes', paired(one.outcomes, other.outcomes)],
    ['Robots', paired(one.robots, other.robots, 'unknown')],
  ] as const;
  return (
    <Panel title="Composition" tally="left: light bar, right: dark bar">
      <div className="plots">
        {plots.map(([title, bars]) => (
          <PairBars key={title} title={title} bars={bars} between="·" />
        ))}
      </div>
    </Panel>
  );
}

/** Furthest apart first. */
function paired(
  one: readonly Part[],
  other: readonly Part[],
  none = '',
  title: (value: string) => string = spaced,
): readonly Bar[] {
  const values = [...new Set([...one, ...other].map(({ value }) => value))];
  const among = (side: readonly Part[], value: string | null) =>
    side.find((part) => part.value === value)?.episodes ?? 0;
  return values
    .map((value) => ({
      label: value === null ? none : title(value),
      ...{ one: among(one, value), other: among(other, value) },
    }))
    .sort((a, b) => Math.abs(b.one - b.other) - Math.abs(a.one - a.other));
}
