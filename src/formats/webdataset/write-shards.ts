import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#core';
import { npyFile } from '../shared/write/files/npy.ts';
import { TarWriter } from '../shared/write/files/tar-writer.ts';
import { writing } from '../shared/write/files/writing.ts';
import type { PictureFile } from '../shared/write/pictures/encode-picture.ts';
import { pictureRows } from '../shared/write/pictures/picture-rows.ts';
import type { ExportEpisode, FeatureRows } from '../shared/write/set/export-episode.ts';
import type {
  ExportWriter,
  OpenWriter,
  WriterOptions,
  WrittenSet,
} from '../shared/write/set/export-writer.ts';

/** A shard ends with the sample that passes this. */
const shardBytes = 256 * 2 ** 20;

/** Opens a set of tar shards, a sample a row. */
export const openWebDataset: OpenWriter = async (options) => {
  await mkdir(options.folder, { recursive: true });
  return new ShardWriter(options);
};

interface Shard {
  readonly url: string;
  samples: number;
}

class ShardWriter implements ExportWriter {
  readonly #options: WriterOptions;
  readonly #shards: Shard[] = [];
  #tar: TarWriter | null = null;
  #rows = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async add(episode: ExportEpisode): Promise<void> {
    const { plan, signal, onStep } = this.#options;
    const numbers = plan.features.map((feature) => episode.feature(feature));
    const cameras = plan.cameras.map(({ key, stream }) => ({ key, pictures: pictureRows(episode, stream) }));
    try {
      for (let row = 0; row < episode.rows; row++) {
        signal.throwIfAborted();
        const pictures: (readonly [key: string, file: PictureFile | null])[] = [];
        for (const { key, pictures: own } of cameras) pictures.push([key, (await own.next()).value ?? null]);
        await this.#sample(episode, row, { numbers, pictures });
        if (row % 32 === 0) onStep();
      }
    } finally {
      for (const { pictures } of cameras) await pictures.return(undefined);
    }
  }

  async finish(): Promise<WrittenSet> {
    await this.close();
    const { plan, folder } = this.#options;
    const about = {
      samples: this.#rows,
      rate_hz: plan.rate_hz,
      robot: plan.robot,
      features: plan.features.map(({ stream: _, ...feature }) => feature),
      cameras: plan.cameras.map(({ key }) => key),
      shards: this.#shards,
    };
    await writeFile(join(folder, 'dataset.json'), `${JSON.stringify(about, null, 2)}\n`);
    return { rows: this.#rows, edits: plan.edits };
  }

  async close(): Promise<void> {
    const tar = this.#tar;
    this.#tar = null;
    await tar?.close();
  }

  async #sample(episode: ExportEpisode, row: number, { numbers, pictures }: SampleParts): Promise<void> {
    const name = `${pad(episode.index)}_${pad(row)}`;
    const lone = pictures.length === 1 && numbers.length === 0;
    const files = pictures.flatMap(([key, file]) => {
      if (file === null) return [];
      return [[lone ? `${name}.${file.extension}` : `${name}.${key}.${file.extension}`, file.bytes] as const];
    });
    for (const { feature, values } of numbers) {
      const own = values.subarray(row * feature.dims, (row + 1) * feature.dims);
      files.push([`${name}.${feature.key}.npy`, npyFile(own, [feature.dims])]);
    }
    const missing = [
      ...pictures.filter(([, file]) => file === null).map(([key]) => key),
      ...numbers.filter(({ absent }) => absent.has(row)).map(({ feature }) => feature.key),
    ];
    const about = { ...aboutRow(episode, row), ...(missing.length === 0 ? {} : { missing }) };
    files.push([`${name}.json`, Buffer.from(JSON.stringify(about))]);
    await (await this.#shard()).add(files);
    this.#shards[this.#shards.length - 1].samples++;
    this.#rows++;
  }

  async #shard(): Promise<TarWriter> {
    if (this.#tar !== null && this.#tar.bytes < shardBytes) return this.#tar;
    await this.#tar?.close();
    const url = `shard-${pad(this.#shards.length)}.tar`;
    this.#shards.push({ url, samples: 0 });
    const path = join(this.#options.folder, url);
    this.#tar = await writing(path, TarWriter.open(path));
    return this.#tar;
  }
}

interface SampleParts {
  readonly numbers: readonly FeatureRows[];
  readonly pictures: readonly (readonly [key: string, file: PictureFile | null])[];
}

const pad = (number: number): string => String(number).padStart(6, '0');

/** What is done at a time, and what layers say of it and of the whole episode; what nobody says is left out. */
function said({ judgement }: ExportEpisode, time_s: number): JsonObject {
  if (judgement === null) return {};
  const holds = ({ from_s, to_s }: { readonly from_s: number; readonly to_s: number }) =>
    from_s <= time_s && time_s < to_s;
  // The last span includes its end.
  const at = <T extends { readonly from_s: number; readonly to_s: number }>(
    all: readonly T[],
  ): T | undefined => all.find(holds) ?? all.findLast(({ to_s }) => to_s === time_s);
  const [segment, caption] = [at(judgement.segments), at(judgement.captions)];
  const of = ({ from_s, to_s }: { readonly from_s: number; readonly to_s: number }) => ({ from_s, to_s });
  return {
    ...(segment === undefined ? {} : { segment: { ...of(segment), kind: segment.kind } }),
    ...(caption === undefined ? {} : { caption: { ...of(caption), text: caption.text } }),
    ...(judgement.text === null ? {} : { dense_text: judgement.text }),
  };
}

function aboutRow(episode: ExportEpisode, row: number): JsonObject {
  const { id, labels } = episode.episode;
  return {
    episode: id,
    episode_index: episode.index,
    row,
    rows: episode.rows,
    time_s: Number.isNaN(episode.grid.time_s[row]) ? null : episode.grid.time_s[row],
    task: episode.tasks[0] ?? null,
    ...said(episode, episode.grid.time_s[row]),
    ...(labels === null
      ? {}
      : {
          labels: labels.map(({ category, box_px }) => ({
            category,
            box_px: box_px === null ? null : [...box_px],
          })),
        }),
  };
}
