import type { Finding } from '#core/episode';
import { comparisonTitles } from '#core/titles';
import { defineComparison } from '../comparison.ts';
import { hasOnlyEmptyFrames } from '../pictures/picture-facts.ts';
import { decodeIdList, encodeIdList } from './shared/comparison-rows.ts';

/** Lists of ids: cameras whose frames are all black or uniform, and cameras that show something. */
export type EmptyCameraRow = { readonly dead: string; readonly alive: string };

/** Minimum number of empty episodes; in fewer the camera may have been covered. */
const minEpisodes = 4;

export const placeholderCamera = defineComparison<EmptyCameraRow>({
  id: 'placeholder_camera',
  title: comparisonTitles.placeholder_camera,
  about:
    'A camera whose frames are all black or a single uniform colour in at least four episodes, while other cameras show images, is a placeholder. It is reported once for the dataset, and episodes are evaluated by their other cameras.',
  judged_by: ['image_integrity'],
  collect({ episode, cameras }) {
    const dead: string[] = [];
    const alive: string[] = [];
    for (const { id, frames } of episode.streams) {
      const evidence = frames === undefined ? undefined : cameras.get(id);
      if (evidence === undefined || evidence.sampled.index.length === 0) continue;
      (hasOnlyEmptyFrames(evidence) ? dead : alive).push(id);
    }
    return dead.length + alive.length === 0 ? null : { dead: encodeIdList(dead), alive: encodeIdList(alive) };
  },
  conclude(rows) {
    const alive = new Set(rows.flatMap(({ row }) => decodeIdList(row.alive)));
    const counts = new Map<string, number>();
    for (const { row } of rows)
      for (const id of decodeIdList(row.dead)) if (!alive.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    const empty = new Map([...counts].filter(([, episodes]) => episodes >= minEpisodes));
    const notes = new Map<string, { readonly cameras: readonly string[] }>();
    for (const { episode, row } of rows) {
      const cameras = decodeIdList(row.dead).filter((id) => empty.has(id));
      if (cameras.length > 0 && row.alive !== '') notes.set(episode, { cameras });
    }
    const noted = new Set([...notes.values()].flatMap(({ cameras }) => cameras));
    return {
      findings: [...empty].flatMap(([id, episodes]) => (noted.has(id) ? [createFinding(id, episodes)] : [])),
      notes,
    };
  },
});

function createFinding(camera: string, episodes: number): Finding {
  return {
    code: 'camera_shows_nothing',
    severity: 'error',
    path: null,
    message: `camera ${camera} is a placeholder: its frames are black or a single uniform colour in all ${episodes} episodes that have it`,
    advice: 'Remove the camera before training; episodes were evaluated by their other cameras.',
    evidence: { camera, episodes },
  };
}
