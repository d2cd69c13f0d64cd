import { rmSync } from 'node:fs';
import { AssayError, canonicalJson, newId, sha256, toJson } from '#core';
import { type LaneOutput, type LanePart, mainPart } from '#labels/annotation';
import type { DoneRow, ItemRow, StoredPart, UndoneRow } from '#store';
import { PackWriter } from '../../packs/pack-writer.ts';
import type { StepContext } from '../step-context.ts';

/** What goes into one commit: little enough that others who ask the database hardly wait. */
const partTime_ms = 1000;
const partEpisodes = 500;
const partBytes = 32e6;

interface OpenPack {
  readonly key: string;
  readonly file: PackWriter;
}

/** Artifacts in blobs, each a line of canonical JSON with its other parts behind it, and the rows that go with them. */
export class ArtifactPacks {
  readonly #prefix: string;
  readonly #task: number;
  readonly #context: StepContext;
  #pack: OpenPack | null = null;
  #done: DoneRow[] = [];
  #undone: UndoneRow[] = [];
  #begun_ms = performance.now();

  /** Keys of its blobs start with `prefix`; `task`: as parts name it. */
  constructor(prefix: string, task: number, context: StepContext) {
    this.#prefix = prefix;
    this.#task = task;
    this.#context = context;
  }

  get full(): boolean {
    return (
      this.#done.length + this.#undone.length >= partEpisodes ||
      (this.#pack?.file.position ?? 0) >= partBytes ||
      performance.now() - this.#begun_ms >= partTime_ms
    );
  }

  add(row: ItemRow, output: LaneOutput, input_hash: string): void {
    const [artifact, ...others] = output.parts;
    demandNames(output.parts);
    const json = canonicalJson(artifact.json);
    this.#pack ??= {
      key: `${this.#prefix}/${newId('blb')}`,
      file: new PackWriter(this.#context.scratchFile()),
    };
    const { key, file } = this.#pack;
    const artifact_offset = file.position;
    const artifact_length = file.line(json);
    const parts = others.map((part) => storePart(file, part));
    this.#done.push({
      ...row,
      id: newId('ann'),
      input_hash,
      artifact_blob: key,
      artifact_offset,
      artifact_length,
      artifact_hash: sha256(json),
      media_type: artifact.media_type,
      said: output.says === undefined ? null : storable(output.says),
      parts,
      counts: output.counts,
      quality: output.quality,
      quality_reason: output.quality_reason,
    });
  }

  addFailed(row: UndoneRow): void {
    this.#undone.push(row);
  }

  /** Stores the pack at hand, and hands its rows over once it is there. */
  async handOver(): Promise<void> {
    const [done, undone, pack] = [this.#done, this.#undone, this.#pack];
    this.#done = [];
    this.#undone = [];
    this.#pack = null;
    this.#begun_ms = performance.now();
    const count = done.length + undone.length;
    if (count === 0) return;
    pack?.file.close();
    const stored =
      pack === null
        ? Promise.resolve()
        : this.#context.patiently(() => this.#context.blobs.putFile(pack.key, pack.file.path));
    const rows = { done: toJson(done), undone: toJson(undone) };
    await this.#context.hand({ type: 'annotated', task: this.#task, count, ...rows }, stored);
  }

  /** Leaves nothing of a pack that is not handed over. */
  discard(): void {
    this.#pack?.file.close();
    if (this.#pack !== null) rmSync(this.#pack.file.path, { force: true });
  }
}

/** The database keeps no NUL, half a surrogate pair is no text, and an index of words has a size limit. */
const storable = (text: string): string => text.slice(0, 20_000).replaceAll('\0', ' ').toWellFormed();

function storePart(file: PackWriter, part: LanePart): StoredPart {
  const bytes = 'json' in part ? Buffer.from(canonicalJson(part.json)) : part.bytes;
  const [offset, length] = file.bytes(bytes);
  return { name: part.name, media_type: part.media_type, offset, length, hash: sha256(bytes) };
}

/** Names of parts stand in addresses. */
const partName = /^[a-z0-9][a-z0-9._-]{0,99}$/;

function demandNames(parts: LaneOutput['parts']): void {
  const names = parts.map(({ name }) => name);
  const wrong =
    names.find((name) => !partName.test(name)) ?? names.find((name, at) => names.indexOf(name) !== at);
  if (wrong !== undefined || names[0] !== mainPart)
    throw new AssayError('internal', `a lane calls a part ${wrong ?? names[0]}`);
}
