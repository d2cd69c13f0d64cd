import type { FileEntry, SourceTree } from '#io/sources';
import { openBags } from '../../shared/bags/open-bags.ts';
import { planOf, type RecordingSelector } from '../../shared/bags/plan-recordings.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { versionOf } from './bag-start.ts';
import { openBagWalk } from './bag-walk.ts';

/** One recording a bag; what is in them is read unit by unit. */
export async function openRosbags(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const [first] = tree.files;
  const version = first === undefined ? null : versionOf(await tree.head(first.path, 32));
  const format = { format: 'rosbag', version, keeps_publish_time: false, openLog: openBagWalk };
  return openBags(tree, recognition, planOf(tree, tree.files.map(selectorOf)), format);
}

/** A bag is named without its extension. */
function selectorOf({ path }: FileEntry): RecordingSelector {
  return { id: path.replace(/\.bag(\.\w+)?$/i, ''), files: [path], sidecar: null, missing: [] };
}
