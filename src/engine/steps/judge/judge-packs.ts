import { rmSync } from 'node:fs';
import { type JsonText, joinJson, newId, toJson } from '#core';
import type { Decision, Receipt } from '#core/api';
import type { Kind } from '#core/episode';
import { type LoaderSeverities, loaderSeverities } from '#formats/rules';
import { computeTime_ms } from '#io/processes';
import { sampleVersion } from '#quality/curation';
import {
  type EpisodeRecord,
  type ResolvedSettings,
  receiptBody,
  resolveSettings,
  type SetTally,
  sealReceipt,
} from '#quality/readiness';
import type { JudgedEpisode, JudgedRow, ReceiptsExtent } from '#store';
import type { EmbeddedEpisode } from '../embed-episode.ts';
import { kindSetByHand } from '../measure/kinds.ts';
import type { StepContext } from '../messages.ts';
import type { StoredRun } from '../open-run.ts';
import type { NotesReader, UnitNotes } from '../packs/notes.ts';
import { newBlobKey, PackWriter, readPackLines } from '../packs/pack-file.ts';
import type { JudgeUnit } from '../units.ts';
import { createTally } from './dataset-verdict.ts';
import { judgeEpisode, type MeasuredEpisode } from './episode-judge.ts';

/**
 * Judges measured units under the run's settings, seals their receipts and submits them in packs; a unit may span
 * several.
 */
export async function judgeUnits(
  units: readonly JudgeUnit[],
  openRun: StoredRun,
  notes: NotesReader,
  context: StepContext,
): Promise<void> {
  const settings = resolveSettings(openRun.run.settings);
  const packs = new ReceiptPacks(openRun, context);
  try {
    for (const unit of units) {
      context.signal.throwIfAborted();
      context.begin(unit.place);
      const own = {
        notes: await context.retry(() => notes.read(unit.place)),
        severities: loaderSeverities(openRun.datasets[unit.dataset].facts, settings.loaders),
      };
      await judgeUnit(unit, settings, own, packs, context);
    }
    await packs.flush();
    await context.flush();
  } catch (thrown) {
    packs.discard();
    throw thrown;
  }
}

async function judgeUnit(
  unit: JudgeUnit,
  settings: ResolvedSettings,
  { notes, severities }: { readonly notes: UnitNotes; readonly severities: LoaderSeverities | null },
  packs: ReceiptPacks,
  context: StepContext,
): Promise<void> {
  packs.begin(unit);
  for await (const line of readPackLines(context.blobs, unit.measured_blob, unit.pack_entry.kept)) {
    context.signal.throwIfAborted();
    const measured: MeasuredEpisode = JSON.parse(line);
    const own = notes[measured.record.episode.id] ?? {};
    const { record, judgement } = judgeEpisode(measured, own, settings, severities);
    packs.add(sealReceipt(receiptBody(record as EpisodeRecord, judgement, settings)), measured.embedded);
    context.progress(1, 0);
    if (packs.full) await packs.flush();
  }
  packs.end();
}

/**
 * Limits of one commit, small enough not to delay other database users and not to grow the embedded database, whose
 * memory never shrinks. A thousand episodes (9 MB of JSON) took 137 MB and were no faster.
 */
const maxPartTime_ms = 1000;
const maxPartEpisodes = 250;

/** A unit whose receipts are being packed. */
interface OpenUnit {
  readonly unit: JudgeUnit;
  readonly names: UniqueNames;
  /** Extents in packs that were submitted. */
  readonly receipts: readonly ReceiptsExtent[];
  readonly decisions: Record<Decision, number>;
  readonly tally: SetTally;
  /** Offset of its receipts in the current pack. */
  readonly from: number;
  shard_place: number;
  /** Compute time of the thread when the unit, or its part in the current pack, was begun. */
  readonly from_ms: number;
}

/** Writes receipts into blobs, one per line, and collects their rows. */
class ReceiptPacks {
  readonly #openRun: StoredRun;
  readonly #context: StepContext;
  #pack: { readonly key: string; readonly file: PackWriter; readonly begun_ms: number } | null = null;
  #units: JudgedRow[] = [];
  #episodes: JsonText<JudgedEpisode>[] = [];
  #open: OpenUnit | null = null;

  constructor(openRun: StoredRun, context: StepContext) {
    this.#openRun = openRun;
    this.#context = context;
  }

