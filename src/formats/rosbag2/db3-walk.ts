import type { TableScan } from '@assay/sqlite-reader';
import { AssayError } from '#core';
import type { Finding, SourceRef } from '#core/episode';
import { createFileHasher, type SourceTree } from '#io/sources';
import { type BagMetadata, joinFolder, sidecarName } from '../shared/bags/bag-metadata.ts';
import { isFull, type LogWalk, type WalkTarget } from '../shared/bags/log-walk.ts';
import { folderOf } from '../shared/file-names.ts';
import { Recording, reportTopicLimit } from '../shared/messages/recording.ts';
import { type BagDatabase, openDatabase } from './bag-database.ts';
import { BagFiles } from './bag-files.ts';
import { type BagTopic, readTopics } from './topics.ts';

/** Largest backward step of the log time that recorder threads explain, in ns; larger steps are reported. */
const maxBackwardStep_ns = 1e9;

/** Opens one bag file and reads its topics; throws `unreadable_input` if required columns are missing. */
export async function openDb3Walk(
  tree: SourceTree,
  path: string,
  target: WalkTarget,
  bag: BagMetadata | null,
): Promise<LogWalk> {
  const files = await BagFiles.open(tree, path, target.hashes);
  try {
    const database = await openDatabase(files.files, files.seen);
    requireColumns(database);
    const version = await readSchemaVersion(database);
    if (version > newestSchemaVersion) {
      const message = `schema version ${version} is newer than ${newestSchemaVersion}, the newest supported; additional data was not read`;
      database.problems.report(
        'schema_version_unknown',
        'info',
        message,
        'nothing to do: the messages were read',
      );
    }
    const isClosed = tree.has(joinFolder(folderOf(path), sidecarName));
    if (database.hasLog && files.files.wal === null && !isClosed) reportLostLog(database);
    const metadata = await readEmbeddedMetadata(database);
    return new Db3Walk({ tree, files, database, topics: await readTopics(database, bag), metadata, target });
  } catch (thrown) {
    await files[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** Reports a missing write-ahead log: a recorder that ends normally removes it and writes metadata.yaml. */
function reportLostLog({ problems }: BagDatabase): void {
  problems.report(
    'wal_absent',
    'info',
    `the last messages of this recording may be in ${problems.path}-wal; neither that file nor metadata.yaml was found`,
    'if the -wal file exists, copy it next to the database and pass the folder',
  );
}

/** An opened bag file with its tables. */
interface OpenedBag {
  readonly tree: SourceTree;
  readonly files: BagFiles;
  readonly database: BagDatabase;
  readonly topics: ReadonlyMap<number, BagTopic>;
  readonly metadata: string | null;
  readonly target: WalkTarget;
}

/** Reads the messages of one file in the order in which they were written. */
class Db3Walk implements LogWalk {
  readonly path: string;
  readonly metadata = [];
  messages = 0;
  readonly #bag: OpenedBag;
  readonly #scan: TableScan;
  #baseHigh = 0;
  #baseLow = 0;
  #lastLog_ns = Number.NEGATIVE_INFINITY;
  #largestBackwardStep_ns = 0;

  constructor(bag: OpenedBag) {
    this.#bag = bag;
    this.path = bag.files.files.path;
    this.#scan = bag.database.scan('messages', ['topic_id', 'timestamp', 'data']);
  }

  get offset(): number {
    const { tree, files } = this.#bag;
    const { bytes } = files.files.main;
    const stored = tree.entry(this.path)?.bytes ?? 0;
    return bytes === 0 ? 0 : Math.min(stored, Math.round((this.#scan.place / bytes) * stored));
  }

  get isFull(): boolean {
    return isFull(this.#bag.target);
  }

  async step(): Promise<boolean> {
    if (!(await this.#scan.more())) return false;
    while (this.#scan.next()) {
      this.#handleMessage();
      if (this.isFull) return true;
    }
    return true;
  }

  async end(): Promise<void> {}

  rebase(): void {
    for (const topic of this.#bag.topics.values()) topic.recorder = null;
    const base = this.#bag.target.recording?.base_ns ?? 0n;
    this.#baseHigh = Number(base >> 32n);
    this.#baseLow = Number(base & 0xffffffffn);
    this.#lastLog_ns = Number.NEGATIVE_INFINITY;
  }

  byTopic(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { description, messages } of this.#bag.topics.values()) {
      counts.set(description.topic, (counts.get(description.topic) ?? 0) + messages);
    }
    return counts;
  }

  embeddedMetadata(): { text: string; where: string } | null {
    const { metadata } = this.#bag;
    return metadata === null ? null : { text: metadata, where: 'the table metadata' };
  }

  findings(): Finding[] {
    const { problems } = this.#bag.database;
    if (this.#largestBackwardStep_ns > maxBackwardStep_ns) {
      problems.report(
        'log_time_out_of_order',
        'warning',
        `the log time jumps back by up to ${(this.#largestBackwardStep_ns / 1e9).toPrecision(3)} s; messages were sorted by time`,
        'check the recorder: its clock was set back, or bags were merged',
      );
    }
    return problems.all();
  }

  async sources(): Promise<readonly SourceRef[]> {
    const { tree, files, target } = this.#bag;
    const { wal, journal } = files.files;
    const stored = tree.entry(this.path)?.bytes ?? 0;
    const sources: SourceRef[] = [
      { path: this.path, bytes: stored, sha256: await files.sha256(), role: 'data' },
    ];
    for (const [beside, suffix] of [
      [wal, '-wal'],
      [journal, '-journal'],
    ] as const) {
      if (beside === null || beside.bytes === 0) continue;
      const path = `${this.path}${suffix}`;
      const sha256 = target.hashes ? await createFileHasher(tree).sha256(path) : null;
      sources.push({ path, bytes: beside.bytes, sha256, role: 'data' });
    }
    return sources;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#bag.files[Symbol.asyncDispose]();
  }

  #handleMessage(): void {
    const { row } = this.#scan;
    const topic = this.#bag.topics.get(row.number(0));
    if (topic === undefined || !row.isInteger(1) || !row.isBytes(2)) {
      this.#reportLostMessage(topic === undefined);
      return;
    }
    const recording = this.#bag.target.recording ?? this.#startRecording();
    const log_ns = (row.high(1) - this.#baseHigh) * 4294967296 + (row.low(1) - this.#baseLow);
    recording.observeTime(log_ns);
    this.messages++;
    topic.messages++;
    this.#largestBackwardStep_ns = Math.max(this.#largestBackwardStep_ns, this.#lastLog_ns - log_ns);
    this.#lastLog_ns = log_ns;
    topic.recorder ??= recording.recorderFor(topic.description);
    if (topic.recorder === null) {
      reportTopicLimit(this.#bag.database.problems, topic.description.topic);
      return;
    }
    // Table rows have no order: each is its own segment, and readers sort by time.
    topic.recorder.enterSegment(this.#bag.target.segment++);
    topic.recorder.add(row.bytes, row.view, row.start(2), row.end(2), log_ns, log_ns, this.#scan.place);
  }

  #startRecording(): Recording {
    const { row } = this.#scan;
    const base_ns = (BigInt(row.high(1)) << 32n) + BigInt(row.low(1));
    const recording = new Recording(base_ns, this.path, 'log_time', { topics: this.#bag.target.topics });
    this.#bag.target.recording = recording;
    this.rebase();
    return recording;
  }

  #reportLostMessage(isUnknown: boolean): void {
    const { problems } = this.#bag.database;
    const { row, rowid } = this.#scan;
    const message = isUnknown
      ? `message ${rowid} belongs to topic ${row.number(0)}, which is not declared`
      : `message ${rowid} has no integer timestamp or no binary data`;
    problems.report(isUnknown ? 'topic_unknown' : 'record_invalid', 'error', message, 'copy the file again');
  }
}

/** Newest known schema version of rosbag2. */
const newestSchemaVersion = 4;

/** Returns the schema version of a file: stored in it since version 3, inferred from its columns before. */
export async function readSchemaVersion(database: BagDatabase): Promise<number> {
  if (database.typeOf('schema') === 'table') {
    const scan = database.scan('schema', ['schema_version']);
    while (await scan.more()) {
      if (scan.next()) return scan.row.isNull(0) ? scan.rowid : scan.row.number(0);
    }
  }
  return database.columns('topics').includes('offered_qos_profiles') ? 2 : 1;
}

/**
 * Returns the copy of metadata.yaml stored in the file since version 3 (the last one written); null if there is none.
 */
async function readEmbeddedMetadata(database: BagDatabase): Promise<string | null> {
  if (database.typeOf('metadata') !== 'table') return null;
  const scan = database.scan('metadata', ['metadata']);
  let last: string | null = null;
  for (let rows = 0; rows < 1024 && (await scan.more()); ) {
    while (scan.next()) {
      last = database.text(scan, 0) ?? last;
      rows++;
    }
  }
  return last;
}

/** Throws `unreadable_input` if a column that is required to read messages is missing. */
function requireColumns(database: BagDatabase): void {
  const { path } = database.problems;
  for (const [table, columns] of [
    ['topics', ['name', 'type', 'serialization_format']],
    ['messages', ['topic_id', 'timestamp', 'data']],
  ] as const) {
    const missing = columns.filter((column) => !database.columns(table).includes(column));
    if (missing.length === 0) continue;
    throw new AssayError('unreadable_input', `${path}: the table ${table} has no ${missing.join(', ')}`, {
      path,
      advice: 'copy the file again; every rosbag2 database has these columns',
    });
  }
}
