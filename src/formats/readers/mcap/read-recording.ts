import type { Episode, Finding, SourceRef } from '#episode';
import { AssayError } from '#kernel';
import { type ByteSource, openByteSource } from '../../bytes/byte-source.ts';
import { createFileHasher } from '../../bytes/file-hash.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { Recording } from '../../messages/recording.ts';
import { heldLimit, noMessages, splitFinding } from '../../messages/recording-findings.ts';
import type { RecordingMetadata } from '../../messages/recording-metadata.ts';
import type { ReadOptions, Unreadable, WorkUnit } from '../../reader.ts';
import { compareBag, missingFiles } from './bag-findings.ts';
import { type BagMetadata, parseBagMetadata } from './bag-metadata.ts';
import { channelFindings } from './channel-findings.ts';
import { FileWalk } from './file-walk.ts';
import type { McapSelector } from './plan-units.ts';
import type { WalkTarget } from './record-taker.ts';

/** Reads one recording: one episode, or several where it is too long to be held at once. */
export async function* readRecording(
  tree: SourceTree,
  unit: WorkUnit,
  selector: McapSelector,
  bag: BagMetadata | null,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const reading = new RecordingReading(tree, unit, selector, bag);
  for (const path of selector.files) {
    let walked = 0;
    await using file = await reading.open(path);
    if (file === null) continue;
    while (await reading.step(file)) {
      options.signal?.throwIfAborted();
      options.onBytes?.(Math.max(0, file.walk.offset - walked));
      walked = file.walk.offset;
      if (file.walk.isFull) yield await reading.closePart(file);
    }
    await reading.end(file);
  }
  yield await reading.finish();
}

interface OpenFile extends AsyncDisposable {
  readonly path: string;
  readonly source: ByteSource;
  readonly walk: FileWalk;
}

class RecordingReading {
  readonly #tree: SourceTree;
  readonly #unit: WorkUnit;
  readonly #selector: McapSelector;
  readonly #bag: BagMetadata | null;
  readonly #target: WalkTarget = { recording: null, segment: 0, heldLimit };
  readonly #findings: Finding[] = [];
  readonly #metadata: RecordingMetadata[] = [];
  readonly #sources: SourceRef[] = [];
  readonly #byFile = new Map<string, number>();
  readonly #byTopic = new Map<string, number>();
  #failure: AssayError | null = null;
  #readable = 0;
  #messages = 0;
  #parts = 0;
  #partFrom = 0;

  constructor(tree: SourceTree, unit: WorkUnit, selector: McapSelector, bag: BagMetadata | null) {
    this.#tree = tree;
    this.#unit = unit;
    this.#selector = selector;
    this.#bag = bag;
    if (selector.sidecar !== null) {
      const listed = selector.files.length + selector.missing.length;
      this.#findings.push(...missingFiles(selector.missing, listed, selector.sidecar));
    }
  }

