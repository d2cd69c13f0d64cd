import { type Happening, happeningsOf, mostMoved, pace } from '../../grammar/happenings.ts';
import type { KnownSpan, KnownSpans } from '../../grammar/known-spans.ts';
import { sentence } from '../../grammar/words.ts';
import type { Style } from './style.ts';

/** Seconds to a tenth, as a person reads them. */
const tenths = (seconds: number): string => (Math.round(10 * seconds) / 10 + 0).toFixed(1);

/** What can be said of the spans: of each happening one sentence, and details for a longer text. */
export function spanStatements(spans: KnownSpans, actor: string, style: Style): Statement[] {
  const lasts_s = Math.max(spans.to_s - spans.from_s, 1e-6);
  return happeningsOf(spans, actor).flatMap((happening) => {
    const { from_s, to_s, isEvent, span } = happening;
    const place = isEvent ? happening.subject : (mostMoved(span) ?? '');
    const about = { evidence: 'segments', from_s, place } as const;
    const share = (to_s - from_s) / lasts_s;
    const text = style === 'instructional' ? instruction(happening) : observation(happening);
    return [
      { ...about, text: sentence(text), weight: 3 + share + (isEvent ? 1 : 0) },
      ...(isEvent
        ? []
        : details(span, spans).map((detail) => ({ ...about, text: detail, weight: 1 + share }))),
    ];
  });
}

function observation({ from_s, to_s, subject, predicate }: Happening): string {
  const when = to_s > from_s ? `from ${tenths(from_s)} to ${tenths(to_s)} s` : `at ${tenths(from_s)} s`;
  return `${when} ${subject} ${predicate}`;
}

const orders: Readonly<Record<string, string>> = { opens: 'open', closes: 'close', moves: 'move' };

/** The same as something to do. */
function instruction({ from_s, to_s, subject, predicate, isEvent, span }: Happening): string {
  if (isEvent) return `${orders[predicate]} ${subject}`;
  const during = `for ${tenths(to_s - from_s)} s`;
  const most = mostMoved(span);
  if (span.kind === 'still') return `hold still ${during}`;
  return `move${pace(span)}${most === null ? ' ' : `, mostly ${most}, `}${during}`;
}

const reasons: Readonly<Record<string, string>> = {
  gripper: 'It begins with a change of the gripper.',
  still: 'It begins where motion starts or ends.',
  speed_minimum: 'It begins where the motion slows down.',
  change_point: 'It begins where the kind of motion changes.',
  unobserved: 'It begins where the record stops or starts again.',
};

function details(span: KnownSpan, { grippers }: KnownSpans): string[] {
  const told: string[] = [];
  const why = span.begins === null ? undefined : reasons[span.begins.type];
  if (why !== undefined) told.push(why);
  if (span.kind === 'move' && span.speed !== null)
    told.push(`Its mean speed is ${Math.round(100 * span.speed)} % of the usual fast pace.`);
  for (const [at, held] of span.grippers.entries())
    if (held !== null)
      told.push(
        `Meanwhile ${grippers.length < 2 ? 'the gripper' : (grippers[at]?.name ?? 'a gripper')} stays ${held}.`,
      );
  return told;
}

/** What a statement rests on. */
type TextEvidence = 'frames' | 'recording' | 'task' | 'motion' | 'segments' | 'object_labels';

/** A sentence that may stand in a text, or be left out. */
export interface Statement {
  readonly text: string;
  readonly evidence: TextEvidence;
  /** The higher, the sooner it is told. */
  readonly weight: number;
  /** Where it stands by time; null: before everything, it is of the whole episode. */
  readonly from_s: number | null;
  /** What it is about, for a text that goes from place to place; empty: the whole episode. */
  readonly place: string;
}
