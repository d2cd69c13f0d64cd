import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import { sqlName, sqlText } from '../../shared/parquet/duck.ts';
import {
  type DetectionLayer,
  detectionLayers,
  type EpisodeAnnotations,
} from '../../shared/write/set/judgement.ts';
import type { LanguageRow } from './language/persistent-rows.ts';
import { LineSpool } from './line-spool.ts';

/** An episode of the new set, with the picture of each camera that its rows show. */
export interface SidecarEpisode {
  readonly index: number;
  readonly rows: number;
  /** Returns the timestamp of a row, in seconds. */
  readonly stamp_s: (row: number) => number;
  readonly cameras: readonly SidecarCamera[];
}

interface SidecarCamera {
  /** Camera name in the set. */
  readonly key: string;
  /** Stream name in the recording. */
  readonly stream: string;
  /** Returns the position in the stream of the picture that a row shows; negative for none. */
  readonly pictureOf: (row: number) => number;
}

/** Tables beside a set: one per layer of detections, and one of the texts in its language columns. */
const sidecarTables = [...detectionLayers, 'language'] as const;
type SidecarTable = DetectionLayer | 'language';

/**
 * Writes annotations as tables beside a LeRobot set: `annotations/TABLE.parquet`, with their columns described in
 * `annotations/schema.json`. One line per detection and row that shows its picture; one line per text of the language
 * columns, which have no field for who wrote it.
 */
export class Sidecars {
  readonly #folder: string;
  readonly #spill: string;
  readonly #spools = new Map<SidecarTable, LineSpool>();
  readonly #names = new Map<DetectionLayer, readonly string[]>();

  /** Creates a writer. `spill`: folder for temporary files. */
  constructor(folder: string, spill: string) {
    this.#folder = folder;
    this.#spill = spill;
  }

  /**
   * Adds one line per detection of an episode and row that shows its picture; layers without detections are skipped.
   */
  async add(
    sightings: EpisodeAnnotations['sightings'],
    { index, rows, stamp_s, cameras }: SidecarEpisode,
  ): Promise<void> {
    for (const layer of detectionLayers) {
      const own = sightings[layer];
      if (own === undefined) continue;
      const spool = await this.#spool(layer);
      if (own.point_names !== null) this.#names.set(layer, own.point_names);
      for (let row = 0; row < rows; row++)
        for (const { key: camera, stream, pictureOf } of cameras)
          for (const { size_px, ...found } of own.at.get(`${stream} ${pictureOf(row)}`) ?? []) {
            const [picture_width, picture_height] = size_px;
            const location = { episode_index: index, frame_index: row, timestamp: Math.fround(stamp_s(row)) };
            await spool.add({ ...location, camera, picture_width, picture_height, ...found });
          }
    }
  }

  /** Adds the texts of an episode's language columns. */
  async addTexts(episode_index: number, texts: readonly LanguageRow[]): Promise<void> {
    if (texts.length === 0) return;
    const spool = await this.#spool('language');
    for (const { row, source, layer } of texts) {
      const { timestamp, style, content } = row;
      await spool.add({ episode_index, timestamp, style, content, source, layer });
    }
  }

