import type { Kind } from '#core/episode';
import type { ArtifactSegment, SegmentsArtifact } from './artifact-schemas.ts';

/** Id of the sentences composed from measurements, in the model registry. */
export const grammarId = 'assay/grammar';

/** Subject of generated sentences, by data kind. */
const actorByKind: Readonly<Record<Kind, string>> = {
  teleop: 'the robot',
  egocentric: 'the wearer',
  'drive-log': 'the vehicle',
  'aerial-flight': 'the aircraft',
  'state-only': 'the robot',
  'vision-asset': 'the camera',
};

/** Returns the sentence subject for a data kind, such as `the robot`. */
export const actorOf = (kind: Kind): string => actorByKind[kind];

/** Speeds, as fractions of the episode's typical speed, below which a motion is slow and above which it is fast. */
const maxSlowSpeed = 0.4;
const minFastSpeed = 0.9;

/**
 * Returns ` slowly` or ` fast` for a low or high mean speed of a segment; an empty text in between or if the speed is
 * unknown.
 */
export const paceSuffix = ({ speed }: Pick<ArtifactSegment, 'speed'>): string =>
  speed === null ? '' : speed < maxSlowSpeed ? ' slowly' : speed > minFastSpeed ? ' fast' : '';

/**
 * Returns the recorded name of the dimension that moves most, or `dimension N of STREAM` if it has no name; `null` if
 * none moves.
 */
export function mostMovedName({ most_moved }: Pick<ArtifactSegment, 'most_moved'>): string | null {
  if (most_moved === null) return null;
  return most_moved.name ?? `dimension ${most_moved.dimension} of ${most_moved.stream}`;
}

/**
 * Returns the name of the gripper that a segment starts with; `the gripper` if there is only one or it has no name.
 */
function gripperName({ begins }: ArtifactSegment, { grippers }: SegmentsArtifact): string {
  const gripper = grippers.find(
    ({ stream, dimension }) => stream === begins?.stream && dimension === begins.dimension,
  );
  return grippers.length < 2 || gripper === undefined || gripper.name === null ? 'the gripper' : gripper.name;
}

/** A sentence part about a stretch of time, in seconds on the episode's clock. */
export interface ActionPhrase {
  readonly from_s: number;
  readonly to_s: number;
  /** Grammatical subject. */
  readonly subject: string;
  readonly predicate: string;
  /** Whether it is a gripper event; these are always mentioned, however short they are. */
  readonly isEvent: boolean;
  readonly span: ArtifactSegment;
}

const gripperVerbs = { open: 'opens', close: 'closes', unknown: 'moves' } as const;
const changeByKind = { gripper_open: 'open', gripper_close: 'close', gripper_change: 'unknown' } as const;

/**
 * Describes segments as phrases (subject, verb, times) in time order: one for each that was observed, and a separate
 * one for a gripper change at its start. The change gets no phrase if the segment before it is the gripper event
 * itself.
 */
export function describeSegments(spans: SegmentsArtifact, actor: string): ActionPhrase[] {
  return spans.segments.flatMap((span, at) => {
    const { from_s, to_s, kind, begins } = span;
    const gripper = (change: 'open' | 'close' | 'unknown', until_s: number): ActionPhrase => {
      const clause = { subject: gripperName(span, spans), predicate: gripperVerbs[change] };
      return { from_s, to_s: until_s, ...clause, isEvent: true, span };
    };
    if (kind === 'gripper_open' || kind === 'gripper_close' || kind === 'gripper_change')
      return [gripper(changeByKind[kind], to_s)];
    const isMentioned = at > 0 && spans.segments[at - 1].kind.startsWith('gripper');
    const first = begins?.change != null && !isMentioned ? [gripper(begins.change, from_s)] : [];
    if (kind === 'unobserved') return first;
    if (spans.motion?.role === 'camera') {
      const predicate = kind === 'still' ? 'hardly changes' : `changes${paceSuffix(span)}`;
      return [...first, { from_s, to_s, subject: 'the image', predicate, isEvent: false, span }];
    }
    const predicate = kind === 'still' ? 'stands still' : `moves${paceSuffix(span)}${mostMovedSuffix(span)}`;
    return [...first, { from_s, to_s, subject: actor, predicate, isEvent: false, span }];
  });
}

function mostMovedSuffix(span: ArtifactSegment): string {
  const name = mostMovedName(span);
  return name === null ? '' : `, mostly ${name}`;
}

/** Formats seconds with one decimal. */
export const formatSeconds = (seconds: number): string => (Math.round(10 * seconds) / 10 + 0).toFixed(1);

/** Returns the number of whitespace-separated words. */
export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** Truncates a text to `max` words and appends ` …` if any were cut off. */
export function truncateWords(text: string, max: number): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= max ? words.join(' ') : `${words.slice(0, max).join(' ')} …`;
}

/**
 * Trims a text, capitalises its first letter and adds a full stop unless it ends with `.`, `!`, `?` or `…`; an empty
 * text remains empty.
 */
export function toSentence(text: string): string {
  const plain = text.trim();
  if (plain === '') return '';
  const [first, ...rest] = plain;
  return `${first.toUpperCase()}${rest.join('')}${/[.!?…]$/.test(plain) ? '' : '.'}`;
}
