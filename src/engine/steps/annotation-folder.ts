import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError, messageOf, sha256 } from '#core';
import { type JobLayerId, jobLayerIdSchema } from '#core/api';
import type { ExportedLayer } from './exported-layers.ts';
import type { AnnotationSource } from './read-annotations.ts';

const file = z.object({ name: z.string(), path: z.string(), sha256: z.string() });
const listedLayerSchema = z.object({ state: z.string(), files: z.array(file).default([]) });
const listSchema = z.object({
  schema: z.literal('assay/annotations/v1'),
  episodes: z.array(
    z.object({
      id: z.string(),
      dataset: z.string(),
      index: z.number(),
      layers: z.partialRecord(jobLayerIdSchema, listedLayerSchema),
    }),
  ),
});
/** A layer of an episode in `annotations.json`. */
export type ListedLayer = z.infer<typeof listedLayerSchema>;
type ListedEpisode = z.infer<typeof listSchema>['episodes'][number];

interface EpisodeId {
  readonly id: string;
  readonly index: number;
}

/** Reads a folder written by `assay annotate --out`. */
export class AnnotationFolder {
  readonly #folder: string;
  readonly #episodes: ReadonlyMap<string, ListedEpisode>;

  /** Throws `usage` if the folder has no valid `annotations.json`. */
  constructor(folder: string) {
    this.#folder = folder;
    const list = listSchema.safeParse(readList(folder));
    if (!list.success) throw noAnnotationsError(folder, list.error.issues[0].message);
    // Episodes whose id and index occur in several datasets are ambiguous and left out.
    const byName = Map.groupBy(list.data.episodes, ({ id, index }) => episodeKey(id, index));
    this.#episodes = new Map([...byName].flatMap(([key, all]) => (all.length === 1 ? [[key, all[0]]] : [])));
  }

  /** Returns the finished layers of an episode; undefined if it is not listed, or listed more than once. */
  findLayers({ id, index }: EpisodeId): ReadonlyMap<JobLayerId, ListedLayer> | undefined {
    const listed = this.#episodes.get(episodeKey(id, index));
    if (listed === undefined) return undefined;
    const done = jobLayerIdSchema.options.flatMap((layer) => {
      const own = listed.layers[layer];
      return own?.state === 'done' ? [[layer, own] as const] : [];
    });
    return new Map(done);
  }

  /** Returns the layers that are finished for any episode. */
  get layers(): readonly JobLayerId[] {
    const listed = [...this.#episodes.values()];
    return jobLayerIdSchema.options.filter((layer) =>
      listed.some(({ layers }) => layers[layer]?.state === 'done'),
    );
  }

  /** Returns the annotations of an export: the finished ones of the `requested` layers. */
  source(requested: readonly ExportedLayer[]): AnnotationSource {
    const selectLayers = (episode: EpisodeId) => {
      const layers = this.findLayers(episode);
      return requested.flatMap((layer) => {
        const own = layers?.get(layer);
        return own === undefined ? [] : [[layer, own] as const];
      });
    };
    return {
      layers: (episode) => selectLayers(episode).map(([layer]) => layer),
      read: async (episode) => {
        const found = selectLayers(episode).map(([layer, own]) => {
          const bytes = this.bytes(own, 'artifact');
          return [layer, { value: JSON.parse(Buffer.from(bytes).toString()), sha256: sha256(bytes) }];
        });
        return found.length === 0 ? null : { artifacts: Object.fromEntries(found), written: null };
      },
    };
  }

  /** Returns the parsed artifact of a layer. Throws as `bytes`. */
  artifact(own: ListedLayer): unknown {
    return JSON.parse(Buffer.from(this.bytes(own, 'artifact')).toString());
  }

  /** Returns the bytes of a file of a layer. Throws `hash_mismatch` if it is missing, outside the folder or changed. */
  bytes({ files }: ListedLayer, name: string): Uint8Array {
    const part = files.find((one) => one.name === name);
    const path = part === undefined ? '' : resolve(this.#folder, part.path);
    const below = relative(resolve(this.#folder), path);
    const isInside = part !== undefined && !below.startsWith('..') && !isAbsolute(below);
    const bytes = isInside ? readFileSync(path) : null;
    if (bytes !== null && sha256(bytes) === part?.sha256) return bytes;
    throw new AssayError('hash_mismatch', `${part?.path ?? name} does not match annotations.json`, {
      path: this.#folder,
      advice: 'run assay annotate again to rewrite the folder',
    });
  }
}

const episodeKey = (id: string, index: number): string => `${index} ${id}`;

/** Reads `annotations.json`. Throws `usage` if it is missing or no JSON. */
function readList(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'annotations.json'), 'utf8'));
  } catch (thrown) {
    throw noAnnotationsError(folder, `cannot read annotations.json: ${messageOf(thrown)}`);
  }
}

const noAnnotationsError = (folder: string, why: string): AssayError =>
  new AssayError('usage', `no annotations in ${folder}: ${why}`, {
    path: folder,
    advice: 'use the folder written by assay annotate PATH --out',
  });
