import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, type JsonObject } from '#core';
import { type PictureFile, pictureRows } from '../shared/write/episode-pictures.ts';
import type { ExportWriter, OpenWriter, WriterOptions, WrittenSet } from '../shared/write/export-format.ts';
import { withWriteErrors } from '../shared/write/output-files.ts';
import type { ExportEpisode, FeatureRows } from '../shared/write/set/export-episode.ts';

/** A shard ends with the sample that exceeds this size. */
const maxShardBytes = 256 * 2 ** 20;

/** Creates the output folder and opens a writer of tar shards in it, one sample per row. */
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
        for (const { key, pictures: pictureFiles } of cameras)
          pictures.push([key, (await pictureFiles.next()).value ?? null]);
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
      const rowValues = values.subarray(row * feature.dims, (row + 1) * feature.dims);
      files.push([`${name}.${feature.key}.npy`, encodeNpy(rowValues, [feature.dims])]);
    }
    const missing = [
      ...pictures.filter(([, file]) => file === null).map(([key]) => key),
      ...numbers.filter(({ absent }) => absent.has(row)).map(({ feature }) => feature.key),
    ];
    const about = { ...describeRow(episode, row), ...(missing.length === 0 ? {} : { missing }) };
    files.push([`${name}.json`, Buffer.from(JSON.stringify(about))]);
    await (await this.#shard()).add(files);
    this.#shards[this.#shards.length - 1].samples++;
    this.#rows++;
  }

  async #shard(): Promise<TarWriter> {
    if (this.#tar !== null && this.#tar.bytes < maxShardBytes) return this.#tar;
    await this.#tar?.close();
    const url = `shard-${pad(this.#shards.length)}.tar`;
    this.#shards.push({ url, samples: 0 });
    const path = join(this.#options.folder, url);
    this.#tar = await withWriteErrors(path, TarWriter.open(path));
    return this.#tar;
  }
}

interface SampleParts {
  readonly numbers: readonly FeatureRows[];
  readonly pictures: readonly (readonly [key: string, file: PictureFile | null])[];
}

const pad = (number: number): string => String(number).padStart(6, '0');

/**
 * Returns segment, caption and dense text at a time, each with who wrote it (`source`), apart from `labels` of the
 * recording; members without content are left out.
 */
function annotationsAt({ judgement }: ExportEpisode, time_s: number): JsonObject {
  if (judgement === null) return {};
  const holds = ({ from_s, to_s }: { readonly from_s: number; readonly to_s: number }) =>
    from_s <= time_s && time_s < to_s;
  // The last span includes its end.
  const at = <T extends { readonly from_s: number; readonly to_s: number }>(
    all: readonly T[],
  ): T | undefined => all.find(holds) ?? all.findLast(({ to_s }) => to_s === time_s);
  const [segment, caption] = [at(judgement.segments), at(judgement.captions)];
  const source = 'machine';
  const spanOf = ({ from_s, to_s }: { readonly from_s: number; readonly to_s: number }) => ({ from_s, to_s });
  return {
    ...(segment === undefined ? {} : { segment: { ...spanOf(segment), kind: segment.kind, source } }),
    ...(caption === undefined ? {} : { caption: { ...spanOf(caption), text: caption.text, source } }),
    ...(judgement.text === null ? {} : { dense_text: { ...judgement.text } }),
  };
}

function describeRow(episode: ExportEpisode, row: number): JsonObject {
  const { id, labels } = episode.episode;
  return {
    episode: id,
    episode_index: episode.index,
    row,
    rows: episode.rows,
    time_s: Number.isNaN(episode.grid.time_s[row]) ? null : episode.grid.time_s[row],
    task: episode.tasks[0] ?? null,
    ...annotationsAt(episode, episode.grid.time_s[row]),
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

const npyMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0] as const;
/** The data of an .npy file starts at a multiple of this (numpy/lib/format.py). */
const npyAlignment_bytes = 64;

/** Encodes numbers as an .npy file (version 1.0), row-major. */
function encodeNpy(values: Float32Array | Float64Array, shape: readonly number[]): Uint8Array {
  const type = values instanceof Float64Array ? '<f8' : '<f4';
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const head = npyMagic.length + 2;
  const length = Math.ceil((head + words.length + 1) / npyAlignment_bytes) * npyAlignment_bytes - head;
  const out = Buffer.alloc(head + length + values.byteLength);
  out.set(npyMagic);
  out.writeUInt16LE(length, npyMagic.length);
  out.write(`${words.padEnd(length - 1)}\n`, head, 'latin1');
  out.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), head + length);
  return out;
}

const tarBlockBytes = 512;
/** Longer names are split into a prefix and this field. */
const maxNameBytes = 100;
const maxPrefixBytes = 155;

/**
 * Writes a tar archive of plain files (POSIX ustar), deterministically: no owner, no times. Implemented here because it
 * is a single fixed header, and a library would add a stream in between.
 */
class TarWriter {
  readonly path: string;
  readonly #file: FileHandle;
  bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Creates the archive. @throws AssayError `output_unwritable` */
  static async open(path: string): Promise<TarWriter> {
    return new TarWriter(path, await withWriteErrors(path, open(path, 'wx')));
  }

  async add(files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<void> {
    const parts = files.flatMap(([name, bytes]) => {
      const rest = bytes.length % tarBlockBytes;
      return [tarHeader(name, bytes.length), bytes, new Uint8Array(rest === 0 ? 0 : tarBlockBytes - rest)];
    });
    await this.#write(parts);
  }

  async close(): Promise<void> {
    try {
      await this.#write([new Uint8Array(2 * tarBlockBytes)]);
    } finally {
      await this.#file.close();
    }
  }

  async #write(parts: readonly Uint8Array[]): Promise<void> {
    const all = Buffer.concat(parts);
    this.bytes += all.length;
    await withWriteErrors(this.path, this.#file.appendFile(all));
  }
}

function tarHeader(name: string, size: number): Uint8Array {
  const header = Buffer.alloc(tarBlockBytes);
  const [prefix, last] = splitTarName(name);
  header.write(last, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function splitTarName(name: string): [prefix: string, last: string] {
  if (Buffer.byteLength(name) <= maxNameBytes) return ['', name];
  const at = name.lastIndexOf('/', maxPrefixBytes);
  const parts: [string, string] = [name.slice(0, Math.max(0, at)), name.slice(at + 1)];
  if (at > 0 && Buffer.byteLength(parts[0]) <= maxPrefixBytes && Buffer.byteLength(parts[1]) <= maxNameBytes)
    return parts;
  throw new AssayError('output_unwritable', `file name too long for a tar archive: ${name}`, { path: name });
}
