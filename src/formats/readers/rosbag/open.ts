import { openBags } from '../../bags/open-bags.ts';
import type { RecordingPlan } from '../../bags/plan-recordings.ts';
import type { SourceTree } from '../../bytes/source-tree.ts';
import type { Dataset, Recognition } from '../../reader.ts';
import { versionOf } from './bag-start.ts';
import { openBagWalk } from './bag-walk.ts';

/** One recording a bag; what is in them is read unit by unit. */
export async function openRosbags(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const [first] = tree.files;
  const version = first === undefined ? null : versionOf(await tree.head(first.path, 32));
  const format = { format: 'rosbag', version, keeps_publish_time: false, openLog: openBagWalk };
  return openBags(tree, recognition, planOf(tree), format);
}

/** Bags are named without their extension, unless two would then have one name. */
function planOf({ files }: SourceTree): RecordingPlan {
  const short = files.map(({ path }) => path.replace(/\.bag(\.\w+)?$/i, ''));
  const uses = new Map<string, number>();
  for (const id of short) uses.set(id, (uses.get(id) ?? 0) + 1);
  const selectors = files.map(({ path }, index) => {
    const id = uses.get(short[index]) === 1 ? short[index] : path;
    return { id, files: [path], sidecar: null, missing: [] };
  });
  const units = selectors.map((selector, index) => ({
    id: selector.id,
    expected_episodes: 1,
    first_index: index,
    bytes: files[index].bytes,
    selector,
  }));
  return { units, selectors, findings: [], bags: new Map() };
}
