import { AssayError, type JsonText, parseJson, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import type { Stream } from '#core/episode';
import { loadsOf } from '#formats/rules';
import { checks } from '#quality/readiness';
import {
  createReport,
  type EpisodeSketch,
  type RenderedEpisode,
  type ReportFile,
  renderEpisode,
  sketchBudget,
  sketchEpisode,
} from '#quality/report';
import type { Blobs, ReceiptsExtent } from '#store';
import { packLines } from '../../packs/pack-lines.ts';
import { ShardWalk } from '../../packs/shard-walk.ts';
import { partsOf } from '../film/open-layers.ts';
import type { KeptEpisode } from '../judge/episode-judge.ts';
import type { ReportRequest } from '../messages.ts';
import type { OpenRun } from '../open-run.ts';
import type { StepContext } from '../step-context.ts';
import type { ReportedLayer } from '../units.ts';
import { annotatedEpisode } from './annotated-episode.ts';
import { SeenBreaches } from './seen-breaches.ts';

/** Draws the report of a run from its receipts, sketches and what its layers say; the same run gives the same bytes. */
export async function report(
  { title, summary, findings, layers, prefix, units, run }: ReportRequest,
  { datasets }: Pick<OpenRun, 'datasets'>,
  context: StepContext,
): Promise<void> {
  const { blobs } = context;
  const codes = sketchBudget(run.episodes_expected);
  const builder = createReport({ title, checks: checks.rows });
  const write = async (files: readonly ReportFile[]) => {
    for (const { path, content } of files) {
      await context.patiently(() => blobs.put(`${prefix}/${path}`, Buffer.from(content)));
    }
  };
  const annotations = new RunAnnotations(layers, context);
  const seen = datasets.map(() => new SeenBreaches());
  for (const unit of parseJson(units)) {
    const breaches = seen[datasets.findIndex(({ place }) => place === unit.dataset)];
    await using numbers = new ShardWalk(blobs);
    const receipts = receiptLines(blobs, unit.receipts);
    const { shard_blob } = unit;
    const streamsAt = async (place: number) =>
      shard_blob === null ? [] : ((await numbers.at(shard_blob, place))?.streams ?? []);
    let place = unit.pack_entry.shard_from;
    for await (const line of packLines(blobs, unit.measured_blob, unit.pack_entry.kept)) {
      context.signal.throwIfAborted();
      const kept: KeptEpisode = JSON.parse(line);
      const receipt: Receipt = JSON.parse((await receipts.next()).value!);
      breaches.add(receipt.findings, receipt.flags);
      const sketch = kept.sketch ?? drawn(kept, await streamsAt(place), codes);
      const rendered = renderEpisode(receipt, sketch, null);
      await write(builder.add(await annotations.add(rendered, receipt.content_hash)));
      context.progress(1, 0);
      place++;
    }
  }
  const parts = summary.parts.map((part, at) => {
    const loads = loadsOf(datasets[at].facts, seen[at].with(findings[at]));
    return { ...part, loads: loads === null ? null : { ...loads, why: [...loads.why] } };
  });
  await write(builder.finish({ ...summary, parts }));
}

async function* receiptLines(blobs: Blobs, extents: readonly ReceiptsExtent[]): AsyncGenerator<string> {
  for (const [blob, ...extent] of extents) yield* packLines(blobs, blob, extent);
}

/** A sketch of what was not drawn when it was measured: an episode without pictures. */
function drawn({ undrawn }: KeptEpisode, streams: readonly Stream[], codes: number): EpisodeSketch | null {
  return undrawn === undefined ? null : sketchEpisode({ ...undrawn, streams }, new Map(), { codes });
}

/** What layers of a run say of its episodes, for the pages of its report. */
class RunAnnotations {
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
