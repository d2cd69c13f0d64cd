import { AssayError } from '#core';
import type { Episode, Finding, SourceRef } from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import { lookCut, lookLimit } from '../look.ts';
import { heldLimit, noMessages, Recording, splitFinding } from '../messages/recording.ts';
import type { RecordingMetadata } from '../messages/recording-metadata.ts';
import { PartCuts } from '../part-cuts.ts';
import type { ReadOptions, Unreadable, WorkUnit } from '../reader.ts';
import { type BagMetadata, parseBagMetadata } from './bag-metadata.ts';
import type { LogWalk, OpenLog, WalkTarget } from './log-walk.ts';
import { compareBag, type RecordingSelector, selectorFindings } from './plan-recordings.ts';
import { baseName, uncompressedName } from './sidecar.ts';

/** What is read, and how one of its files is opened. */
export interface RecordingInput {
  readonly tree: SourceTree;
  readonly unit: WorkUnit;
  readonly selector: RecordingSelector;
  /** What metadata.yaml says of it; null where none does. */
  readonly bag: BagMetadata | null;
  /** Id of the format, for locators. */
  readonly format: string;
  /** The container has a place for when a message was sent. */
  readonly keeps_publish_time: boolean;
  readonly openLog: OpenLog;
}

/** Reads one recording: one episode, or several where it is too long to be held at once. */
export async function* readRecording(
  input: RecordingInput,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const reading = new RecordingReading(input, options);
  for (const path of input.selector.files) {
    let walked = 0;
    await using walk = await reading.open(path);
    if (walk === null) continue;
    while (await reading.step(walk)) {
      options.signal?.throwIfAborted();
      options.onBytes?.(Math.max(0, walk.offset - walked));
      walked = walk.offset;
      if (options.look === true && walk.offset > lookLimit) {
        yield reading.closeLook(walk);
        return;
      }
      if (walk.isFull) yield await reading.closePart(walk);
    }
    await reading.end(walk);
  }
  yield await reading.finish();
}

class RecordingReading {
  readonly #input: RecordingInput;
  readonly #target: WalkTarget;
  readonly #findings: Finding[];
  readonly #metadata: RecordingMetadata[] = [];
  readonly #sources: SourceRef[] = [];
  readonly #byFile = new Map<string, number>();
  readonly #byTopic = new Map<string, number>();
  readonly #cuts: PartCuts;
  #failure: AssayError | null = null;
  #readable = 0;
  #messages = 0;
  #parts = 0;
  #partFrom = 0;

