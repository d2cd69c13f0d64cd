import { AssayError } from '#core';
import type { SourceTree } from '#io/sources';
import type { Dataset, Recognition, UnitTail } from '../reader.ts';
import type { OpenLog } from './log-walk.ts';
import { picturesAt, streamPictures } from './pictures-at.ts';
import type { RecordingPlan, RecordingSelector } from './plan-recordings.ts';
import { readRecording } from './read-recording.ts';

/** What a container adds to the recordings that were planned. */
export interface BagFormat {
  readonly format: string;
  readonly version: string | null;
  /** The container has a place for when a message was sent. */
  readonly keeps_publish_time: boolean;
  readonly openLog: OpenLog;
  /** What the end of one file says of it; absent where it says nothing. */
  readonly tailOf?: (tree: SourceTree, path: string) => Promise<UnitTail | null>;
}

/** The dataset of recordings that were planned; what is in them is read unit by unit. */
export function openBags(
  tree: SourceTree,
  recognition: Recognition,
  plan: RecordingPlan,
  { format, version, keeps_publish_time, openLog, tailOf }: BagFormat,
): Dataset {
  return {
    facts: {
      format,
      version,
      declared_episodes: null,
      declared_frames: null,
      declared_rate_hz: null,
      robot: null,
      declared_cameras: [],
    },
    recognition,
    findings: plan.findings,
    units: plan.units,
    read: (unit, options) => {
      const { selector } = unit;
      if (!isSelector(selector)) throw new AssayError('internal', `${unit.id} is no unit of ${format} files`);
      const bag = selector.sidecar === null ? null : (plan.bags.get(selector.sidecar) ?? null);
      return readRecording({ tree, unit, selector, bag, format, keeps_publish_time, openLog }, options);
    },
    picturesAt: async (wanted) => {
      const selector = plan.selectors.find(({ files }) => files.includes(wanted.locator.path));
      return selector === undefined ? [] : picturesAt(tree, selector, wanted, openLog);
    },
    pictures: async function* (wanted) {
      const selector = plan.selectors.find(({ files }) => files.includes(wanted.locator.path));
      if (selector !== undefined) yield* streamPictures(tree, selector, wanted, openLog);
    },
    ...(tailOf === undefined
      ? {}
      : {
          tail: async ({ selector }) =>
            isSelector(selector)
              ? joined(await Promise.all(selector.files.map((path) => tailOf(tree, path))))
              : null,
        }),
    close: async () => {},
  };
}

/** Of several files; null where one does not say. */
function joined(tails: readonly (UnitTail | null)[]): UnitTail | null {
  const known = tails.filter((tail) => tail !== null);
  if (known.length === 0 || known.length < tails.length) return null;
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  return {
    messages: known.reduce((sum, { messages }) => sum + messages, 0),
    start_ns: String(known.map(({ start_ns }) => BigInt(start_ns)).reduce(least)),
    end_ns: String(known.map(({ end_ns }) => BigInt(end_ns)).reduce(most)),
  };
}

/** Also of a unit that came back from another thread. */
function isSelector(value: unknown): value is RecordingSelector {
  return typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files);
}

/** The first file of a plan, by which its version is told; null where there is none. */
export function firstFile({ selectors }: RecordingPlan): string | null {
  return selectors[0]?.files[0] ?? null;
}
