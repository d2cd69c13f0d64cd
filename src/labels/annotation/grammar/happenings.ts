import type { Kind } from '#core/episode';
import type { KnownSpan, KnownSpans } from './known-spans.ts';

/** Who acts, by the kind of data. */
const actors: Readonly<Record<Kind, string>> = {
  teleop: 'the robot',
  egocentric: 'the wearer',
  'drive-log': 'the vehicle',
  'aerial-flight': 'the aircraft',
  'state-only': 'the robot',
  'vision-asset': 'the camera',
};

export const actorOf = (kind: Kind): string => actors[kind];

/** Shares of the episode's typical speed up to which a motion is slow, and from which on it is fast. */
const slow = 0.4;
const fast = 0.9;

/** How it moves: ` slowly`, ` fast` or nothing. */
export const pace = ({ speed }: Pick<KnownSpan, 'speed'>): string =>
  speed === null ? '' : speed < slow ? ' slowly' : speed > fast ? ' fast' : '';

/** What moves most, by its recorded name; null while it has none. */
export function mostMoved({ most_moved }: Pick<KnownSpan, 'most_moved'>): string | null {
  if (most_moved === null) return null;
  return most_moved.name ?? `dimension ${most_moved.dimension} of ${most_moved.stream}`;
}

/** The gripper whose change a span begins with: `the gripper` where there is but one. */
function gripperOf({ begins }: KnownSpan, { grippers }: KnownSpans): string {
  const own = grippers.find(
    ({ stream, dimension }) => stream === begins?.stream && dimension === begins.dimension,
  );
  return grippers.length < 2 || own === undefined || own.name === null ? 'the gripper' : own.name;
}

/** Something that is said to happen, in seconds on the episode's clock. */
export interface Happening {
  readonly from_s: number;
  readonly to_s: number;
  /** Who or what does it. */
  readonly subject: string;
  readonly predicate: string;
  /** A gripper opens or closes: told however short it is. */
  readonly isEvent: boolean;
  readonly span: KnownSpan;
}

const ofGripper = { open: 'opens', close: 'closes', unknown: 'moves' } as const;
const changeOf = { gripper_open: 'open', gripper_close: 'close', gripper_change: 'unknown' } as const;

/** What happens, one after the other. A span that only begins with a gripper's change is told after it. */
export function happeningsOf(spans: KnownSpans, actor: string): Happening[] {
  return spans.segments.flatMap((span, at) => {
    const { from_s, to_s, kind, begins } = span;
    const gripper = (change: 'open' | 'close' | 'unknown', until_s: number): Happening => {
      const told = { subject: gripperOf(span, spans), predicate: ofGripper[change] };
      return { from_s, to_s: until_s, ...told, isEvent: true, span };
    };
    if (kind === 'gripper_open' || kind === 'gripper_close' || kind === 'gripper_change')
      return [gripper(changeOf[kind], to_s)];
    const isTold = at > 0 && spans.segments[at - 1].kind.startsWith('gripper');
    const first = begins?.change != null && !isTold ? [gripper(begins.change, from_s)] : [];
    if (kind === 'unobserved') return first;
    if (spans.motion?.role === 'camera') {
      const predicate = kind === 'still' ? 'hardly changes' : `changes${pace(span)}`;
      return [...first, { from_s, to_s, subject: 'the picture', predicate, isEvent: false, span }];
    }
    const predicate = kind === 'still' ? 'stands still' : `moves${pace(span)}${mostly(span)}`;
    return [...first, { from_s, to_s, subject: actor, predicate, isEvent: false, span }];
  });
}

function mostly(span: KnownSpan): string {
  const most = mostMoved(span);
  return most === null ? '' : `, mostly ${most}`;
}
