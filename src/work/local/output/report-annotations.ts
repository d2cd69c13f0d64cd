import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import {
  drawingOrder,
  drawOverlays,
  type OpenOverlay,
  type OverlayCanvas,
  overlayOf,
  overlaySvg,
  sizeOfWidth,
} from '#annotation';
import { jobLayerIdSchema, type LayerId, layerIdSchema } from '#contract';
import { AssayError, messageOf, sha256 } from '#kernel';
import { createMediaService, decodeSamples, type MediaService } from '#media';
import type { RenderedEpisode } from '#report';

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

const spans = z.object({
  segments: z.array(z.object({ from_s: z.number(), to_s: z.number(), kind: z.string() })),
});
const windows = z.object({
  windows: z.array(z.object({ from_s: z.number(), to_s: z.number(), text: z.string() })),
});
const shown = z.array(z.array(z.object({ time_s: z.number(), width_px: z.number(), height_px: z.number() })));
type Shown = z.infer<typeof shown>[number][number];
const drawn = z.object({
  receipt: z.object({ episode: z.object({ id: z.string(), index: z.number() }) }),
  sketch: z.object({ cameras: z.array(z.object({ id: z.string() })) }).nullable(),
});

/** What layers say of a picture that stands for longer than this is not drawn over a later one. */
const stale_s = 2;
const width_px = 640;

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
    const { receipt, sketch } = drawn.parse(JSON.parse(rendered.data));
    const { id, index } = receipt.episode;
    const listed = this.#episodes.get(keyOf(id, index));
    if (listed === undefined) return rendered;
    const { segments, captions } = listed.layers;
    const annotations = {
      segments: isDone(segments) ? spans.parse(this.#artifact(segments)).segments : [],
      captions: isDone(captions) ? windows.parse(this.#artifact(captions)).windows : [],
      overlays: await this.#overlays(listed, sketch?.cameras.map((one) => one.id) ?? [], rendered.pictures),
    };
    return { ...rendered, annotations: JSON.stringify(annotations) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#media?.close();
  }

  /** By camera and picture: each layer's drawing. */
  async #overlays(listed: Listed, cameras: readonly string[], pictures: string | null) {
    const all = pictures === null ? [] : shown.parse(JSON.parse(pictures));
    const order = drawingOrder(layerIdSchema.options.filter((layer) => isDone(listed.layers[layer])));
    const opened = order.flatMap((layer) => {
      const own = listed.layers[layer]!;
      const open = overlayOf(layer)!.open(this.#artifact(own));
      return open.cameras === null ? [] : [{ layer, own, open }];
    });
    const byCamera = [];
    for (const [at, thumbnails] of all.entries()) {
      const byPicture = [];
      for (const picture of thumbnails) {
        const layers = [];
        let lines = 0;
        for (const { layer, own, open } of opened) {
          const canvas = await this.#drawn({ layer, own, open }, cameras[at], { ...picture, lines });
          if (canvas === null) continue;
          lines = canvas.lines;
          layers.push({ layer, svg: await overlaySvg(canvas) });
        }
        byPicture.push(layers);
      }
      byCamera.push(byPicture);
    }
    return byCamera;
  }

  async #drawn(
    { layer, own, open }: { readonly layer: LayerId; readonly own: Told; readonly open: OpenOverlay },
    camera: string,
    { time_s, width_px: width, height_px: height, lines }: Shown & { readonly lines: number },
  ): Promise<OverlayCanvas | null> {
    const saying = open.at(camera, time_s);
    if (saying === null || Math.abs((saying.time_s ?? time_s) - time_s) > stale_s) return null;
    const bytes = async (name: string) => this.#bytes(own, name);
    const samples = async (name: string) => {
      this.#media ??= createMediaService({ children: 1 });
      return decodeSamples(this.#media, await bytes(name));
    };
    const size = sizeOfWidth(width_px, [width, height]);
    return drawOverlays([{ layer, saying, parts: { bytes, samples } }], size, time_s, { lines });
  }

  #artifact(own: Told): unknown {
    return JSON.parse(Buffer.from(this.#bytes(own, 'artifact')).toString());
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