  constructor(input: RecordingInput, { hashes, look, threads }: ReadOptions) {
    this.#input = input;
    this.#target = {
      recording: null,
      segment: 0,
      heldLimit,
      hashes: hashes !== false && look !== true,
      threads: threads ?? 1,
    };
    this.#cuts = new PartCuts(input.selector.id);
    this.#findings = selectorFindings(input.selector);
    const custom = input.bag?.custom ?? new Map();
    if (custom.size > 0) this.#metadata.push({ source: 'metadata.yaml, custom_data', values: custom });
  }

  /** null: the file cannot be read at all; a finding says why. */
  async open(path: string): Promise<LogWalk | null> {
    const { tree, bag, openLog } = this.#input;
    this.#target.segment++;
    try {
      const walk = await openLog(tree, path, this.#target, bag);
      if (this.#target.recording !== null) walk.rebase();
      return walk;
    } catch (thrown) {
      this.#fail(path, thrown);
      return null;
    }
  }

  /** False at the end of the file, and where it cannot be read on. */
  async step(walk: LogWalk): Promise<boolean> {
    try {
      return await walk.step();
    } catch (thrown) {
      this.#fail(walk.path, thrown);
      return false;
    }
  }

  async end(walk: LogWalk): Promise<void> {
    this.#readable++;
    await walk.end().catch((thrown: unknown) => this.#fail(walk.path, thrown));
    this.#metadata.push(...walk.metadata);
    this.#messages += walk.messages;
    this.#byFile.set(uncompressedName(baseName(walk.path)), walk.messages);
    for (const [topic, messages] of walk.byTopic()) {
      this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? 0) + messages);
    }
    this.#findings.push(...walk.findings(), ...(await this.#embedded(walk)));
    this.#sources.push(...(await this.#sourcesOf(walk)));
  }

  /** What was read so far as an episode that says it is no more; nothing is hashed. */
  closeLook(walk: LogWalk): Episode {
    const episode = this.#episode([], walk.metadata, this.#messages + walk.messages, null);
    return { ...episode, cut: { ...this.#cuts.next(episode, true), ends: lookCut } };
  }

  /** Closes what is held as an episode of its own; the rest of the recording goes on in another. */
  async closePart(walk: LogWalk): Promise<Episode> {
    const to = this.#messages + walk.messages;
    const episode = this.#episode(
      [...this.#sources, ...(await this.#sourcesOf(walk))],
      walk.metadata,
      to,
      'goes_on',
    );
    this.#target.recording = null;
    walk.rebase();
    return episode;
  }

  async finish(): Promise<Episode | Unreadable> {
    const { bag, selector } = this.#input;
    if (this.#readable === 0 && this.#failure !== null) return this.#unreadable(this.#failure);
    if (bag !== null && selector.sidecar !== null) {
      const counted = { messages: this.#messages, byFile: this.#byFile, byTopic: this.#byTopic };
      this.#findings.push(...compareBag(bag, counted, selector.sidecar, 'metadata.yaml'));
      this.#sources.push(await this.#sidecarSource(selector.sidecar));
    }
    if (this.#messages === 0) this.#findings.push(noMessages(selector.files[0]));
    this.#findings.splice(0, this.#findings.length, ...withoutRepeats(this.#findings));
    return this.#episode(this.#sources, [], this.#messages, this.#parts > 0 ? 'last' : null);
  }

  #episode(
    sources: readonly SourceRef[],
    metadata: readonly RecordingMetadata[],
    to: number,
    which: 'goes_on' | 'last' | null,
  ): Episode {
    const { selector, unit, format, keeps_publish_time } = this.#input;
    const [path] = selector.files;
    const recording = this.#target.recording ?? new Recording(0n, path, 'log_time');
    const from = this.#partFrom;
    this.#partFrom = to;
    const isPart = which !== null;
    const part = isPart ? ++this.#parts : 0;
    const id = isPart ? `${selector.id}#${String(part).padStart(4, '0')}` : selector.id;
    const span = { unit: 'record', from, to } as const;
    const locator = { format, path, ...(isPart ? { span } : {}) };
    const findings = isPart ? [splitFinding(path, part), ...this.#findings] : this.#findings;
    const identity = { id, index: unit.first_index, locator, keeps_publish_time };
    const episode = recording.finish(identity, sources, [...this.#metadata, ...metadata], findings);
    if (which === null) return episode;
    this.#findings.length = 0;
    return { ...episode, cut: this.#cuts.next(episode, which === 'goes_on') };
  }

  /** The copy of a bag's metadata that rosbag2 keeps in the file itself; its last writing counts. */
  async #embedded(walk: LogWalk): Promise<Finding[]> {
    const embedded = walk.embeddedMetadata();
    if (embedded === null) return [];
    try {
      const said = await parseBagMetadata(embedded.text, walk.path);
      // The recorder writes it once on opening, when nothing is counted yet.
      if (said.messages === 0 || this.#input.selector.files.length > 1) return [];
      const counted = { messages: walk.messages, byFile: new Map(), byTopic: walk.byTopic() };
      return compareBag(said, counted, walk.path, embedded.where);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      return [];
    }
  }

  /** Without a hash where the file cannot be read to its end. */
  async #sourcesOf(walk: LogWalk): Promise<readonly SourceRef[]> {
    try {
      return await walk.sources();
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      const { path } = walk;
      return [{ path, bytes: this.#input.tree.entry(path)?.bytes ?? 0, sha256: null, role: 'data' }];
    }
  }

  async #sidecarSource(path: string): Promise<SourceRef> {
    const { tree } = this.#input;
    const bytes = tree.entry(path)?.bytes ?? 0;
    const sha256 = this.#target.hashes ? await createFileHasher(tree).sha256(path) : null;
    return { path, bytes, sha256, role: 'metadata' };
  }

  #fail(path: string, thrown: unknown): void {
    if (!(thrown instanceof AssayError)) throw thrown;
    this.#failure ??= thrown;
    this.#findings.push({
      code: 'file_unreadable',
      severity: 'error',
      path,
      message: thrown.message,
      advice: thrown.advice ?? 'fetch the file again',
    });
  }

  #unreadable(failure: AssayError): Unreadable {
    const { selector, unit } = this.#input;
    const finding = this.#findings.find(({ code }) => code === 'file_unreadable') ?? {
      code: 'file_unreadable',
      severity: 'error' as const,
      path: selector.files[0],
      message: failure.message,
      advice: failure.advice ?? 'fetch the file again',
    };
    return { unreadable: true, id: selector.id, index: unit.first_index, finding };
  }
}

/** What is said of every file of a bag alike is said once. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const kept = new Map<string, { finding: Finding; more: number }>();
  for (const finding of findings) {
    const key = finding.severity === 'info' ? `${finding.code}\0${finding.message}` : String(kept.size);
    const known = kept.get(key);
    if (known === undefined) kept.set(key, { finding, more: 0 });
    else known.more++;
  }
  return [...kept.values()].map(({ finding, more }) =>
    more === 0 ? finding : { ...finding, message: `${finding.message} (and so in ${more} more files)` },
  );
}
