import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import type { Annotated } from '../../../shared/write/set/judgement.ts';
import { type SightingLayer, sightingLayers } from '../../../shared/write/set/sightings.ts';
import { LineSpool } from '../line-spool.ts';
import { named, quoted } from '../sql.ts';

/** An episode of the new set, and which picture of each camera its rows show. */
export interface SeenEpisode {
  readonly index: number;
  readonly rows: number;
  readonly stamp_s: (row: number) => number;
  readonly cameras: readonly SeenCamera[];
}

interface SeenCamera {
  /** Its name in the set. */
  readonly key: string;
  /** Its name in the recording. */
  readonly stream: string;
  /** Place in its stream of the picture that a row shows; negative: none. */
  readonly pictureOf: (row: number) => number;
}

/**
 * What layers found in pictures, as tables beside a LeRobot set: `annotations/LAYER.parquet`, and `annotations/schema.json`
 * that says what their columns are. A line for each thing in each row that shows the picture it was found in.
 */
export class Sidecars {
  readonly #folder: string;
  readonly #spill: string;
  readonly #spools = new Map<SightingLayer, LineSpool>();
  readonly #names = new Map<SightingLayer, readonly string[]>();

  /** `spill`: a folder for files that are gone when the set is written. */
  constructor(folder: string, spill: string) {
    this.#folder = folder;
    this.#spill = spill;
  }

  async add(
    sightings: Annotated['sightings'],
    { index, rows, stamp_s, cameras }: SeenEpisode,
  ): Promise<void> {
    for (const layer of sightingLayers) {
      const own = sightings[layer];
      if (own === undefined) continue;
      const spool = await this.#spool(layer);
      if (own.point_names !== null) this.#names.set(layer, own.point_names);
      for (let row = 0; row < rows; row++)
        for (const { key: camera, stream, pictureOf } of cameras)
          for (const { size_px, ...found } of own.at.get(`${stream} ${pictureOf(row)}`) ?? []) {
            const [picture_width, picture_height] = size_px;
            const place = { episode_index: index, frame_index: row, timestamp: Math.fround(stamp_s(row)) };
            await spool.add({ ...place, camera, picture_width, picture_height, ...found });
          }
    }
  }

  /** Writes nothing where no layer was added. */
  async finish(connection: DuckDBConnection): Promise<void> {
    if (this.#spools.size === 0) return;
    const folder = join(this.#folder, 'annotations');
    await mkdir(folder, { recursive: true });
    const tables: Record<string, JsonObject> = {};
    for (const layer of sightingLayers) {
      const spool = this.#spools.get(layer);
      if (spool === undefined) continue;
      await spool.flush();
      await writeTable(connection, spool, layer, join(folder, `${layer}.parquet`));
      const point_names = this.#names.get(layer);
      tables[layer] = {
        file: `annotations/${layer}.parquet`,
        columns: sidecarColumns[layer].map((column) => ({ ...column })),
        ...(point_names === undefined ? {} : { point_names: [...point_names] }),
      };
    }
    const schema = { schema: 'assay/sidecars/v1', tables };
    await writeFile(join(folder, 'schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
  }

  /** Lets go of files, whether it was finished or not. */
  async close(): Promise<void> {
    for (const spool of this.#spools.values()) await spool.close();
    this.#spools.clear();
  }

  async #spool(layer: SightingLayer): Promise<LineSpool> {
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
  layer: SightingLayer,
  target: string,
): Promise<void> {
  const columns = sidecarColumns[layer];
  const types = columns.map(({ name, type }) => `${named(name)}: ${quoted(type)}`).join(', ');
  const names = columns.map(({ name }) => named(name)).join(', ');
  await connection.run(
    `COPY (SELECT ${names} FROM read_json(${quoted(path)}, format = 'newline_delimited', columns = {${types}},
     maximum_object_size = ${Math.max(1 << 18, longest * 4)})) TO ${quoted(target)} (FORMAT parquet, COMPRESSION snappy)`,
  );
}

/** A column of a table that lies beside a LeRobot set. */
interface SidecarColumn {
  readonly name: string;
  /** As SQL has it. */
  readonly type: string;
  readonly about: string;
}

const place: readonly SidecarColumn[] = [
  { name: 'episode_index', type: 'BIGINT', about: 'of the set' },
  { name: 'frame_index', type: 'BIGINT', about: 'row of the episode that shows the picture' },
  { name: 'timestamp', type: 'FLOAT', about: 'of that row, in seconds' },
  { name: 'camera', type: 'VARCHAR', about: 'feature of the set' },
  { name: 'picture_width', type: 'BIGINT', about: 'of the recorded picture, in px, which all places are in' },
  { name: 'picture_height', type: 'BIGINT', about: 'of the recorded picture, in px' },
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
  about: 'x and y of each point in px, and its confidence where there is one',
};

/** The columns of each layer's table, in order. */
const sidecarColumns: Readonly<Record<SightingLayer, readonly SidecarColumn[]>> = {
  object_labels: [
    ...place,
    label('class of the object'),
    score,
    box,
    {
      name: 'mask',
      type: 'STRUCT(size BIGINT[], counts VARCHAR)',
      about: 'outline in COCO’s run lengths, size as height and width; null: none',
    },
  ],
  tracks: [
    ...place,
    { name: 'track_id', type: 'BIGINT', about: 'the same for one object in all pictures of a camera' },
    label('class of the object; null: a point is followed'),
    score,
    box,
    points,
  ],
  body_pose: [...place, score, box, points],
  hand_pose: [
    ...place,
    label('left or right'),
    { name: 'label_score', type: 'DOUBLE', about: 'confidence of the label, 0 to 1' },
    score,
    box,
    points,
  ],
};
