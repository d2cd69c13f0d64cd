import type { Annotated } from '#exports';
import type { JsonObject } from '#kernel';
import { annotatedOf, type ExportedLayer, exportedLayers, type FoundAnnotations } from './read-annotated.ts';

/** Reads what layers say of one episode after the other, and keeps which layers those were, for the lineage. */
export class AnnotationNotes {
  readonly #layers = new Set<ExportedLayer>();
  #episodes = 0;

  /** Throws as `annotatedOf`. */
  of(found: FoundAnnotations | null): Annotated | null {
    if (found === null) return null;
    const own = exportedLayers.filter(
      (layer) => found.artifacts[layer] !== undefined || (layer === 'dense_text' && found.written !== null),
    );
    if (own.length === 0) return null;
    for (const layer of own) this.#layers.add(layer);
    this.#episodes++;
    return annotatedOf(found);
  }

  /** None where nothing was read. */
  edits(): JsonObject[] {
    if (this.#episodes === 0) return [];
    const layers = exportedLayers.filter((layer) => this.#layers.has(layer));
    return [{ edit: 'add_annotations', layers, episodes: this.#episodes }];
  }
}
