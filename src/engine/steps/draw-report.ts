import { AssayError, type JsonText, parseJson, sha256 } from '#core';
import type { LayerId, Receipt } from '#core/api';
import type { Stream } from '#core/episode';
import { checks, combineSetVerdicts } from '#quality/readiness';
import {
  createReport,
  type EpisodeSketch,
  maxSketchSamples,
  type RenderedEpisode,
  type ReportFile,
  renderEpisode,
  sketchEpisode,
} from '#quality/report';
import type { Blobs, ReceiptsExtent } from '#store';
import { addAnnotations } from './annotated-episode.ts';
import { createTally, judgeDataset } from './judge/dataset-verdict.ts';
import type { MeasuredEpisode } from './judge/episode-judge.ts';
import type { ReportRequest, StepContext } from './messages.ts';
import { openParts } from './open-layers.ts';
import type { StoredRun } from './open-run.ts';
import { ShardCursor } from './packs/blob-readers.ts';
import { readPackLines } from './packs/pack-file.ts';
import type { ReportedLayer } from './units.ts';

/**
 * Draws the report of a run from its receipts, sketches and annotations, and stores its files in the blob store below
 * `prefix`. The same run gives the same bytes.
 */
export async function drawReport(
  { title, summary, listing, parts: reported, layers, prefix, units, run }: ReportRequest,
  { datasets }: Pick<StoredRun, 'datasets'>,
  context: StepContext,
): Promise<void> {
  const { blobs } = context;
  const codes = maxSketchSamples(run.episodes_expected);
  const builder = createReport({ title, checks: checks.rows });
  const write = async (files: readonly ReportFile[]) => {
    for (const { path, content } of files) {
      await context.retry(() => blobs.put(`${prefix}/${path}`, Buffer.from(content)));
    }
  };
  const annotations = new RunAnnotations(layers, context);
  const tallies = datasets.map(({ format }) => createTally(format));
  for (const unit of parseJson(units)) {
    const tally = tallies[datasets.findIndex(({ place }) => place === unit.dataset)];
    await using numbers = new ShardCursor(blobs);
    const receipts = receiptLines(blobs, unit.receipts);
    const { shard_blob } = unit;
    const streamsAt = async (place: number) =>
      shard_blob === null ? [] : ((await numbers.read(shard_blob, place))?.streams ?? []);
    let place = unit.pack_entry.shard_from;
    for await (const line of readPackLines(blobs, unit.measured_blob, unit.pack_entry.kept)) {
      context.signal.throwIfAborted();
      const kept: MeasuredEpisode = JSON.parse(line);
      const receipt: Receipt = JSON.parse((await receipts.next()).value!);
      tally.add(receipt);
      const sketch = kept.sketch ?? sketchWithoutPictures(kept, await streamsAt(place), codes);
      const rendered = renderEpisode(receipt, sketch, null);
      await write(builder.add(await annotations.add(rendered, receipt.content_hash)));
      context.progress(1, 0);
      place++;
    }
  }
  const parts = reported.map(({ findings, unreadable, ...part }, at) => {
    const { counts } = tallies[at];
    const { facts } = datasets[at];
    const { loads, usability } = judgeDataset(facts, { counts, findings, unreadable }, run.settings.loaders);
    return { ...part, loads, usability };
  });
  const usability = combineSetVerdicts(
    parts.map((part) => part.usability),
    listing,
  );
  await write(builder.finish({ ...summary, usability, parts }));
}

async function* receiptLines(blobs: Blobs, extents: readonly ReceiptsExtent[]): AsyncGenerator<string> {
  for (const [blob, ...extent] of extents) yield* readPackLines(blobs, blob, extent);
}

/** Returns the sketch of an episode without pictures, which was not drawn when measured; null if there is no data. */
function sketchWithoutPictures(
  { undrawn }: MeasuredEpisode,
  streams: readonly Stream[],
  codes: number,
): EpisodeSketch | null {
  return undrawn === undefined ? null : sketchEpisode({ ...undrawn, streams }, new Map(), { codes });
}

/** Annotations of a run's episodes, for the report. */
class RunAnnotations {
  readonly #byReceipt: ReadonlyMap<string, ReadonlyMap<LayerId, ReportedLayer>>;
  readonly #context: Pick<StepContext, 'blobs' | 'lanes' | 'retry'>;

  constructor(
    layers: JsonText<readonly ReportedLayer[]>,
    context: Pick<StepContext, 'blobs' | 'lanes' | 'retry'>,
  ) {
    const all = Map.groupBy(parseJson(layers), ({ content_hash }) => content_hash);
    this.#byReceipt = new Map(
      [...all].map(([hash, own]) => [hash, new Map(own.map((one) => [one.layer, one]))]),
    );
    this.#context = context;
  }

  /** Returns the episode with its annotations, or unchanged if they were replaced meanwhile. */
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
      return await addAnnotations(rendered, {
        layers: [...own.keys()],
        artifact: (layer) => this.#artifact(own.get(layer)!),
        parts: (layer) => openParts(own.get(layer)!, own.get(layer)!.blob, tools),
      });
    } catch (thrown) {
      const isGone = thrown instanceof AssayError && ['not_found', 'hash_mismatch'].includes(thrown.code);
      if (isGone) return rendered;
      throw thrown;
    }
  }

  async #artifact({ layer, blob, offset, length, hash }: ReportedLayer): Promise<unknown> {
    const { blobs, retry } = this.#context;
    const bytes = await retry(() => blobs.range(blob, offset, length));
    if (sha256(bytes) === hash) return JSON.parse(Buffer.from(bytes).toString());
    throw new AssayError('hash_mismatch', `the stored artifact of ${layer} is corrupt`);
  }
}
