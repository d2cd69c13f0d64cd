/** Episodes that one job judges. */
const stretchEpisodes = 1000;
const stretchUnits = 500;

/** Cuts measured units into stretches, each for one job: first and last place. */
export function stretchesOf(
  units: readonly { readonly place: number; readonly episodes: number }[],
): [from: number, to: number][] {
  const stretches: [number, number][] = [];
  let episodes = 0;
  let count = 0;
  for (const unit of units) {
    const last = stretches.at(-1);
    if (last === undefined || episodes >= stretchEpisodes || count >= stretchUnits) {
      stretches.push([unit.place, unit.place]);
      episodes = 0;
      count = 0;
    } else last[1] = unit.place;
    episodes += unit.episodes;
    count++;
  }
  return stretches;
}
