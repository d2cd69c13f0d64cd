import { z } from 'zod';
import { type LayerId, layerIdSchema } from '#core/api';
import { createMediaService, decodeSamples, type MediaService } from '#io/media';
import type { OverlayParts } from '#labels/annotation';
import type { RenderedEpisode } from '#quality/report';
import { AnnotationFolder, type ToldLayer } from '../../steps/annotated/annotation-folder.ts';
import { annotatedEpisode } from '../../steps/report/annotated-episode.ts';

const drawn = z.object({
  receipt: z.object({ episode: z.object({ id: z.string(), index: z.number() }) }),
});

/** Annotations of a folder that `assay annotate` wrote, for the pages of episodes. */
export class ReportAnnotations implements AsyncDisposable {
  readonly #folder: AnnotationFolder;
  #media: MediaService | null = null;

  /** Throws `usage` where the folder holds none. */
  constructor(folder: string) {
    this.#folder = new AnnotationFolder(folder);
  }

  /** The episode with what layers say of it; without, where they say nothing. Throws `hash_mismatch`, `unreadable_input`. */
  async add(rendered: RenderedEpisode): Promise<RenderedEpisode> {
    const layers = this.#folder.of(drawn.parse(JSON.parse(rendered.data)).receipt.episode);
    if (layers === undefined) return rendered;
    const own = (layer: LayerId) => layers.get(layer)!;
    return annotatedEpisode(rendered, {
      layers: layerIdSchema.options.filter((layer) => layers.has(layer)),
      artifact: async (layer) => this.#folder.artifact(own(layer)),
      parts: (layer) => this.#partsOf(own(layer)),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#media?.close();
  }

  #partsOf(own: ToldLayer): OverlayParts {
    const bytes = async (name: string) => this.#folder.bytes(own, name);
    const samples = async (name: string) => {
      this.#media ??= createMediaService({ children: 1 });
      return decodeSamples(this.#media, await bytes(name));
    };
    return { bytes, samples };
  }
}
