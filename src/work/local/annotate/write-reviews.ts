import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewEpisode } from '#annotation';
import type { LayerId } from '#contract';
import { canonicalJson, type JsonObject, type JsonValue, sha256 } from '#kernel';
import type { JudgedEpisode } from '#store';
import { writeWhole } from '../../steps/judge/receipt-files.ts';
import type { AnnotationList } from './annotation-list.ts';

/** Layer as the contract calls it. */
const name = 'annotation_review';

/** Reviews what was written of each episode, one after the other, and writes the verdicts beside it. */
export function writeReviews(
  folder: string,
  list: AnnotationList,
  judged: readonly JudgedEpisode[],
): AnnotationList {
  const episodes = list.episodes.map((episode, place) => {
    const artifacts: Partial<Record<LayerId, JsonObject>> = {};
    let first: string | null = null;
    for (const [layer, told] of Object.entries(episode.layers)) {
      if (told.state !== 'done') continue;
      first ??= told.files[0].path;
      artifacts[layer as LayerId] = JSON.parse(readFileSync(join(folder, told.files[0].path), 'utf8'));
    }
    if (first === null) return episode;
    const { duration_s, task } = judged[place];
    const layers = reviewEpisode({ duration_s, tasks: task === null ? [] : [task], artifacts });
    const json = canonicalJson({ layers, schema: 'assay/annotation-review/v1' } as unknown as JsonValue);
    const path = `${first.slice(0, first.lastIndexOf('/'))}/${name}.json`;
    writeWhole(join(folder, ...path.split('/')), json);
    const verdicts = Object.fromEntries(layers.map(({ layer, verdict }) => [layer, verdict]));
    return { ...episode, review: { verdicts, path, sha256: sha256(json) } };
  });
  return { ...list, episodes };
}
