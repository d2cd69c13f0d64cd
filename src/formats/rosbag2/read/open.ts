import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { firstFile, openBags } from '../../shared/bags/open-bags.ts';
import { planRecordings, type RecordingPlan } from '../../shared/bags/plan-recordings.ts';
import { splitNumber } from '../../shared/bags/recording-order.ts';
import { inFolder } from '../../shared/bags/sidecar.ts';
import { folderOf } from '../../shared/divide-folders.ts';
import { isZstd } from '../../shared/messages/decoders/message-compression.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { openDatabase } from '../bag-database.ts';
import { BagFiles } from './bag-files.ts';
import { openDb3Walk, schemaVersion } from './db3-walk.ts';
import { isLog } from './recognise.ts';

/** Looks at every file's place, bag by bag; what is in them is read unit by unit. */
export async function openRosbag2(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planRecordings(tree, 'sqlite3', isLog);
  const first = firstFile(plan);
  const version = first === null ? null : await versionOf(tree, first);
  const findings = [...plan.findings, ...looseParts(plan)];
  const format = { format: 'rosbag2', version, keeps_publish_time: false, openLog: openDb3Walk };
  return openBags(tree, recognition, { ...plan, findings }, format);
}

/** Null for a file that would have to be inflated first, and for one that cannot be read. */
async function versionOf(tree: SourceTree, path: string): Promise<string | null> {
  try {
    if (isZstd(await tree.head(path, 4))) return null;
    await using opened = await BagFiles.open(tree, path, false);
    return `schema ${await schemaVersion(await openDatabase(opened.files))}`;
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}

/** Files numbered as the recorder numbers the parts of one bag, without the metadata.yaml that would say they are. */
function looseParts({ selectors }: RecordingPlan): Finding[] {
  const numbered = selectors.flatMap(({ sidecar, files: [path] }) => {
    const { stem, number } = splitNumber(path);
    return sidecar === null && number !== null ? [{ path, bag: inFolder(folderOf(path), stem) }] : [];
  });
  const groups = Map.groupBy(numbered, ({ bag }) => bag);
  const parted = [...groups].filter(([, parts]) => parts.length > 1);
  return parted.slice(0, 8).map(([bag, parts]) => ({
    code: 'metadata_absent',
    severity: 'info',
    path: parts[0].path,
    message: `${parts.length} files are called ${bag}_…, as the parts of one bag are; without metadata.yaml each was read as a recording of its own`,
    advice: 'if they are one bag, reindex it (ros2 bag reindex)',
  }));
}
