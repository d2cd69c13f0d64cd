import { countPhrase, significant } from '#core';
import {
  type Calibration,
  type Episode,
  type EpisodeLocator,
  type Event,
  type Finding,
  type Outcome,
  type SourceRef,
  type Stream,
  type TaskText,
  unknownOutcome,
} from '#core/episode';
import type { FindingList } from '../finding-lists.ts';
import { detectGrippers } from '../grippers.ts';
import type { ClockOffset } from './clocks.ts';
import { absentTopics, type TopicMapping } from './mapped-topics.ts';
import { extractFacts, type RecordingMetadata } from './recording-metadata.ts';
import type { PictureReceiver } from './requested-pictures.ts';
import type { RecordingContext, TopicResult } from './sinks/topic-sink.ts';
import { type ChannelDescription, type TimeBase, TopicRecorder } from './topic-recorder.ts';

const maxShownOffsets = 64;
/** Containers may declare 65,536 channels; no robot has that many topics. */
const maxTopics = 4096;

/** Identity of the episode of a recording. */
export interface RecordingIdentity {
  readonly id: string;
  readonly index: number;
  readonly locator: EpisodeLocator;
  /** True if the container stores publish times besides log times. */
  readonly keeps_publish_time: boolean;
}

/** Options of a recording. */
export interface RecordingOptions {
  readonly receiver?: PictureReceiver | null;
  readonly topics?: TopicMapping | null;
}

/** Builds one episode from the messages of a log of any container. */
export class Recording {
  readonly context: RecordingContext;
  readonly base: TimeBase;
  readonly base_ns: bigint;
  messages = 0;
  #earliest_ns = Number.POSITIVE_INFINITY;
  #latest_ns = Number.NEGATIVE_INFINITY;
  readonly #recorders = new Map<string, TopicRecorder>();
  readonly #topics = new Map<string, number>();

  /**
   * `base_ns`: log time of the first message; times are relative to it. `receiver`: set if only single pictures are
   * requested. `topics`: streams that a mapping file takes from topics.
   */
  constructor(
    base_ns: bigint,
    path: string,
    logClock: string,
    { receiver = null, topics = null }: RecordingOptions = {},
  ) {
    this.base_ns = base_ns;
    this.base = { sec: Number(base_ns / 1_000_000_000n), nsec: Number(base_ns % 1_000_000_000n) };
    this.context = { path, logClock, heldBytes: 0, pictureBytes: 0, receiver, topics };
  }

