import type { ArtifactSegment, SegmentsArtifact } from '../../artifact-schemas.ts';
import {
  type ActionPhrase,
  describeSegments,
  formatSeconds,
  mostMovedName,
  paceSuffix,
  toSentence,
} from '../../grammar.ts';

/**
 * Describes the segments in weighted sentences, as instructions or observations by `style`, each followed by details
 * for longer texts.
 */
export function segmentStatements(spans: SegmentsArtifact, actor: string, style: Style): Statement[] {
  const lasts_s = Math.max(spans.to_s - spans.from_s, 1e-6);
  return describeSegments(spans, actor).flatMap((happening) => {
    const { from_s, to_s, isEvent, span } = happening;
    const place = isEvent ? happening.subject : (mostMovedName(span) ?? '');
    const about = { evidence: 'segments', from_s, place } as const;
    const share = (to_s - from_s) / lasts_s;
    const text = style === 'instructional' ? instruction(happening) : observation(happening);
    return [
      { ...about, text: toSentence(text), weight: 3 + share + (isEvent ? 1 : 0) },
      ...(isEvent
        ? []
        : detailStatements(span, spans).map((detail) => ({ ...about, text: detail, weight: 1 + share }))),
    ];
  });
}

function observation({ from_s, to_s, subject, predicate }: ActionPhrase): string {
  const when =
    to_s > from_s
      ? `from ${formatSeconds(from_s)} to ${formatSeconds(to_s)} s`
      : `at ${formatSeconds(from_s)} s`;
  return `${when} ${subject} ${predicate}`;
}

const imperatives: Readonly<Record<string, string>> = { opens: 'open', closes: 'close', moves: 'move' };

/** Phrases an action as an instruction. */
function instruction({ from_s, to_s, subject, predicate, isEvent, span }: ActionPhrase): string {
  if (isEvent) return `${imperatives[predicate]} ${subject}`;
  const during = `for ${formatSeconds(to_s - from_s)} s`;
  const name = mostMovedName(span);
  if (span.kind === 'still') return `hold still ${during}`;
  return `move${paceSuffix(span)}${name === null ? ' ' : `, mostly ${name}, `}${during}`;
}

const startReasons: Readonly<Record<string, string>> = {
  gripper: 'It begins with a change of the gripper.',
  still: 'It begins where motion starts or ends.',
  speed_minimum: 'It begins where the motion slows down.',
  change_point: 'It begins where the kind of motion changes.',
  unobserved: 'It begins where the record stops or starts again.',
};

function detailStatements(span: ArtifactSegment, { grippers }: SegmentsArtifact): string[] {
  const sentences: string[] = [];
  const reason = span.begins === null ? undefined : startReasons[span.begins.type];
  if (reason !== undefined) sentences.push(reason);
  if (span.kind === 'move' && span.speed !== null)
    sentences.push(`Its mean speed is ${Math.round(100 * span.speed)} % of the usual fast pace.`);
  for (const [at, state] of span.grippers.entries())
    if (state !== null)
      sentences.push(
        `Meanwhile ${grippers.length < 2 ? 'the gripper' : (grippers[at]?.name ?? 'a gripper')} stays ${state}.`,
      );
  return sentences;
}

/** Source that a statement is based on. */
type TextEvidence = 'frames' | 'recording' | 'task' | 'motion' | 'segments' | 'object_labels';

/** A sentence that can be included in the text or left out. */
export interface Statement {
  readonly text: string;
  readonly evidence: TextEvidence;
  /** Value per word; statements with higher weight are preferred. */
  readonly weight: number;
  /** Start time; `null` for statements about the whole episode, which come first. */
  readonly from_s: number | null;
  /** Part or object that it is about, to group spatial texts by; empty for the whole episode. */
  readonly place: string;
}

/** Text styles; the first is the default. */
export const styles = ['chronological', 'spatial', 'instructional'] as const;

/** A text style. */
export type Style = (typeof styles)[number];

/** Returns the style of that name, or the default style. */
export const styleOf = (name: string): Style => styles.find((style) => style === name) ?? styles[0];
