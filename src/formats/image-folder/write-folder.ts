import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { type ExportPicture, episodePictures, episodeSplit } from '../shared/write/episode-pictures.ts';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../shared/write/export-format.ts';
import { toSafeName, withWriteErrors } from '../shared/write/output-files.ts';
import type { ExportEpisode } from '../shared/write/set/export-episode.ts';

/**
 * Opens a writer of pictures to SPLIT/CLASS with a metadata.jsonl per split, as read by torchvision's ImageFolder and
 * Hugging Face's imagefolder.
 */
export const openImageFolder: OpenWriter = async (options) => new FolderWriter(options);

class FolderWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #createdFolders = new Set<string>();
  #pictures = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { folder, plan, signal, onStep } = this.#options;
    const split = episodeSplit(episode);
    const kind = folderClass(episode);
    const classFolder = join(folder, split, kind);
    if (!this.#createdFolders.has(classFolder))
      await withWriteErrors(classFolder, mkdir(classFolder, { recursive: true }));
    this.#createdFolders.add(classFolder);
    const lines: string[] = [];
    for await (const picture of episodePictures(episode, plan)) {
      signal.throwIfAborted();
      const path = join(classFolder, picture.name);
      await withWriteErrors(path, writeFile(path, picture.file.bytes));
      lines.push(
        `${JSON.stringify({ file_name: `${kind}/${picture.name}`, ...metadataRow(episode, picture) })}\n`,
      );
      if (this.#pictures++ % 32 === 0) onStep();
    }
    const metadata = join(folder, split, 'metadata.jsonl');
    await withWriteErrors(metadata, appendFile(metadata, lines.join('')));
  }

  async finish(): Promise<WrittenSet> {
    return { rows: this.#pictures, edits: this.#options.plan.edits };
  }

  async close(): Promise<void> {}
}

/** Returns the class folder of an episode: its only category, else its task. */
function folderClass(episode: ExportEpisode): string {
  const { labels } = episode.episode;
  const categories = new Set((labels ?? []).map(({ category }) => category));
  if (categories.size === 1) return toSafeName([...categories][0]);
  if (categories.size > 1) return 'several_labels';
  const [task] = episode.tasks;
  return task === undefined ? 'unlabelled' : toSafeName(task).slice(0, 80);
}

function metadataRow(episode: ExportEpisode, { camera, index, time_s }: ExportPicture): JsonObject {
  const { id, labels, events, duration_s } = episode.episode;
  const boxed = (labels ?? []).flatMap(({ category, box_px }) =>
    box_px === null ? [] : [{ category, box_px }],
  );
  const plain = (labels ?? []).filter(({ box_px }) => box_px === null);
  return {
    episode: id,
    camera,
    frame: index,
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
