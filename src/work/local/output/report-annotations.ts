import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { OverlayParts } from '#annotation';
import { jobLayerIdSchema, type LayerId, layerIdSchema } from '#contract';
import { AssayError, messageOf, sha256 } from '#kernel';
import { createMediaService, decodeSamples, type MediaService } from '#media';
import type { RenderedEpisode } from '#report';
import { annotatedEpisode } from '../../steps/report/annotated-episode.ts';

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
type Told = z.infer<typeof told>;
type Listed = z.infer<typeof listSchema>['episodes'][number];

const drawn = z.object({
  receipt: z.object({ episode: z.object({ id: z.string(), index: z.number() }) }),
});

/** Annotations of a folder that `assay annotate` wrote, for the pages of episodes. */
export class ReportAnnotations implements AsyncDisposable {
  readonly #folder: string;
  readonly #episodes: ReadonlyMap<string, Listed>;
  #media: MediaService | null = null;

  /** Throws `usage` where the folder holds none. */
  constructor(folder: string) {
    this.#folder = folder;
    const list = listSchema.safeParse(readList(folder));
    if (!list.success) throw noAnnotations(folder, list.error.issues[0].message);
    // Several datasets may have an episode of one name: then it cannot be told which is meant.
    const byName = Map.groupBy(list.data.episodes, ({ id, index }) => keyOf(id, index));
    this.#episodes = new Map([...byName].flatMap(([key, all]) => (all.length === 1 ? [[key, all[0]]] : [])));
  }

  /** The episode with what layers say of it; without, where they say nothing. Throws `hash_mismatch`, `unreadable_input`. */
  async add(rendered: RenderedEpisode): Promise<RenderedEpisode> {
    const { id, index } = drawn.parse(JSON.parse(rendered.data)).receipt.episode;
    const listed = this.#episodes.get(keyOf(id, index));
    if (listed === undefined) return rendered;
    const own = (layer: LayerId) => listed.layers[layer]!;
    return annotatedEpisode(rendered, {
      layers: layerIdSchema.options.filter((layer) => isDone(listed.layers[layer])),
      artifact: async (layer) => JSON.parse(Buffer.from(this.#bytes(own(layer), 'artifact')).toString()),
      parts: (layer) => this.#partsOf(own(layer)),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#media?.close();
  }

  #partsOf(own: Told): OverlayParts {
    const bytes = async (name: string) => this.#bytes(own, name);
    const samples = async (name: string) => {
      this.#media ??= createMediaService({ children: 1 });
      return decodeSamples(this.#media, await bytes(name));
    };
    return { bytes, samples };
  }

  /** Only what lies in the folder, and is what was written. */
  #bytes({ files }: Told, name: string): Uint8Array {
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

function isDone(layer: Told | undefined): layer is Told {
  return layer?.state === 'done';
}

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
