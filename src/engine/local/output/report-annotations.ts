import { z } from 'zod';
import { type LayerId, layerIdSchema } from '#core/api';
import { createMediaService, decodeSamples, type MediaService } from '#io/media';
import type { OverlayParts } from '#labels/annotation';
import type { RenderedEpisode } from '#quality/report';
import { addAnnotations } from '../../steps/annotated-episode.ts';
import { AnnotationFolder, type ListedLayer } from '../../steps/annotation-folder.ts';

const renderedSchema = z.object({
  receipt: z.object({ episode: z.object({ id: z.string(), index: z.number() }) }),
});

/** Adds the annotations of an `assay annotate` folder to report episodes. */
export class ReportAnnotations implements AsyncDisposable {
  readonly #folder: AnnotationFolder;
  #media: MediaService | null = null;

  /** Throws `usage` if the folder has none. */
  constructor(folder: string) {
    this.#folder = new AnnotationFolder(folder);
  }

  /**
   * Returns the episode with its annotations, or unchanged if there are none. Throws `hash_mismatch`,
   * `unreadable_input`.
   */
  async add(rendered: RenderedEpisode): Promise<RenderedEpisode> {
    const layers = this.#folder.findLayers(renderedSchema.parse(JSON.parse(rendered.data)).receipt.episode);
    if (layers === undefined) return rendered;
    const own = (layer: LayerId) => layers.get(layer)!;
    return addAnnotations(rendered, {
      layers: layerIdSchema.options.filter((layer) => layers.has(layer)),
      artifact: async (layer) => this.#folder.artifact(own(layer)),
      parts: (layer) => this.#openParts(own(layer)),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#media?.close();
  }

  #openParts(own: ListedLayer): OverlayParts {
    const bytes = async (name: string) => this.#folder.bytes(own, name);
    const samples = async (name: string) => {
      this.#media ??= createMediaService({ children: 1 });
      return decodeSamples(this.#media, await bytes(name));
    };
    return { bytes, samples };
  }
}
