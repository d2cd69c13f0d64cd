import { lerobotBreach } from '../../../contracts/lerobot/contract.ts';
import type { LeRobotSet } from '../sets/lerobot-set.ts';
import { enumerate, type Notes } from '../sets/notes.ts';

/** What the windows of shared video files show of the whole set; single episodes carry their own. */
export function reportWindows(set: LeRobotSet, notes: Notes): void {
  for (const { key } of set.cameras) {
    for (const { path, episodes } of set.windows(key)?.notReset ?? []) {
      notes.put(
        lerobotBreach(
          set.layout,
          'video_windows_not_reset',
          path,
          `the windows of all ${episodes.length} episodes in ${path} continue from the end of the previous file, from episode ${episodes[0]} on: none of their rows has its picture`,
          { camera: key, episodes: episodes.slice(0, 200) },
        ),
      );
    }
    reportOverlaps(set, key, notes);
  }
}

interface Claim {
  readonly from: number;
  readonly to: number;
  readonly episode: number;
}

/** Episodes that claim the same frames of one video; named are those that do not lie at their place. */
function reportOverlaps(set: LeRobotSet, camera: string, notes: Notes): void {
  const displaced = set.windows(camera)?.findings;
  if (displaced === undefined) return;
  const tolerance_s = 0.5 / (set.info.fps ?? 30);
  for (const [path, claims] of claimsByFile(set, camera)) {
    claims.sort((a, b) => a.from - b.from);
    let clash = 0;
    const named = new Set<number>();
    claims.forEach((claim, at) => {
      if (at === 0 || claim.from >= claims[at - 1].to - tolerance_s) return;
      clash += 1;
      const own = [claim.episode, claims[at - 1].episode].filter((episode) => displaced.has(episode));
      for (const episode of own.length > 0 ? own : [claim.episode]) named.add(episode);
    });
    if (clash === 0) continue;
    notes.put(
      lerobotBreach(
        set.layout,
        'video_spans_overlap',
        path,
        `${named.size} of ${claims.length} episodes claim frames of ${path} that another episode claims too: ${enumerate([...named])}`,
        { camera, episodes: [...named].slice(0, 200) },
      ),
    );
  }
}

function claimsByFile({ episodes }: LeRobotSet, camera: string): Map<string, Claim[]> {
  const files = new Map<string, Claim[]>();
  for (let row = 0; row < episodes.count; row++) {
    const span = episodes.video(row, camera);
    if (span === null || span.to_s === null) continue;
    const claim = { from: span.from_s, to: span.to_s, episode: episodes.index[row] };
    const known = files.get(span.path);
    if (known === undefined) files.set(span.path, [claim]);
    else known.push(claim);
  }
  return files;
}
