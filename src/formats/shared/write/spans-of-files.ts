import type { VideoSpan } from '#io/video';
import type { TrainingVideo } from './training-episode.ts';

/** Episodes that follow each other in one file, so that it is read once for all of them. */
export interface FileSpans<Episode> {
  readonly path: string;
  readonly episodes: Episode[];
  readonly spans: VideoSpan[];
}

/** The files of one camera, in the order of the episodes. Those without this camera are left out. */
export function spansOfFiles<Episode extends { readonly videos: readonly TrainingVideo[] }>(
  camera: string,
  episodes: readonly Episode[],
): FileSpans<Episode>[] {
  const files: FileSpans<Episode>[] = [];
  for (const episode of episodes) {
    const video = episode.videos.find(({ key }) => key === camera);
    if (video === undefined) continue;
    const before = files.at(-1);
    const last = before?.spans.at(-1);
    if (
      before === undefined ||
      last === undefined ||
      before.path !== video.path ||
      last.from_s >= video.from_s
    )
      files.push({ path: video.path, episodes: [episode], spans: [spanOf(video)] });
    else {
      before.episodes.push(episode);
      before.spans.push(spanOf(video));
    }
  }
  return files;
}

const spanOf = ({ from_s, until_s }: TrainingVideo): VideoSpan => ({ from_s, until_s });
