import type { EmbeddingMap } from '#client';
import { decisions, decisionWords, score } from '#quality/report/views';

export type MapPoint = EmbeddingMap['points'][number];
export const mapColourings = ['decision', 'score', 'task'] as const;
export type MapColouring = (typeof mapColourings)[number];

interface LegendEntry {
  readonly text: string;
  readonly colour: string;
}

/** Colours of points, with their meaning. */
export interface MapColours {
  readonly legend: readonly LegendEntry[];
  colourOf(point: MapPoint): string;
}

/** Colours for up to eight categories that people with colour blindness can tell apart (Okabe and Ito, 2008). */
const categories = ['#e69f00', '#56b4e9', '#009e73', '#0072b2', '#d55e00', '#cc79a7', '#8c8c00', '#7a5fd0'];
const other = 'var(--faint)';
const [lowest, highest] = ['#4260d6', '#e0b000'];

/** Returns the colours of points by what they show. */
export function mapColours(points: readonly MapPoint[], colouring: MapColouring): MapColours {
  if (colouring === 'score') return scoreColours;
  return colouring === 'decision' ? decisionColours : taskColours(points);
}

const decisionColours: MapColours = {
  legend: decisions.map((each) => ({ text: decisionWords[each], colour: `var(--${each}-fill)` })),
  colourOf: ({ decision }) => `var(--${decision}-fill)`,
};

const scoreColour = (share: number) =>
  `color-mix(in oklab, ${highest} ${Math.round(100 * share)}%, ${lowest})`;
const scoreColours: MapColours = {
  legend: [
    ...[0, 0.5, 1].map((share) => ({ text: `Score ${score(share)}`, colour: scoreColour(share) })),
    { text: 'Not scored', colour: other },
  ],
  colourOf: (point) => (point.score === null ? other : scoreColour(point.score)),
};

/** Colours of the most frequent tasks; the others share one. */
function taskColours(points: readonly MapPoint[]): MapColours {
  const groups = [...Map.groupBy(points, ({ task }) => task ?? '')].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const named = groups.filter(([task]) => task !== '').slice(0, categories.length);
  const colours = new Map(named.map(([task], at) => [task, categories[at]]));
  const legend = named.map(([text], at) => ({ text, colour: categories[at] }));
  return {
    legend: groups.length > named.length ? [...legend, { text: 'Other or no task', colour: other }] : legend,
    colourOf: ({ task }) => colours.get(task ?? '') ?? other,
  };
}

type Place = readonly [x: number, y: number];

/** Returns true if a place is inside a closed polygon (even–odd rule). */
export function isInside([x, y]: Place, polygon: readonly Place[]): boolean {
  let inside = false;
  for (const [i, [x1, y1]] of polygon.entries()) {
    const [x2, y2] = polygon.at(i - 1)!;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}
