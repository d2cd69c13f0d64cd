import type { ExportEpisode } from '../set/export-episode.ts';
import { plainKey } from '../set/plain-key.ts';
import type { SetPlan } from '../set/plan-set.ts';
import type { PictureFile } from './encode-picture.ts';
import { pictureRows } from './picture-rows.ts';

/** One picture on its way into a set of pictures. */
export interface SetPicture {
  /** Name for its file: unlike any other of the set. */
  readonly name: string;
  readonly file: PictureFile;
  readonly camera: string;
  /** The camera as the source names it. */
  readonly stream: string;
  /** Its place in the stream. */
  readonly place: number;
  /** Since the start of the episode; null where nobody knows. */
  readonly time_s: number | null;
}

/** Every picture of every camera of an episode, at most as many a second as were asked for; one after another. */
export async function* episodePictures(episode: ExportEpisode, plan: SetPlan): AsyncGenerator<SetPicture> {
  const isLone = episode.episode.clockless === undefined && episode.episode.duration_s === 0;
  for (const { key, stream } of plan.cameras) {
    const { time_s, places } = episode.picked(stream);
    let row = 0;
    for await (const file of pictureRows(episode, stream, places)) {
      const place = places[row];
      const time = time_s[row++];
      if (file === null) continue;
      const number = pad(episode.index);
      const name = isLone ? `${number}_${stem(episode.episode.id)}` : `${number}_${pad(place)}_${key}`;
      yield {
        name: `${name}.${file.extension}`,
        file,
        ...{ camera: key, stream },
        place,
        time_s: Number.isNaN(time) ? null : time,
      };
    }
  }
}

const pad = (number: number): string => String(number).padStart(6, '0');

/** The last part of a path, without its extension. */
function stem(id: string): string {
  return plainKey((id.split('/').at(-1) ?? id).replace(/\.[A-Za-z0-9]+$/, ''));
}

/** The split that the source declares an episode for; `train` where it declares none. */
export function splitOf({ episode }: ExportEpisode): string {
  return plainKey(episode.split ?? 'train');
}
