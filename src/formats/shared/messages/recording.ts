import { significant } from '#core';
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
import type { FindingList } from '../finding-list.ts';
import type { ClockOffset } from './clock-choice.ts';
import { grippersOf } from './grippers.ts';
import type { WantedPictures } from './pictures/wanted-picture.ts';
import { factsOf, type RecordingMetadata } from './recording-metadata.ts';
import type { Harvest, RecordingContext } from './sinks/topic-sink.ts';
import { type ChannelDescription, type TimeBase, TopicRecorder } from './topic-recorder.ts';

const maxShownOffsets = 64;
/** A container may declare 65,536 channels; a robot has none such. */
const maxTopics = 4096;

export interface RecordingIdentity {
  readonly id: string;
  readonly index: number;
  readonly locator: EpisodeLocator;
  /** The container has a place for when a message was sent, beside when it was written down. */
  readonly keeps_publish_time: boolean;
}

/**
 * One episode in the making: messages of a log go in, whatever container they come from, and streams with their
 * clocks come out.
 */
export class Recording {
  readonly context: RecordingContext;
  readonly base: TimeBase;
  readonly base_ns: bigint;
  messages = 0;
  #earliest_ns = Number.POSITIVE_INFINITY;
  #latest_ns = Number.NEGATIVE_INFINITY;
  readonly #recorders = new Map<string, TopicRecorder>();
  readonly #topics = new Map<string, number>();

  /** `base_ns`: log time of the first message. */
  constructor(base_ns: bigint, path: string, logClock: string, wanted: WantedPictures | null = null) {
    this.base_ns = base_ns;
    this.base = { sec: Number(base_ns / 1_000_000_000n), nsec: Number(base_ns % 1_000_000_000n) };
    this.context = { path, logClock, heldBytes: 0, pictureBytes: 0, wanted };
  }