  /** null: the file cannot be read at all; a finding says why. */
  async open(path: string): Promise<OpenFile | null> {
    try {
      const compressed = await isCompressed(this.#tree, path);
      const source = await openByteSource(this.#tree, path, compressed);
      const walk = new FileWalk(source, path, this.#target);
      const file = { path, source, walk, [Symbol.asyncDispose]: () => source.close() };
      this.#target.segment++;
      if (await walk.begin()) {
        if (this.#target.recording !== null) walk.records.rebase();
        return file;
      }
      await source.close();
      throw new AssayError('unreadable_input', `${path} does not start as an MCAP file does`, { path });
    } catch (thrown) {
      this.#fail(path, thrown);
      return null;
    }
  }

  /** False at the end of the file, and where it cannot be read on. */
  async step(file: OpenFile): Promise<boolean> {
    try {
      return await file.walk.step();
    } catch (thrown) {
      this.#fail(file.path, thrown);
      return false;
    }
  }

  async end(file: OpenFile): Promise<void> {
    this.#readable++;
    await file.walk.end().catch((thrown: unknown) => this.#fail(file.path, thrown));
    const { integrity } = file.walk;
    const { channels, metadata } = file.walk.records;
    this.#metadata.push(...metadata);
    this.#messages += integrity.messages;
    this.#byFile.set(file.path.slice(file.path.lastIndexOf('/') + 1), integrity.messages);
    for (const channel of channels.all()) {
      const { topic } = channel.record;
      this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? 0) + channel.messages);
    }
    this.#findings.push(...integrity.findings(), ...channelFindings(channels.all(), file.path));
    this.#findings.push(...(await this.#embedded(file)));
    this.#sources.push(await sourceOf(file));
  }

  /** Closes what is held as an episode of its own; the rest of the recording goes on in another. */
  async closePart(file: OpenFile): Promise<Episode> {
    const to = this.#messages + file.walk.integrity.messages;
    const episode = this.#episode(
      [...this.#sources, await sourceOf(file)],
      file.walk.records.metadata,
      to,
      true,
    );
    this.#target.recording = null;
    file.walk.records.rebase();
    return episode;
  }

  async finish(): Promise<Episode | Unreadable> {
    if (this.#readable === 0 && this.#failure !== null) return this.#unreadable(this.#failure);
    if (this.#bag !== null && this.#selector.sidecar !== null) {
      const counted = { messages: this.#messages, byFile: this.#byFile, byTopic: this.#byTopic };
      this.#findings.push(...compareBag(this.#bag, counted, this.#selector.sidecar, 'metadata.yaml'));
      this.#sources.push(await this.#sidecarSource(this.#selector.sidecar));
    }
    if (this.#messages === 0) this.#findings.push(noMessages(this.#selector.files[0]));
    this.#findings.splice(0, this.#findings.length, ...withoutRepeats(this.#findings));
    return this.#episode(this.#sources, [], this.#messages, this.#parts > 0);
  }

  #episode(
    sources: readonly SourceRef[],
    metadata: readonly RecordingMetadata[],
    to: number,
    isPart: boolean,
  ): Episode {
    const [path] = this.#selector.files;
    const recording = this.#target.recording ?? new Recording(0n, path, 'log_time');
    const from = this.#partFrom;
    this.#partFrom = to;
    const part = isPart ? ++this.#parts : 0;
    const id = isPart ? `${this.#selector.id}#${String(part).padStart(4, '0')}` : this.#selector.id;
    const span = { unit: 'record', from, to } as const;
    const locator = { format: 'mcap', path, ...(isPart ? { span } : {}) };
    const findings = isPart ? [splitFinding(path, part), ...this.#findings] : this.#findings;
    const identity = { id, index: this.#unit.first_index, locator, keeps_publish_time: true };
    const episode = recording.finish(identity, sources, [...this.#metadata, ...metadata], findings);
    if (isPart) this.#findings.length = 0;
    return episode;
  }

  /** The copy of a bag's metadata that rosbag2 keeps in the file itself; its last writing counts. */
  async #embedded(file: OpenFile): Promise<Finding[]> {
    const last = file.walk.records.metadata.findLast(({ source }) => source === 'metadata record rosbag2');
    const text = last?.values.get('serialized_metadata');
    if (text === undefined) return [];
    try {
      const claimed = await parseBagMetadata(text, file.path);
      // The recorder writes it once on opening, when nothing is counted yet.
      if (claimed.messages === 0 || this.#selector.files.length > 1) return [];
      const byTopic = new Map(
        file.walk.records.channels.all().map((channel) => [channel.record.topic, channel.messages]),
      );
      const counted = { messages: file.walk.integrity.messages, byFile: new Map(), byTopic };
      return compareBag(claimed, counted, file.path, 'the metadata record rosbag2');
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      return [];
    }
  }

  async #sidecarSource(path: string): Promise<SourceRef> {
    const bytes = this.#tree.entry(path)?.bytes ?? 0;
    return { path, bytes, sha256: await createFileHasher(this.#tree).sha256(path), role: 'metadata' };
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
    const finding = this.#findings.find(({ code }) => code === 'file_unreadable') ?? {
      code: 'file_unreadable',
      severity: 'error' as const,
      path: this.#selector.files[0],
      message: failure.message,
      advice: failure.advice ?? 'fetch the file again',
    };
    return { unreadable: true, id: this.#selector.id, index: this.#unit.first_index, finding };
  }
}

async function sourceOf({ path, source }: OpenFile): Promise<SourceRef> {
  return { path, bytes: source.stored, sha256: await source.sha256(), role: 'data' };
}

async function isCompressed(tree: SourceTree, path: string): Promise<boolean> {
  const head = await tree.head(path, 4);
  return head[0] === 0x28 && head[1] === 0xb5;
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
