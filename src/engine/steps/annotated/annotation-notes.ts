import { type JsonObject, sha256 } from '#core';
import type { Annotated } from '#formats/write';
import { type ExportedLayer, exportedLayers } from './exported-layers.ts';
import { annotatedOf, type FoundAnnotations } from './read-annotated.ts';

/** SHA-256 of what each layer says of an episode: of its artifact, or of the text that a person wrote over it. */
export type AnnotationHashes = Readonly<Partial<Record<ExportedLayer, string>>>;

/** Reads what layers say of one episode after the other, and keeps what that was, for the lineage. */
export class AnnotationNotes {
  readonly #byEpisode = new Map<string, AnnotationHashes>();

  /** Throws as `annotatedOf`. */
  of(id: string, found: FoundAnnotations | null): Annotated | null {
    if (found === null) return null;
    const { artifacts, written } = found;
    const own = exportedLayers.flatMap((layer) => {
      const hash = layer === 'dense_text' && written !== null ? sha256(written) : artifacts[layer]?.sha256;
      return hash === undefined ? [] : [[layer, hash] as const];
    });
    if (own.length === 0) return null;
    this.#byEpisode.set(id, Object.fromEntries(own));
    return annotatedOf(found);
  }

  /** What was read of an episode. */
  hashes(id: string): { readonly annotations?: AnnotationHashes } {
    const annotations = this.#byEpisode.get(id);
    return annotations === undefined ? {} : { annotations };
  }

  /** None where nothing was read. */
  edits(): JsonObject[] {
    const all = [...this.#byEpisode.values()];
    if (all.length === 0) return [];
    const layers = exportedLayers.filter((layer) => all.some((own) => own[layer] !== undefined));
    return [{ edit: 'add_annotations', layers, episodes: all.length }];
  }
}