  /** Writes the tables; nothing if no layer was added. */
  async finish(connection: DuckDBConnection): Promise<void> {
    if (this.#spools.size === 0) return;
    const folder = join(this.#folder, 'annotations');
    await mkdir(folder, { recursive: true });
    const tables: Record<string, JsonObject> = {};
    for (const layer of sidecarTables) {
      const spool = this.#spools.get(layer);
      if (spool === undefined) continue;
      await spool.flush();
      await writeTable(connection, spool, layer, join(folder, `${layer}.parquet`));
      const point_names = layer === 'language' ? undefined : this.#names.get(layer);
      tables[layer] = {
        file: `annotations/${layer}.parquet`,
        ...(layer === 'language' ? {} : { source: 'machine' }),
        columns: sidecarColumns[layer].map((column) => ({ ...column })),
        ...(point_names === undefined ? {} : { point_names: [...point_names] }),
      };
    }
    const schema = { schema: 'assay/sidecars/v1', tables };
    await writeFile(join(folder, 'schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  }

  /** Closes open files, finished or not. */
  async close(): Promise<void> {
    for (const spool of this.#spools.values()) await spool.close();
    this.#spools.clear();
  }

  async #spool(layer: SidecarTable): Promise<LineSpool> {
    const known = this.#spools.get(layer);
    if (known !== undefined) return known;
    const made = await LineSpool.open(join(this.#spill, `${layer}.jsonl`));
    this.#spools.set(layer, made);
    return made;
  }
}

async function writeTable(
  connection: DuckDBConnection,
  { path, longest }: LineSpool,
  layer: SidecarTable,
  target: string,
): Promise<void> {
  const columns = sidecarColumns[layer];
  const types = columns.map(({ name, type }) => `${sqlName(name)}: ${sqlText(type)}`).join(', ');
  const names = columns.map(({ name }) => sqlName(name)).join(', ');
  await connection.run(
    `COPY (SELECT ${names} FROM read_json(${sqlText(path)}, format = 'newline_delimited', columns = {${types}},
     maximum_object_size = ${Math.max(1 << 18, longest * 4)})) TO ${sqlText(target)} (FORMAT parquet, COMPRESSION snappy)`,
  );
}

/** A column of a sidecar table. */
interface SidecarColumn {
  readonly name: string;
  /** SQL type. */
  readonly type: string;
  readonly about: string;
}

const locationColumns: readonly SidecarColumn[] = [
  { name: 'episode_index', type: 'BIGINT', about: 'episode index in the dataset' },
  { name: 'frame_index', type: 'BIGINT', about: 'frame index in the episode' },
  { name: 'timestamp', type: 'FLOAT', about: 'timestamp of that frame, in seconds' },
  { name: 'camera', type: 'VARCHAR', about: 'camera feature of the dataset' },
  {
    name: 'picture_width',
    type: 'BIGINT',
    about: 'width of the recorded image in px; all coordinates refer to it',
  },
  { name: 'picture_height', type: 'BIGINT', about: 'height of the recorded image in px' },
];
const label = (about: string): SidecarColumn => ({ name: 'label', type: 'VARCHAR', about });
const score: SidecarColumn = { name: 'score', type: 'DOUBLE', about: 'confidence, 0 to 1' };
const box: SidecarColumn = {
  name: 'box',
  type: 'DOUBLE[]',
  about: 'left, top, width and height, in px',
};
const points: SidecarColumn = {
  name: 'points',
  type: 'DOUBLE[][]',
  about: 'x and y of each point in px, followed by its confidence if available',
};

/** Columns of each layer's table, in order. */
const sidecarColumns: Readonly<Record<SidecarTable, readonly SidecarColumn[]>> = {
  language: [
    { name: 'episode_index', type: 'BIGINT', about: 'episode index in the dataset' },
    { name: 'timestamp', type: 'FLOAT', about: 'timestamp of the frame from which it applies, in seconds' },
    { name: 'style', type: 'VARCHAR', about: 'style in language_persistent' },
    { name: 'content', type: 'VARCHAR', about: 'the text' },
    {
      name: 'source',
      type: 'VARCHAR',
      about: 'who wrote it: machine, person, or recording for the task itself',
    },
    { name: 'layer', type: 'VARCHAR', about: 'annotation layer; null for the task itself' },
  ],
  object_labels: [
    ...locationColumns,
    label('class of the object'),
    score,
    box,
    {
      name: 'mask',
      type: 'STRUCT(size BIGINT[], counts VARCHAR)',
      about: 'mask in COCO run-length encoding, size is [height, width]; null if there is no mask',
    },
  ],
  tracks: [
    ...locationColumns,
    { name: 'track_id', type: 'BIGINT', about: 'identifies the object across all frames of one camera' },
    label('class of the object; null for a tracked point'),
    score,
    box,
    points,
  ],
  body_pose: [...locationColumns, score, box, points],
  hand_pose: [
    ...locationColumns,
    label('left or right'),
    { name: 'label_score', type: 'DOUBLE', about: 'confidence of the label, 0 to 1' },
    score,
    box,
    points,
  ],
};