  /**
   * Returns the recorder of a channel, shared by channels with the same topic and message definition; `null` above 4096
   * topics.
   */
  recorderFor(description: ChannelDescription): TopicRecorder | null {
    const { topic, messageEncoding, schemaName, schemaEncoding } = description;
    const key = [topic, messageEncoding, schemaName, schemaEncoding, description.schema.length].join('\0');
    const existing = this.#recorders.get(key);
    if (existing !== undefined) return existing;
    if (this.#recorders.size >= maxTopics) return null;
    const before = this.#topics.get(topic) ?? 0;
    this.#topics.set(topic, before + 1);
    const name = before === 0 ? topic : `${topic}~${before + 1}`;
    const recorder = new TopicRecorder({ ...description, topic: name }, this.base, this.context);
    this.#recorders.set(key, recorder);
    return recorder;
  }

  /**
   * Counts a message and extends the recording by its log time, in nanoseconds from the base; must be called for every
   * message.
   */
  observeTime(log_ns: number): void {
    this.messages++;
    if (log_ns < this.#earliest_ns) this.#earliest_ns = log_ns;
    if (log_ns > this.#latest_ns) this.#latest_ns = log_ns;
  }

  /**
   * Returns the episode with its streams, clocks and findings and empties the recorders; times are in seconds from the
   * first message of a topic that follows the robot.
   */
  finish(
    identity: RecordingIdentity,
    sources: readonly SourceRef[],
    metadata: readonly RecordingMetadata[],
    findings: readonly Finding[],
  ): Episode {
    const { zero_ns, end_ns } = this.#extent();
    const results: TopicResult[] = [];
    const offsets = new Map<string, ClockOffset>();
    for (const recorder of this.#recorders.values()) {
      if (recorder.count > 0) results.push(recorder.finish(zero_ns, offsets));
    }
    const streams = results.flatMap((result) => result.streams).sort(byId);
    const facts = extractFacts(metadata);
    return {
      id: identity.id,
      index: identity.index,
      locator: identity.locator,
      sources,
      start_ns: this.messages === 0 ? null : String(this.base_ns + BigInt(zero_ns)),
      duration_s: this.messages === 0 ? 0 : (end_ns - zero_ns) / 1e9,
      streams,
      events: results.flatMap((result): readonly Event[] => result.events ?? []),
      tasks: collectTasks(results, facts.tasks),
      outcome: chooseOutcome(results, facts.outcome),
      robot: facts.robot ?? results.find((result) => result.robot !== undefined)?.robot ?? null,
      calibrations: results.flatMap((result): readonly Calibration[] => result.calibrations ?? []),
      grippers: detectGrippers(streams),
      labels: null,
      findings: [
        ...findings,
        ...results.flatMap((result) => result.findings ?? []),
        ...builtInDefinitionFindings(this.context.path, [...this.#recorders.values()]),
        ...this.#absentTopics(),
        ...this.#publishTime(streams, identity.keeps_publish_time),
        ...this.#offsets(offsets),
      ],
    };
  }

  /** Returns findings about topics of the mapping file without messages. */
  #absentTopics(): Finding[] {
    const { topics, path } = this.context;
    if (topics === null) return [];
    const recorders = [...this.#recorders.values()].filter(({ count }) => count > 0);
    return absentTopics(
      topics,
      recorders.map(({ topic }) => topic),
      path,
    );
  }

  /**
   * Returns start and end of the episode: the first and last message of the topics that follow the robot, if there are
   * any. An older latched message (map, description) does not extend it; its time is then negative.
   */
  #extent(): { readonly zero_ns: number; readonly end_ns: number } {
    if (this.messages === 0) return { zero_ns: 0, end_ns: 0 };
    const following = [...this.#recorders.values()].filter((recorder) => recorder.follows);
    if (following.length === 0) return { zero_ns: this.#earliest_ns, end_ns: this.#latest_ns };
    return {
      zero_ns: Math.min(...following.map(({ earliest_ns }) => earliest_ns)),
      end_ns: Math.max(...following.map(({ latest_ns }) => latest_ns)),
    };
  }

  /** Returns a finding with the offsets of capture times from log times (sensor latency, or clocks that disagree). */
  #offsets(offsets: ReadonlyMap<string, ClockOffset>): Finding[] {
    if (offsets.size === 0) return [];
    const shown = [...offsets].slice(0, maxShownOffsets);
    return [
      {
        code: 'clock_offsets',
        severity: 'info',
        path: this.context.path,
        message: countPhrase(offsets.size, 'streams have capture times in addition to the log time'),
        advice: 'nothing to do; the offsets are listed as evidence',
        evidence: Object.fromEntries(shown.map(([id, offset]) => [id, { ...offset }])),
      },
    ];
  }

  /** Returns a finding if no publish time differs from the log time, so latency is unknown. */
  #publishTime(streams: readonly Stream[], isKept: boolean): Finding[] {
    const copied =
      this.messages > 0 && [...this.#recorders.values()].every((recorder) => recorder.publishCopied);
    if (!copied || streams.length === 0) return [];
    return [
      {
        code: 'publish_time_absent',
        severity: 'info',
        path: this.context.path,
        message: isKept
          ? 'the publish time equals the log time in every message, so transport latency is unknown'
          : 'the format stores no publish time, only the log time, so transport latency is unknown',
        advice: isKept
          ? 'if latency matters, record with a writer that stores the publish time'
          : 'nothing to do; latency can be measured only for messages with a capture time',
        evidence: { messages: significant(this.messages, 15) },
      },
    ];
  }
}

const byId = (a: Stream, b: Stream): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Returns all task texts; `null` if nothing in the recording carries tasks. */
function collectTasks(
  results: readonly TopicResult[],
  declared: readonly TaskText[] | null,
): TaskText[] | null {
  const carriers = results.filter((result) => result.tasks !== undefined);
  if (carriers.length === 0 && declared === null) return null;
  return [...(declared ?? []), ...carriers.flatMap((result) => result.tasks ?? [])];
}

function chooseOutcome(results: readonly TopicResult[], declared: Outcome | null): Outcome {
  return declared ?? results.find((result) => result.outcome !== undefined)?.outcome ?? unknownOutcome;
}

/**
 * Bytes of numbers and timestamps of an open episode above which it is closed and the recording continues in the next
 * one.
 */
export const maxRecordingBytes = 48 * 1024 * 1024;

/** Returns the `info` finding that an episode is part `part` of a recording that was too long to load at once. */
export function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the recording is too long to load at once and was split; this is part ${part}, assessed separately`,
    advice: 'nothing to do; to assess whole episodes, record each one into a separate file',
  };
}

/** Returns the warning that a recording contains no messages. */
export function noMessagesFinding(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the recording contains no messages',
    advice: 'remove the file, or find out why nothing was recorded',
  };
}

/** Adds an error to `findings` that the messages of a topic are skipped because the recording has too many topics. */
export function reportTopicLimit(findings: FindingList, topic: string): void {
  findings.report(
    'too_many_topics',
    'error',
    `${topic.slice(0, 200)} was skipped: the recording has too many topics`,
    'record fewer topics into one file',
  );
}

/** Returns findings about topics that were decoded with a definition that comes with ROS 2. */
function builtInDefinitionFindings(path: string, topics: readonly TopicDefinition[]): Finding[] {
  const absent = topics.flatMap(({ topic, builtIn }) =>
    builtIn?.why === 'absent' ? [[topic, builtIn.type]] : [],
  );
  const misfit = topics.flatMap(({ topic, builtIn }) =>
    builtIn?.why === 'misfit' ? [[topic, builtIn.type]] : [],
  );
  const findings: Finding[] = [];
  if (absent.length > 0) {
    findings.push({
      code: 'definition_builtin',
      severity: 'info',
      path,
      message: `the recording has no message definitions for ${formatTopics(absent)}; the standard ROS 2 definitions were used`,
      advice:
        'nothing to do; if these packages were modified, convert the bag on a machine where they are installed (ros2 bag convert)',
      evidence: { types: [...new Set(absent.map(([, type]) => type))].slice(0, 64) },
    });
  }
  if (misfit.length > 0) {
    findings.push({
      code: 'definition_misfit',
      severity: 'warning',
      path,
      message: `the message definitions in the recording do not match the messages of ${formatTopics(misfit)}; the standard ROS 2 definitions match and were used`,
      advice: 'convert the bag again on a machine with the correct packages (ros2 bag convert)',
      evidence: { types: [...new Set(misfit.map(([, type]) => type))].slice(0, 64) },
    });
  }
  return findings;
}

interface TopicDefinition {
  readonly topic: string;
  readonly builtIn: { readonly type: string; readonly why: 'absent' | 'misfit' } | null;
}

function formatTopics(read: readonly (readonly string[])[]): string {
  const [[topic, type]] = read;
  return read.length === 1 ? `${topic} (${type})` : `${read.length} topics, for example ${topic} (${type})`;
}
