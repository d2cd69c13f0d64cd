import { rmSync } from 'node:fs';
import { type JsonText, joinJson, newId, toJson } from '#core';
import type { Decision, Receipt } from '#core/api';
import type { Kind } from '#core/episode';
import { sampleVersion } from '#quality/curation';
import type { JudgedEpisode, JudgedRow, ReceiptsExtent } from '#store';
import { blobName } from '../../packs/blob-name.ts';
import { PackWriter } from '../../packs/pack-writer.ts';
import type { EmbeddedEpisode } from '../embed/embed-episode.ts';
import { kindSetByHand } from '../measure/kind-set-by-hand.ts';
import type { OpenRun } from '../open-run.ts';
import type { StepContext } from '../step-context.ts';
import type { JudgeUnit } from '../units.ts';

/**
 * What goes into one commit: little enough that others who ask the database hardly wait, and that the embedded one, whose
 * memory never shrinks, takes no more for it. A thousand episodes, some 9 MB of JSON, cost it 137 MB and were no faster.
 */
const partTime_ms = 1000;
const partEpisodes = 250;

/** A unit on its way into packs. */
interface OpenUnit {
  readonly unit: JudgeUnit;
  readonly names: Names;
  /** In packs that were handed over. */
  readonly receipts: readonly ReceiptsExtent[];
  readonly decisions: Record<Decision, number>;
  /** Where its receipts begin in the pack at hand. */
  readonly from: number;
  shard_place: number;
  readonly begun_ms: number;
}

/** Receipts in blobs, one a line, and the rows that go with them. */
export class ReceiptPacks {
  readonly #openRun: OpenRun;
  readonly #context: StepContext;
  #pack: { readonly key: string; readonly file: PackWriter; readonly begun_ms: number } | null = null;
  #units: JudgedRow[] = [];
  #episodes: JsonText<JudgedEpisode>[] = [];
  #open: OpenUnit | null = null;

  constructor(openRun: OpenRun, context: StepContext) {
    this.#openRun = openRun;
    this.#context = context;
  }

  get full(): boolean {
    if (this.#pack === null) return false;
    return this.#episodes.length >= partEpisodes || performance.now() - this.#pack.begun_ms >= partTime_ms;
  }

  begin(unit: JudgeUnit): void {
    this.#open = {
      unit,
      names: new Names(),
      receipts: [],
      decisions: { accept: 0, review: 0, reject: 0 },
      from: this.#pack?.file.position ?? 0,
      shard_place: unit.pack_entry.shard_from,
      begun_ms: performance.now(),
    };
  }

  add(
    { receipt, json }: { readonly receipt: Receipt; readonly json: string },
    embedded: EmbeddedEpisode | undefined,
  ): void {
    const open = this.#open!;
    const { dataset, shard_blob } = open.unit;
    const { path: dataset_path, format } = this.#openRun.datasets[dataset];
    const { key, file } = this.#packAtHand();
    const offset = file.position;
    const row: JudgedEpisode = {
      ...episodeRow(receipt),
      objects: embedded?.objects ?? [],
      vectors: [...(embedded?.vectors ?? []), ...(embedded?.unranked ?? [])],
      sample: embedded === undefined ? null : { version: sampleVersion, ...embedded.curation },
      name: open.names.unique(receipt.episode.id),
      dataset_path,
      format,
      shard_blob,
      shard_place: shard_blob === null ? null : open.shard_place++,
      pack_blob: key,
      offset,
      length: file.line(json),
    };
    open.decisions[receipt.decision]++;
    this.#episodes.push(toJson(row));
  }

  /** The unit is judged; it goes with the pack at hand. */
  end(): void {
    if (this.#open !== null) this.#units.push(this.#row(this.#open, 'judged'));
    this.#open = null;
  }

  async handOver(): Promise<void> {
    const pack = this.#pack;
    const units = this.#unitsSoFar();
    if (units.length === 0) return;
    const episodes = joinJson(this.#episodes);
    this.#pack = null;
    this.#units = [];
    this.#episodes = [];
    pack?.file.close();
    const { blobs } = this.#context;
    const stored =
      pack === null ? undefined : this.#context.patiently(() => blobs.putFile(pack.key, pack.file.path));
    const part = { type: 'judged', count: units.length, units: toJson(units), episodes } as const;
    await this.#context.hand(part, stored);
  }

  /** Units that are judged and the one that is open, which goes on in the next pack. */
  #unitsSoFar(): readonly JudgedRow[] {
    const open = this.#open;
    if (open === null) return this.#units;
    const row = this.#row(open, 'measured');
    this.#open = { ...open, receipts: row.receipts, from: 0, begun_ms: performance.now() };
    return [...this.#units, row];
  }

  discard(): void {
    if (this.#pack === null) return;
    this.#pack.file.close();
    rmSync(this.#pack.file.path, { force: true });
  }

  #packAtHand() {
    this.#pack ??= {
      key: blobName(this.#openRun.run, 'receipts'),
      file: new PackWriter(this.#context.scratchFile()),
      begun_ms: performance.now(),
    };
    return this.#pack;
  }

  #row({ unit, receipts, decisions, from, begun_ms }: OpenUnit, state: JudgedRow['state']): JudgedRow {
    const length = this.#pack === null ? 0 : this.#pack.file.position - from;
    return {
      place: unit.place,
      attempt: unit.attempt,
      state,
      receipts:
        this.#pack === null || length === 0 ? receipts : [...receipts, [this.#pack.key, from, length]],
      ...decisions,
      compute_s: (performance.now() - begun_ms) / 1000,
    };
  }
}

/** Readers name each episode of a dataset once; a damaged recording that names one twice must not stop a commit. */
class Names {
  readonly #seen = new Map<string, number>();

  unique(name: string): string {
    const before = this.#seen.get(name) ?? 0;
    this.#seen.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  }
}

const setByHand = new RegExp(`^${kindSetByHand}; the streams say (\\S+)$`);

/** What the streams say where it is not what the episode was judged as. */
function derivedKind({ kind, evidence }: Receipt['kind']): Kind | null {
  const said = setByHand.exec(evidence[0] ?? '')?.[1];
  return said === undefined || said === kind ? null : (said as Kind);
}

function episodeRow({ episode, kind, ...receipt }: Receipt) {
  return {
    id: newId('ep'),
    receipt_id: newId('rcp'),
    index: episode.index,
    kind: kind.kind,
    derived_kind: derivedKind(kind),
    decision: receipt.decision,
    score: receipt.score,
    graded_fraction: receipt.graded_fraction,
    duration_s: episode.duration_s,
    start_ns: episode.start_ns,
    robot: episode.robot,
    task: episode.tasks?.[0] ?? null,
    cameras: receipt.streams.filter(({ modality }) => modality === 'video' || modality === 'image').length,
    depth_cameras: receipt.streams.filter(({ role }) => role === 'depth').length,
    outcome: episode.outcome.value,
    flags: [...new Set(receipt.flags.map(({ code }) => code))],
    content_hash: receipt.content_hash,
    settings_hash: receipt.settings_hash,
  };
}