  /** Returns true if a limit of one commit is reached. */
  get full(): boolean {
    if (this.#pack === null) return false;
    return (
      this.#episodes.length >= maxPartEpisodes || performance.now() - this.#pack.begun_ms >= maxPartTime_ms
    );
  }

  /** Begins a unit. */
  begin(unit: JudgeUnit): void {
    this.#open = {
      unit,
      names: new UniqueNames(),
      receipts: [],
      decisions: { accept: 0, review: 0, reject: 0 },
      tally: createTally(this.#openRun.datasets[unit.dataset].format),
      from: this.#pack?.file.position ?? 0,
      shard_place: unit.pack_entry.shard_from,
      from_ms: computeTime_ms(),
    };
  }

  add(
    { receipt, json }: { readonly receipt: Receipt; readonly json: string },
    embedded: EmbeddedEpisode | undefined,
  ): void {
    const open = this.#open!;
    const { dataset, shard_blob } = open.unit;
    const { path: dataset_path, format } = this.#openRun.datasets[dataset];
    const { key, file } = this.#currentPack();
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
      length: file.writeLine(json),
    };
    open.decisions[receipt.decision]++;
    open.tally.add(receipt);
    this.#episodes.push(toJson(row));
  }

  /** Ends the current unit; its row is submitted with the current pack. */
  end(): void {
    if (this.#open !== null) this.#units.push(this.#row(this.#open, 'judged'));
    this.#open = null;
  }

  /** Stores the current pack and submits its rows. */
  async flush(): Promise<void> {
    const pack = this.#pack;
    const units = this.#takeUnits();
    if (units.length === 0) return;
    const episodes = joinJson(this.#episodes);
    this.#pack = null;
    this.#units = [];
    this.#episodes = [];
    pack?.file.close();
    const { blobs } = this.#context;
    const stored =
      pack === null ? undefined : this.#context.retry(() => blobs.putFile(pack.key, pack.file.path));
    const part = { type: 'judged', count: units.length, units: toJson(units), episodes } as const;
    await this.#context.submit(part, stored);
  }

  /** Returns the finished units and the open one, which continues in the next pack. */
  #takeUnits(): readonly JudgedRow[] {
    const open = this.#open;
    if (open === null) return this.#units;
    const row = this.#row(open, 'measured');
    this.#open = { ...open, receipts: row.receipts, from: 0, from_ms: computeTime_ms() };
    return [...this.#units, row];
  }

  /** Deletes a pack that was not submitted. */
  discard(): void {
    if (this.#pack === null) return;
    this.#pack.file.close();
    rmSync(this.#pack.file.path, { force: true });
  }

  #currentPack() {
    this.#pack ??= {
      key: newBlobKey(this.#openRun.run, 'receipts'),
      file: new PackWriter(this.#context.scratchFile()),
      begun_ms: performance.now(),
    };
    return this.#pack;
  }

  #row({ unit, receipts, decisions, tally, from, from_ms }: OpenUnit, state: JudgedRow['state']): JudgedRow {
    const length = this.#pack === null ? 0 : this.#pack.file.position - from;
    return {
      place: unit.place,
      attempt: unit.attempt,
      state,
      receipts:
        this.#pack === null || length === 0 ? receipts : [...receipts, [this.#pack.key, from, length]],
      ...decisions,
      counts: tally.counts,
      compute_s: (computeTime_ms() - from_ms) / 1000,
    };
  }
}

/**
 * Makes episode names unique. Readers do so already, but a damaged recording with a duplicate must not fail a commit.
 */
class UniqueNames {
  readonly #seen = new Map<string, number>();

  unique(name: string): string {
    const before = this.#seen.get(name) ?? 0;
    this.#seen.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  }
}

const kindOverridePattern = new RegExp(`^${kindSetByHand}; the streams say (\\S+)$`);

/** Returns the kind that the streams indicate, if the kind was overridden with another; else null. */
function derivedKind({ kind, evidence }: Receipt['kind']): Kind | null {
  const streamKind = kindOverridePattern.exec(evidence[0] ?? '')?.[1];
  return streamKind === undefined || streamKind === kind ? null : (streamKind as Kind);
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
    ...countPictures(receipt),
    outcome: episode.outcome.value,
    flags: [...new Set(receipt.flags.map(({ code }) => code))],
    content_hash: receipt.content_hash,
    settings_hash: receipt.settings_hash,
  };
}

/** Returns the number of recorded pictures of all cameras, and their mean size as camera coverage measured it. */
function countPictures({ checks, streams }: Pick<Receipt, 'checks' | 'streams'>) {
  const cameras = streams.filter(({ modality }) => modality === 'video' || modality === 'image');
  const coverage = checks.find(({ id }) => id === 'camera_coverage');
  const measured =
    coverage?.status === 'scored' ? (coverage.inputs.cameras as unknown as MeasuredCamera[]) : [];
  const sizes = measured.flatMap(({ size_px, declared_size_px }) => {
    const size = size_px ?? declared_size_px;
    return size === null ? [] : [(size[0] * size[1]) / 1e6];
  });
  return {
    pictures: cameras.reduce((sum, { sample_count }) => sum + sample_count, 0),
    picture_mpx: sizes.length === 0 ? null : sizes.reduce((sum, mpx) => sum + mpx, 0) / sizes.length,
  };
}

/** Picture sizes among the values of camera coverage. */
type MeasuredCamera = Readonly<Record<'size_px' | 'declared_size_px', readonly [number, number] | null>>;
