import { AssayError, type JsonText, parseJson, sha256 } from '#core';
import type { LayerId } from '#core/api';
import type { RenderedEpisode } from '#quality/report';
import { partsOf } from '../film/open-layers.ts';
import type { StepContext } from '../step-context.ts';
import type { ReportedLayer } from '../units.ts';
import { annotatedEpisode } from './annotated-episode.ts';

/** What layers of a run say of its episodes, for the pages of its report. */
export class RunAnnotations {
  readonly #byReceipt: ReadonlyMap<string, ReadonlyMap<LayerId, ReportedLayer>>;
  readonly #context: Pick<StepContext, 'blobs' | 'lanes' | 'patiently'>;

  constructor(
    layers: JsonText<readonly ReportedLayer[]>,
    context: Pick<StepContext, 'blobs' | 'lanes' | 'patiently'>,
  ) {
    const all = Map.groupBy(parseJson(layers), ({ content_hash }) => content_hash);
    this.#byReceipt = new Map(
      [...all].map(([hash, own]) => [hash, new Map(own.map((one) => [one.layer, one]))]),
    );
    this.#context = context;
  }

  /** The episode with what was said of it; as it is, where that was made again meanwhile. */
  async add(rendered: RenderedEpisode, content_hash: string): Promise<RenderedEpisode> {
    const own = this.#byReceipt.get(content_hash);
    if (own === undefined) return rendered;
    const { blobs, lanes } = this.#context;
    const tools = {
      blobs,
      get media() {
        return lanes.media;
      },
    };
    try {
      return await annotatedEpisode(rendered, {
        layers: [...own.keys()],
        artifact: (layer) => this.#artifact(own.get(layer)!),
        parts: (layer) => partsOf(own.get(layer)!, own.get(layer)!.blob, tools),
      });
    } catch (thrown) {
      const isGone = thrown instanceof AssayError && ['not_found', 'hash_mismatch'].includes(thrown.code);
      if (isGone) return rendered;
      throw thrown;
    }
  }

  async #artifact({ layer, blob, offset, length, hash }: ReportedLayer): Promise<unknown> {
    const { blobs, patiently } = this.#context;
    const bytes = await patiently(() => blobs.range(blob, offset, length));
    if (sha256(bytes) === hash) return JSON.parse(Buffer.from(bytes).toString());
    throw new AssayError('hash_mismatch', `what is stored of ${layer} is not what it wrote`);
  }
}
