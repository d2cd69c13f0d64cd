import { AssayError } from '#core';
import type { Episode, Finding, SourceRef } from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import { lookCut, maxLookBytes, PartCutBuilder } from '../episode-cuts.ts';
import { maxRecordingBytes, noMessagesFinding, Recording, splitFinding } from '../messages/recording.ts';
import type { RecordingMetadata } from '../messages/recording-metadata.ts';
import type { ReadOptions, Unreadable, WorkUnit } from '../reader.ts';
import { type BagMetadata, baseName, parseBagMetadata, uncompressedName } from './bag-metadata.ts';
import type { LogWalk, OpenLog, WalkTarget } from './log-walk.ts';
import { compareBagCounts, type RecordingSelector, selectorFindings } from './plan-recordings.ts';

/** Input for reading one recording. */
export interface RecordingInput {
  readonly tree: SourceTree;
  readonly unit: WorkUnit;
  readonly selector: RecordingSelector;
  /** Metadata of the bag; `null` without metadata.yaml. */
  readonly bag: BagMetadata | null;
  /** Format id, for locators. */
  readonly format: string;
  /** True if the container stores publish times. */
  readonly keeps_publish_time: boolean;
  readonly openLog: OpenLog;
}

/**
 * Yields a recording as one episode, as several if it exceeds the memory limit, or as `Unreadable` if none of its files
 * can be read. A look (`options.look`) ends with one episode after 4 MiB of a file.
 */
export async function* readRecording(
  input: RecordingInput,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const reading = new RecordingReader(input, options);
  for (const path of input.selector.files) {
    let walked = 0;
    await using walk = await reading.open(path);
    if (walk === null) continue;
    while (await reading.step(walk)) {
      options.signal?.throwIfAborted();
      options.onBytes?.(Math.max(0, walk.offset - walked));
      walked = walk.offset;
      if (options.look === true && walk.offset > maxLookBytes) {
        yield reading.closeLook(walk);
        return;
      }
      if (walk.isFull) yield await reading.closePart(walk);
    }
    await reading.end(walk);
  }
  yield await reading.finish();
}

class RecordingReader {
  readonly #input: RecordingInput;
  readonly #target: WalkTarget;
  readonly #findings: Finding[];
  readonly #metadata: RecordingMetadata[] = [];
  readonly #sources: SourceRef[] = [];
  readonly #byFile = new Map<string, number>();
  readonly #byTopic = new Map<string, number>();
  readonly #cuts: PartCutBuilder;
  #failure: AssayError | null = null;
  #readableFiles = 0;
  #messages = 0;
  #parts = 0;
  #partFrom = 0;

