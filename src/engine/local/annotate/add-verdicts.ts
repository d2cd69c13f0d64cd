import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ReviewVerdict } from '#labels/annotation';
import type { AnnotationList } from './annotation-list.ts';

const reviewSchema = z.looseObject({
  layers: z.array(z.looseObject({ layer: z.string(), verdict: z.string() })),
});

/** Names in the list what reviews have said of each episode's layers. */
export function addVerdicts(folder: string, list: AnnotationList): AnnotationList {
  const episodes = list.episodes.map((episode) => {
    const told = episode.layers.annotation_review;
    if (told?.state !== 'done') return episode;
    const [{ path, sha256 }] = told.files;
    const { layers } = reviewSchema.parse(JSON.parse(readFileSync(join(folder, path), 'utf8')));
    const verdicts = Object.fromEntries(
      layers.map(({ layer, verdict }) => [layer, verdict as ReviewVerdict]),
    );
    return { ...episode, review: { verdicts, path, sha256 } };
  });
  return { ...list, episodes };
}
