import type { Episode } from '#core/episode';
import type { Judgement } from '../../../shared/write/set/judgement.ts';
import { encodeEvent, encodeLog, event, type LogLine, log } from './schemas.ts';
import { nanoseconds } from './stream-times.ts';
import type { Track, TrackMessage } from './track.ts';

type Flag = Judgement['receipt']['flags'][number];

const levels = { info: 'INFO', warning: 'WARNING', error: 'ERROR', blocking: 'ERROR' } as const;

/** What a recording says happened, as lines of a log. `start`: nanoseconds of the episode's zero. */
export function eventTrack({ events }: Episode, start: bigint): Track {
  const lines = events.map(({ time_s, label, source }) =>
    line(start, time_s, { level: 'INFO', message: label, name: source }),
  );
  return { topic: '/events', schema: log, about: {}, messages: inOrderOfTime(lines) };
}

/** What Assay says of an episode: flags, segments and captions as spans of time, and what can be read as lines of a log. */
export function judgementTracks(
  { duration_s }: Episode,
  tasks: readonly string[],
  { receipt, segments, captions, text }: Judgement,
  start: bigint,
): Track[] {
  const said = [
    ...tasks.map((text) => line(start, 0, { level: 'INFO', message: text, name: 'task' })),
    ...receipt.findings.map(({ severity, code, message }) =>
      line(start, 0, { level: levels[severity], message: `${code}: ${message}`, name: 'finding' }),
    ),
    ...receipt.flags.map((flag) => line(start, flag.marks[0]?.from_s ?? 0, logLine(flag))),
  ];
  const cuts = segments.map(({ from_s, kind }, i) =>
    line(start, from_s, { level: 'DEBUG', message: `segment ${i}: ${kind}`, name: 'segments' }),
  );
  const told = captions.map((caption) =>
    line(start, caption.from_s, { level: 'INFO', message: caption.text, name: 'captions' }),
  );
  if (text !== null) told.push(line(start, 0, { level: 'INFO', message: text, name: 'dense_text' }));
  const windows = captions.map((caption, i) =>
    span(start, [caption.from_s, caption.to_s], { caption: String(i), text: caption.text }),
  );
  const flags = receipt.flags.flatMap((flag) => flagSpans(flag, duration_s, start));
  const spans = segments.map(({ from_s, to_s, kind }, i) =>
    span(start, [from_s, to_s], { kind, segment: String(i) }),
  );
  const tracks = [
    { topic: '/assay/flags', schema: event, messages: flags },
    { topic: '/assay/segments', schema: event, messages: spans },
    { topic: '/assay/captions', schema: event, messages: windows },
    { topic: '/assay/log', schema: log, messages: [...said, ...cuts, ...told] },
  ];
  return tracks.flatMap(({ messages, ...own }) =>
    messages.length === 0 ? [] : [{ ...own, about: {}, messages: inOrderOfTime(messages) }],
  );
}

const logLine = ({ severity, code, message, check }: Flag): LogLine => ({
  level: levels[severity],
  message: `${code}: ${message}`,
  name: check,
});

/** Each mark of a flag; the whole episode where it has none. */
function flagSpans({ marks, ...flag }: Flag, duration_s: number, start: bigint): TrackMessage[] {
  const { code, severity, check, message, advice } = flag;
  const about = { code, severity, check, message, advice };
  if (marks.length === 0) return [span(start, [0, duration_s], about)];
  return marks.map(({ stream, from_s, to_s, dimension }) =>
    span(start, [from_s, to_s], {
      ...about,
      stream,
      ...(dimension === undefined ? {} : { dimension: String(dimension) }),
    }),
  );
}

function span(
  start: bigint,
  [from_s, to_s]: readonly [number, number],
  about: Readonly<Record<string, string>>,
): TrackMessage {
  const from_ns = at(start, from_s);
  return { log_ns: from_ns, sent_ns: from_ns, data: encodeEvent(from_ns, at(start, to_s), about) };
}

function line(start: bigint, time_s: number, own: LogLine): TrackMessage {
  const log_ns = at(start, time_s);
  return { log_ns, sent_ns: log_ns, data: encodeLog(log_ns, own) };
}

/** No stamp of an MCAP file lies before 0. */
function at(start: bigint, time_s: number): bigint {
  const at_ns = start + nanoseconds(time_s);
  return at_ns < 0n ? 0n : at_ns;
}

async function* inOrderOfTime(messages: readonly TrackMessage[]): AsyncGenerator<TrackMessage> {
  yield* [...messages].sort((a, b) => (a.log_ns < b.log_ns ? -1 : a.log_ns > b.log_ns ? 1 : 0));
}
