import type { Episode } from '#core/episode';
import type { AnnotationSource, EpisodeText, Judgement } from '../../shared/write/set/judgement.ts';
import { encodeEvent, encodeLog, event, type LogLine, log } from './schemas.ts';
import { type Track, type TrackMessage, toNanoseconds } from './tracks.ts';

type Flag = Judgement['receipt']['flags'][number];

/** Foxglove log level for each severity. */
const levels = { info: 'INFO', warning: 'WARNING', error: 'ERROR', blocking: 'ERROR' } as const;

/**
 * Creates the `/events` log track from the events of a recording, sorted by time. `start`: time of the episode's zero,
 * in ns.
 */
export function createEventTrack({ events }: Episode, start: bigint): Track {
  const lines = events.map(({ time_s, label, source }) =>
    createLogMessage(start, time_s, { level: 'INFO', message: label, name: source }),
  );
  return { topic: '/events', schema: log, metadata: {}, messages: sortByTime(lines) };
}

/**
 * Creates the tracks of Assay's results: flags, segments and captions as time spans, and a log of all texts; empty
 * tracks are left out.
 */
export function createJudgementTracks(
  { duration_s }: Episode,
  tasks: readonly string[],
  { receipt, segments, captions, text }: Judgement,
  start: bigint,
): Track[] {
  const logged = [
    ...tasks.map((text) => createLogMessage(start, 0, { level: 'INFO', message: text, name: 'task' })),
    ...receipt.findings.map(({ severity, code, message }) =>
      createLogMessage(start, 0, {
        level: levels[severity],
        message: `${code}: ${message}`,
        name: 'finding',
      }),
    ),
    ...receipt.flags.map((flag) => createLogMessage(start, flag.marks[0]?.from_s ?? 0, flagLogLine(flag))),
  ];
  const cuts = segments.map(({ from_s, kind }, i) =>
    createLogMessage(start, from_s, { level: 'DEBUG', message: `segment ${i}: ${kind}`, name: 'segments' }),
  );
  const texts = captions.map((caption) =>
    createLogMessage(start, caption.from_s, { level: 'INFO', message: caption.text, name: 'captions' }),
  );
  if (text !== null) texts.push(createLogMessage(start, 0, textLogLine(text)));
  const windows = captions.map((caption, i) =>
    createEventMessage(start, [caption.from_s, caption.to_s], {
      caption: String(i),
      text: caption.text,
      ...machine,
    }),
  );
  const flags = receipt.flags.flatMap((flag) => flagSpans(flag, duration_s, start));
  const spans = segments.map(({ from_s, to_s, kind }, i) =>
    createEventMessage(start, [from_s, to_s], { kind, segment: String(i), ...machine }),
  );
  const tracks = [
    { topic: '/assay/flags', schema: event, messages: flags },
    { topic: '/assay/segments', schema: event, messages: spans },
    { topic: '/assay/captions', schema: event, messages: windows },
    { topic: '/assay/log', schema: log, messages: [...logged, ...cuts, ...texts] },
  ];
  return tracks.flatMap(({ messages, ...own }) =>
    messages.length === 0 ? [] : [{ ...own, metadata: {}, messages: sortByTime(messages) }],
  );
}

/** Metadata of events that a layer found, as opposed to recorded events. */
const machine = { source: 'machine' satisfies AnnotationSource };

const textLogLine = ({ text: message, source }: EpisodeText): LogLine => ({
  level: 'INFO',
  message,
  name: source === 'person' ? 'dense_text (person)' : 'dense_text',
});

const flagLogLine = ({ severity, code, message, check }: Flag): LogLine => ({
  level: levels[severity],
  message: `${code}: ${message}`,
  name: check,
});

/** Creates one event per mark of a flag; a flag without marks spans the whole episode. */
function flagSpans({ marks, ...flag }: Flag, duration_s: number, start: bigint): TrackMessage[] {
  const { code, severity, check, message, advice } = flag;
  const about = { code, severity, check, message, advice };
  if (marks.length === 0) return [createEventMessage(start, [0, duration_s], about)];
  return marks.map(({ stream, from_s, to_s, dimension }) =>
    createEventMessage(start, [from_s, to_s], {
      ...about,
      stream,
      ...(dimension === undefined ? {} : { dimension: String(dimension) }),
    }),
  );
}

function createEventMessage(
  start: bigint,
  [from_s, to_s]: readonly [number, number],
  about: Readonly<Record<string, string>>,
): TrackMessage {
  const from_ns = toTimestamp_ns(start, from_s);
  return {
    log_ns: from_ns,
    publish_ns: from_ns,
    data: encodeEvent(from_ns, toTimestamp_ns(start, to_s), about),
  };
}

function createLogMessage(start: bigint, time_s: number, own: LogLine): TrackMessage {
  const log_ns = toTimestamp_ns(start, time_s);
  return { log_ns, publish_ns: log_ns, data: encodeLog(log_ns, own) };
}

/** Converts seconds since the episode's start to a timestamp in ns, at least 0. */
function toTimestamp_ns(start: bigint, time_s: number): bigint {
  const at_ns = start + toNanoseconds(time_s);
  return at_ns < 0n ? 0n : at_ns;
}

/** Yields messages sorted by log time. */
async function* sortByTime(messages: readonly TrackMessage[]): AsyncGenerator<TrackMessage> {
  yield* [...messages].sort((a, b) => (a.log_ns < b.log_ns ? -1 : a.log_ns > b.log_ns ? 1 : 0));
}