  constructor(input: RecordingInput, { hashes, look, threads, topics }: ReadOptions) {
    this.#input = input;
    this.#target = {
      recording: null,
      segment: 0,
      maxHeldBytes: maxRecordingBytes,
      hashes: hashes !== false && look !== true,
      threads: threads ?? 1,
      topics: topics ?? null,
    };
    this.#cuts = new PartCutBuilder(input.selector.id);
    this.#findings = selectorFindings(input.selector);
    const custom = input.bag?.custom ?? new Map();
    if (custom.size > 0) this.#metadata.push({ source: 'metadata.yaml, custom_data', values: custom });
  }

  /** Opens the next file; `null`, with a finding, if it cannot be read at all. */
  async open(path: string): Promise<LogWalk | null> {
    const { tree, bag, openLog } = this.#input;
    this.#target.segment++;
    try {
      const walk = await openLog(tree, path, this.#target, bag);
      if (this.#target.recording !== null) walk.rebase();
      return walk;
    } catch (thrown) {
      this.#recordFailure(path, thrown);
      return null;
    }
  }

  /** Advances the walk. Returns false at the end of the file or if it cannot be read further. */
  async step(walk: LogWalk): Promise<boolean> {
    try {
      return await walk.step();
    } catch (thrown) {
      this.#recordFailure(walk.path, thrown);
      return false;
    }
  }

  /** Finishes a file and adds its counts, findings and sources. */
  async end(walk: LogWalk): Promise<void> {
    this.#readableFiles++;
    await walk.end().catch((thrown: unknown) => this.#recordFailure(walk.path, thrown));
    this.#metadata.push(...walk.metadata);
    this.#messages += walk.messages;
    this.#byFile.set(uncompressedName(baseName(walk.path)), walk.messages);
    for (const [topic, messages] of walk.byTopic()) {
      this.#byTopic.set(topic, (this.#byTopic.get(topic) ?? 0) + messages);
    }
    this.#findings.push(...walk.findings(), ...(await this.#embeddedFindings(walk)));
    this.#sources.push(...(await this.#sourcesOf(walk)));
  }

  /** Closes the recording after a look, as an episode whose `cut` ends in `look`. Nothing is hashed. */
  closeLook(walk: LogWalk): Episode {
    const episode = this.#episode([], walk.metadata, this.#messages + walk.messages, null);
    return { ...episode, cut: { ...this.#cuts.next(episode, true), ends: lookCut } };
  }

  /** Closes the part read so far as an episode; the rest of the recording continues in the next one. */
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

  /** Returns the last episode, or `Unreadable` if no file could be read. */
  async finish(): Promise<Episode | Unreadable> {
    const { bag, selector } = this.#input;
    if (this.#readableFiles === 0 && this.#failure !== null) return this.#unreadable(this.#failure);
    if (bag !== null && selector.sidecar !== null) {
      const counted = { messages: this.#messages, byFile: this.#byFile, byTopic: this.#byTopic };
      this.#findings.push(...compareBagCounts(bag, counted, selector.sidecar, 'metadata.yaml'));
      this.#sources.push(await this.#sidecarSource(selector.sidecar));
    }
    if (this.#messages === 0) this.#findings.push(noMessagesFinding(selector.files[0]));
    this.#findings.splice(0, this.#findings.length, ...mergeRepeatedFindings(this.#findings));
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

  /** Compares the file's embedded copy of metadata.yaml (its last version) with the counts. */
  async #embeddedFindings(walk: LogWalk): Promise<Finding[]> {
    const embedded = walk.embeddedMetadata();
    if (embedded === null) return [];
    try {
      const declared = await parseBagMetadata(embedded.text, walk.path);
      // The recorder writes a first version on opening, before anything is counted.
      if (declared.messages === 0 || this.#input.selector.files.length > 1) return [];
      const counted = { messages: walk.messages, byFile: new Map(), byTopic: walk.byTopic() };
      return compareBagCounts(declared, counted, walk.path, embedded.where);
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      return [];
    }
  }

  /** Returns the sources of a walk; without a hash if the file cannot be read to its end. */
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

  #recordFailure(path: string, thrown: unknown): void {
    if (!(thrown instanceof AssayError)) throw thrown;
    this.#failure ??= thrown;
    this.#findings.push({
      code: 'file_unreadable',
      severity: 'error',
      path,
      message: thrown.message,
      advice: thrown.advice ?? 'copy or download the file again',
    });
  }

  #unreadable(failure: AssayError): Unreadable {
    const { selector, unit } = this.#input;
    const finding = this.#findings.find(({ code }) => code === 'file_unreadable') ?? {
      code: 'file_unreadable',
      severity: 'error' as const,
      path: selector.files[0],
      message: failure.message,
      advice: failure.advice ?? 'copy or download the file again',
    };
    return { unreadable: true, id: selector.id, index: unit.first_index, finding };
  }
}

/** Merges info findings that are equal for several files of a bag into one with a count. */
function mergeRepeatedFindings(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, { finding: Finding; more: number }>();
  for (const finding of findings) {
    const key = finding.severity === 'info' ? `${finding.code}\0${finding.message}` : String(merged.size);
    const existing = merged.get(key);
    if (existing === undefined) merged.set(key, { finding, more: 0 });
    else existing.more++;
  }
  return [...merged.values()].map(({ finding, more }) =>
    more === 0
      ? finding
      : { ...finding, message: `${finding.message} (also in ${more} more ${more === 1 ? 'file' : 'files'})` },
  );
}
