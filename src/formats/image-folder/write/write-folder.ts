import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { writing } from '../../shared/write/files/writing.ts';
import { episodePictures, type SetPicture, splitOf } from '../../shared/write/pictures/episode-pictures.ts';
import type { ExportEpisode } from '../../shared/write/set/export-episode.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../../shared/write/set/export-writer.ts';
import { plainKey } from '../../shared/write/set/plain-key.ts';

/** Opens a folder of pictures by split and class, as torchvision's ImageFolder and datasets' imagefolder read it. */
export const openImageFolder: OpenWriter = async (options) => new FolderWriter(options);

class FolderWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #made = new Set<string>();
  #pictures = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { folder, plan, signal, onStep } = this.#options;
    const split = splitOf(episode);
    const kind = classOf(episode);
    const own = join(folder, split, kind);
    if (!this.#made.has(own)) await writing(own, mkdir(own, { recursive: true }));
    this.#made.add(own);
    const lines: string[] = [];
    for await (const picture of episodePictures(episode, plan)) {
      signal.throwIfAborted();
      const path = join(own, picture.name);
      await writing(path, writeFile(path, picture.file.bytes));
      lines.push(
        `${JSON.stringify({ file_name: `${kind}/${picture.name}`, ...notesOf(episode, picture) })}\n`,
      );
      if (this.#pictures++ % 32 === 0) onStep();
    }
    const metadata = join(folder, split, 'metadata.jsonl');
    await writing(metadata, appendFile(metadata, lines.join('')));
  }

  async finish(): Promise<WrittenSet> {
    return { rows: this.#pictures, edits: this.#options.plan.edits };
  }

  async close(): Promise<void> {}
}

/** Folders are classes to torchvision: the only category of a picture, else the task of its episode. */
function classOf(episode: ExportEpisode): string {
  const { labels } = episode.episode;
  const categories = new Set((labels ?? []).map(({ category }) => category));
  if (categories.size === 1) return plainKey([...categories][0]);
  if (categories.size > 1) return 'several_labels';
  const [task] = episode.tasks;
  return task === undefined ? 'unlabelled' : plainKey(task).slice(0, 80);
}

function notesOf(episode: ExportEpisode, { camera, place, time_s }: SetPicture): JsonObject {
  const { id, labels, events, duration_s } = episode.episode;
  const boxed = (labels ?? []).flatMap(({ category, box_px }) =>
    box_px === null ? [] : [{ category, box_px }],
  );
  const plain = (labels ?? []).filter(({ box_px }) => box_px === null);
  return {
    episode: id,
    camera,
    frame: place,
    time_s,
    ...(episode.tasks.length === 0 ? {} : { task: episode.tasks[0] }),
    ...(plain.length === 0 ? {} : { label: plain[0].category }),
    ...(duration_s === 0 && events.length > 0 ? { text: events[0].label } : {}),
    ...(labels === null || plain.length > 0
      ? {}
      : {
          objects: {
            bbox: boxed.map(({ box_px }) => [...box_px]),
            categories: boxed.map(({ category }) => category),
          },
        }),
  };
}