  /** The recorder of a channel; channels with the same topic and message definition share one. Null: too many. */
  recorderFor(description: ChannelDescription): TopicRecorder | null {
    const { topic, messageEncoding, schemaName, schemaEncoding } = description;
    const key = [topic, messageEncoding, schemaName, schemaEncoding, description.schema.length].join('\0');
    const known = this.#recorders.get(key);
    if (known !== undefined) return known;
    if (this.#recorders.size >= maxTopics) return null;
    const before = this.#topics.get(topic) ?? 0;
    this.#topics.set(topic, before + 1);
    const name = before === 0 ? topic : `${topic}~${before + 1}`;
    const recorder = new TopicRecorder({ ...description, topic: name }, this.base, this.context);
    this.#recorders.set(key, recorder);
    return recorder;
  }

  /** To be called for each message's log time, nanoseconds from the base. */
  sawTime(log_ns: number): void {
    this.messages++;
    if (log_ns < this.#earliest_ns) this.#earliest_ns = log_ns;
    if (log_ns > this.#latest_ns) this.#latest_ns = log_ns;
  }

  finish(
    identity: RecordingIdentity,
    sources: readonly SourceRef[],
    metadata: readonly RecordingMetadata[],
    findings: readonly Finding[],
  ): Episode {
    const { zero_ns, end_ns } = this.#extent();
    const harvests: Harvest[] = [];
    const offsets = new Map<string, ClockOffset>();
    for (const recorder of this.#recorders.values()) {
      if (recorder.count > 0) harvests.push(recorder.finish(zero_ns, offsets));
    }
    const streams = harvests.flatMap((harvest) => harvest.streams).sort(byId);
    const facts = factsOf(metadata);
    return {
      id: identity.id,
      index: identity.index,
      locator: identity.locator,
      sources,
      start_ns: this.messages === 0 ? null : String(this.base_ns + BigInt(zero_ns)),
      duration_s: this.messages === 0 ? 0 : (end_ns - zero_ns) / 1e9,
      streams,
      events: harvests.flatMap((harvest): readonly Event[] => harvest.events ?? []),
      tasks: tasksOf(harvests, facts.tasks),
      outcome: outcomeOfAll(harvests, facts.outcome),
      robot: facts.robot ?? harvests.find((harvest) => harvest.robot !== undefined)?.robot ?? null,
      calibrations: harvests.flatMap((harvest): readonly Calibration[] => harvest.calibrations ?? []),
      grippers: grippersOf(streams),
      labels: null,
      findings: [
        ...findings,
        ...harvests.flatMap((harvest) => harvest.findings ?? []),
        ...builtInDefinitions(this.context.path, [...this.#recorders.values()]),
        ...this.#publishTime(streams, identity.keeps_publish_time),
        ...this.#offsets(offsets),
      ],
    };
  }

  /**
   * From when to when the episode lasts: the first and last message of the topics that follow the robot, where there are
   * any. A map or a description that was said long before and kept stretches nothing; its time is then below zero.
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

  /** How far capture times lie from log times: latency of each sensor, and clocks that do not agree. */
  #offsets(offsets: ReadonlyMap<string, ClockOffset>): Finding[] {
    if (offsets.size === 0) return [];
    const shown = [...offsets].slice(0, maxShownOffsets);
    return [
      {
        code: 'clock_offsets',
        severity: 'info',
        path: this.context.path,
        message: `${offsets.size} streams carry capture times of their own beside the log time`,
        advice: 'nothing to do; the distances are listed as evidence',
        evidence: Object.fromEntries(shown.map(([id, offset]) => [id, { ...offset }])),
      },
    ];
  }

  /** Said once for a recording: nobody wrote a publish time, so nothing is known of latency. */
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
          ? 'the publish time equals the log time in every message: nothing is known of the way in between'
          : 'the format keeps no time of sending beside the log time: nothing is known of the way in between',
        advice: isKept
          ? 'record with a writer that keeps the time of sending, if latency matters'
          : 'nothing to do; latency shows only where messages carry a capture time',
        evidence: { messages: significant(this.messages, 15) },
      },
    ];
  }
}

const byId = (a: Stream, b: Stream): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** null: nothing in the recording is meant to carry a task. */
function tasksOf(harvests: readonly Harvest[], declared: readonly TaskText[] | null): TaskText[] | null {
  const carriers = harvests.filter((harvest) => harvest.tasks !== undefined);
  if (carriers.length === 0 && declared === null) return null;
  return [...(declared ?? []), ...carriers.flatMap((harvest) => harvest.tasks ?? [])];
}

function outcomeOfAll(harvests: readonly Harvest[], declared: Outcome | null): Outcome {
  return declared ?? harvests.find((harvest) => harvest.outcome !== undefined)?.outcome ?? unknownOutcome;
}

/** Numbers and stamps of an open episode, bytes; past this it is closed and the recording goes on in another. */
export const heldLimit = 48 * 1024 * 1024;

/** Said of each episode that is a part of a recording. */
export function splitFinding(path: string, part: number): Finding {
  return {
    code: 'recording_split',
    severity: 'info',
    path,
    message: `the recording is too long to be held at once; this is part ${part}, judged on its own`,
    advice: 'nothing to do; to judge whole episodes, record each into a file of its own',
  };
}

/** Said of a recording that could be read and is empty. */
export function noMessages(path: string): Finding {
  return {
    code: 'no_messages',
    severity: 'warning',
    path,
    message: 'the recording holds no message',
    advice: 'take the file out, or find out why nothing was recorded',
  };
}

/** Reports a message whose topic is one more than a recording keeps apart. */
export function leftOutTopic(findings: FindingList, topic: string): void {
  findings.report(
    'too_many_topics',
    'error',
    `${topic.slice(0, 200)} was left out: the recording has too many topics`,
    'record fewer topics into one file',
  );
}

/** Said of topics whose messages were read by a definition that comes with ROS 2, not with the recording. */
function builtInDefinitions(path: string, topics: readonly TopicRead[]): Finding[] {
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
      message: `the recording holds no message definitions for ${inWords(absent)}: those that come with ROS 2 were used`,
      advice:
        'nothing to do; if these packages were changed, convert the bag where they are installed (ros2 bag convert)',
      evidence: { types: [...new Set(absent.map(([, type]) => type))].slice(0, 64) },
    });
  }
  if (misfit.length > 0) {
    findings.push({
      code: 'definition_misfit',
      severity: 'warning',
      path,
      message: `the recording's message definitions for ${inWords(misfit)} do not fit the messages; those that come with ROS 2 do and were used`,
      advice: 'convert the bag again where the right packages are installed (ros2 bag convert)',
      evidence: { types: [...new Set(misfit.map(([, type]) => type))].slice(0, 64) },
    });
  }
  return findings;
}

interface TopicRead {
  readonly topic: string;
  readonly builtIn: { readonly type: string; readonly why: 'absent' | 'misfit' } | null;
}

function inWords(read: readonly (readonly string[])[]): string {
  const [[topic, type]] = read;
  return read.length === 1 ? `${topic} (${type})` : `${read.length} topics, ${topic} (${type}) among them`;
}
