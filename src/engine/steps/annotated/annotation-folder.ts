import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError, messageOf, sha256 } from '#core';
import { type JobLayerId, jobLayerIdSchema } from '#core/api';
import type { ExportedLayer } from './exported-layers.ts';
import type { AnnotationSource } from './read-annotated.ts';

const file = z.object({ name: z.string(), path: z.string(), sha256: z.string() });
const told = z.object({ state: z.string(), files: z.array(file).default([]) });
const listSchema = z.object({
  schema: z.literal('assay/annotations/v1'),
  episodes: z.array(
    z.object({
      id: z.string(),
      dataset: z.string(),
      index: z.number(),
      layers: z.partialRecord(jobLayerIdSchema, told),
    }),
  ),
});
export type ToldLayer = z.infer<typeof told>;
type Listed = z.infer<typeof listSchema>['episodes'][number];

interface Named {
  readonly id: string;
  readonly index: number;
}

/** A folder that `assay annotate --out` wrote. */
export class AnnotationFolder {
  readonly #folder: string;
  readonly #episodes: ReadonlyMap<string, Listed>;

  /** Throws `usage` where the folder holds none. */
  constructor(folder: string) {
    this.#folder = folder;
    const list = listSchema.safeParse(readList(folder));
    if (!list.success) throw noAnnotations(folder, list.error.issues[0].message);
    // Several datasets may have an episode of one name: then it cannot be told which is meant.
    const byName = Map.groupBy(list.data.episodes, ({ id, index }) => keyOf(id, index));
    this.#episodes = new Map([...byName].flatMap(([key, all]) => (all.length === 1 ? [[key, all[0]]] : [])));
  }

  /** Layers that are done of an episode; undefined where it is not listed. */
  of({ id, index }: Named): ReadonlyMap<JobLayerId, ToldLayer> | undefined {
    const listed = this.#episodes.get(keyOf(id, index));
    if (listed === undefined) return undefined;
    const done = jobLayerIdSchema.options.flatMap((layer) => {
      const own = listed.layers[layer];
      return own?.state === 'done' ? [[layer, own] as const] : [];
    });
    return new Map(done);
  }

  /** Layers that are done of any episode. */
  get layers(): readonly JobLayerId[] {
    const listed = [...this.#episodes.values()];
    return jobLayerIdSchema.options.filter((layer) =>
      listed.some(({ layers }) => layers[layer]?.state === 'done'),
    );
  }

  /** For an export that has a place for these layers. */
  source(wanted: readonly ExportedLayer[]): AnnotationSource {
    const told = (episode: Named) => {
      const layers = this.of(episode);
      return wanted.flatMap((layer) => {
        const own = layers?.get(layer);
        return own === undefined ? [] : [[layer, own] as const];
      });
    };
    return {
      layers: (episode) => told(episode).map(([layer]) => layer),
      read: async (episode) => {
        const found = told(episode).map(([layer, own]) => {
          const bytes = this.bytes(own, 'artifact');
          return [layer, { value: JSON.parse(Buffer.from(bytes).toString()), sha256: sha256(bytes) }];
        });
        return found.length === 0 ? null : { artifacts: Object.fromEntries(found), written: null };
      },
    };
  }

  /** Throws as `bytes`. */
  artifact(own: ToldLayer): unknown {
    return JSON.parse(Buffer.from(this.bytes(own, 'artifact')).toString());
  }

  /** Only what lies in the folder, and is what was written. Throws `hash_mismatch`. */
  bytes({ files }: ToldLayer, name: string): Uint8Array {
    const part = files.find((one) => one.name === name);
    const path = part === undefined ? '' : resolve(this.#folder, part.path);
    const below = relative(resolve(this.#folder), path);
    const isInside = part !== undefined && !below.startsWith('..') && !isAbsolute(below);
    const bytes = isInside ? readFileSync(path) : null;
    if (bytes !== null && sha256(bytes) === part?.sha256) return bytes;
    throw new AssayError('hash_mismatch', `${part?.path ?? name} is not what annotations.json names`, {
      path: this.#folder,
      advice: 'have assay annotate write the folder again',
    });
  }
}

const keyOf = (id: string, index: number): string => `${index} ${id}`;

/** Throws `usage` where there is none, or no JSON. */
function readList(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'annotations.json'), 'utf8'));
  } catch (thrown) {
    throw noAnnotations(folder, `annotations.json cannot be read: ${messageOf(thrown)}`);
  }
}

const noAnnotations = (folder: string, why: string): AssayError =>
  new AssayError('usage', `${folder} holds no annotations: ${why}`, {
    path: folder,
    advice: 'name the folder that assay annotate PATH --out wrote',
  });
