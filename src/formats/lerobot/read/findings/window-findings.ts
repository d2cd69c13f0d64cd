import { enumerate } from '#core';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';

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

interface EpisodeWindow {
  readonly from: number;
  readonly to: number;
  readonly episode: number;
}

/** Episodes whose windows share frames of one video; named are those that do not lie at their place. */
function reportOverlaps(set: LeRobotSet, camera: string, notes: Notes): void {
  const displaced = set.windows(camera)?.findings;
  if (displaced === undefined) return;
  const tolerance_s = 0.5 / (set.info.fps ?? 30);
  for (const [path, windows] of windowsByFile(set, camera)) {
    windows.sort((a, b) => a.from - b.from);
    let clash = 0;
    const named = new Set<number>();
    windows.forEach((window, at) => {
      if (at === 0 || window.from >= windows[at - 1].to - tolerance_s) return;
      clash += 1;
      const own = [window.episode, windows[at - 1].episode].filter((episode) => displaced.has(episode));
      for (const episode of own.length > 0 ? own : [window.episode]) named.add(episode);
    });
    if (clash === 0) continue;
    notes.put(
      lerobotBreach(
        set.layout,
        'video_spans_overlap',
        path,
        `${named.size} of ${windows.length} episodes claim frames of ${path} that another episode claims too: ${enumerate([...named])}`,
        { camera, episodes: [...named].slice(0, 200) },
      ),
    );
  }
}

function windowsByFile({ episodes }: LeRobotSet, camera: string): Map<string, EpisodeWindow[]> {
  const files = new Map<string, EpisodeWindow[]>();
  for (let row = 0; row < episodes.count; row++) {
    const span = episodes.video(row, camera);
    if (span === null || span.to_s === null) continue;
    const window = { from: span.from_s, to: span.to_s, episode: episodes.index[row] };
    const known = files.get(span.path);
    if (known === undefined) files.set(span.path, [window]);
    else known.push(window);
  }
  return files;
}
