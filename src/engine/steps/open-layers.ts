import { AssayError, sha256 } from '#core';
import type { LayerId } from '#core/api';
import { decodeSamples, type MediaService } from '#io/media';
import { type OpenOverlay, type OverlayParts, overlayOf } from '#labels/annotation';
import type { Blobs } from '#store';
import type { EpisodeInput } from './annotate/episode-inputs.ts';
import type { OverlayLayer } from './units.ts';

/** A layer's annotation, ready to be drawn. */
export interface OpenLayer {
  readonly layer: LayerId;
  readonly open: OpenOverlay;
  readonly parts: OverlayParts;
}

interface Tools {
  readonly blobs: Blobs;
  /** Decoder for samples of parts. */
  readonly media: MediaService;
}

/** Opens the layers' annotations; layers without overlay are left out. Throws `hash_mismatch`, `unreadable_input`. */
export async function openLayers(
  layers: readonly OverlayLayer[],
  input: Pick<EpisodeInput, 'output' | 'stored'>,
  tools: Tools,
): Promise<readonly OpenLayer[]> {
  const opened: OpenLayer[] = [];
  for (const filmed of layers) {
    const artifact = await input.output(filmed.layer);
    const overlay = overlayOf(filmed.layer);
    if (artifact === null || overlay === null) continue;
    const blob = input.stored[filmed.layer]!.blob;
    opened.push({ layer: filmed.layer, open: overlay.open(artifact), parts: openParts(filmed, blob, tools) });
  }
  return opened;
}

/**
 * Returns access to the parts of an artifact. The last part is cached, since consecutive pictures often share one.
 * Throws `hash_mismatch`.
 */
export function openParts(
  { layer, parts }: OverlayLayer,
  blob: string,
  { blobs, media }: Tools,
): OverlayParts {
  let kept: { readonly name: string; readonly bytes: Uint8Array } | null = null;
  const bytes = async (name: string) => {
    if (kept?.name === name) return kept.bytes;
    const part = parts.find((one) => one.name === name);
    const read = part === undefined ? null : await blobs.range(blob, part.offset, part.length);
    if (read === null || sha256(read) !== part?.hash)
      throw new AssayError('hash_mismatch', `the file ${name} of the layer ${layer} is corrupt`);
    kept = { name, bytes: read };
    return read;
  };
  return { bytes, samples: async (name) => decodeSamples(media, await bytes(name)) };
}
