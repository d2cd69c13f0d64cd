import { AssayError } from '#kernel';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { viewOf } from '../../messages/message-compression.ts';
import type { Dataset, Recognition } from '../../reader.ts';
import { picturesAt } from './pictures-at.ts';
import { type McapSelector, planUnits } from './plan-units.ts';
import { readRecording } from './read-recording.ts';
import { magic, opcode, parseHeader, prefixBytes } from './records.ts';

/** Looks at every file's place, bag by bag; what is in them is read unit by unit. */
export async function openMcap(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planUnits(tree);
  const first = plan.units[0]?.selector;
  const version = isSelector(first) ? await profileOf(tree, first.files[0]) : null;
  return {
    facts: {
      format: 'mcap',
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
      if (!isSelector(selector)) throw new AssayError('internal', `${unit.id} is no unit of MCAP files`);
      const bag = selector.sidecar === null ? null : (plan.bags.get(selector.sidecar) ?? null);
      return readRecording(tree, unit, selector, bag, options);
    },
    picturesAt: async (wanted) => {
      const selectors = plan.units.map(({ selector }) => selector).filter(isSelector);
      const selector = selectors.find(({ files }) => files.includes(wanted.locator.path));
      return selector === undefined ? [] : picturesAt(tree, selector, wanted);
    },
    close: async () => {},
  };
}

function isSelector(value: unknown): value is McapSelector {
  return typeof value === 'object' && value !== null && 'files' in value && Array.isArray(value.files);
}

/** `ros1`, `ros2` or what else the header's profile says; null when it says nothing. */
async function profileOf(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 1024).catch(() => new Uint8Array(0));
  const start = magic.length + prefixBytes;
  if (head.length < start || head[magic.length] !== opcode.header) return null;
  try {
    return parseHeader(head, viewOf(head), start, head.length).profile || null;
  } catch {
    return null;
  }
}
