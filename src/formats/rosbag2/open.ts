import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { joinFolder, parseSplitName } from '../shared/bags/bag-metadata.ts';
import { firstFile, openBags } from '../shared/bags/open-bags.ts';
import { planRecordings, type RecordingPlan } from '../shared/bags/plan-recordings.ts';
import { folderOf } from '../shared/file-names.ts';
import { isZstd } from '../shared/messages/decoders/message-compression.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { openDatabase } from './bag-database.ts';
import { BagFiles } from './bag-files.ts';
import { openDb3Walk, readSchemaVersion } from './db3-walk.ts';
import { isLog } from './recognise.ts';

/**
 * Opens ROS 2 bags as a dataset; only file names, bag metadata and one schema version are read here, messages per unit.
 */
export async function openRosbag2(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planRecordings(tree, 'sqlite3', isLog);
  const first = firstFile(plan);
  const version = first === null ? null : await readSchemaLabel(tree, first);
  const findings = [...plan.findings, ...findUndescribedParts(plan)];
  const format = { format: 'rosbag2', version, keeps_publish_time: false, openLog: openDb3Walk };
  return openBags(tree, recognition, { ...plan, findings }, format);
}

/** Returns the schema version of a file as text; null if it is compressed or cannot be read. */
async function readSchemaLabel(tree: SourceTree, path: string): Promise<string | null> {
  try {
    if (isZstd(await tree.head(path, 4))) return null;
    await using opened = await BagFiles.open(tree, path, false);
    return `schema ${await readSchemaVersion(await openDatabase(opened.files))}`;
  } catch (thrown) {
    if (thrown instanceof AssayError) return null;
    throw thrown;
  }
}

/** Reports files that are numbered as parts of one bag but have no metadata.yaml. */
function findUndescribedParts({ selectors }: RecordingPlan): Finding[] {
  const numbered = selectors.flatMap(({ sidecar, files: [path] }) => {
    const { stem, number } = parseSplitName(path);
    return sidecar === null && number !== null ? [{ path, bag: joinFolder(folderOf(path), stem) }] : [];
  });
  const groups = Map.groupBy(numbered, ({ bag }) => bag);
  const parted = [...groups].filter(([, parts]) => parts.length > 1);
  return parted.slice(0, 8).map(([bag, parts]) => ({
    code: 'metadata_absent',
    severity: 'info',
    path: parts[0].path,
    message: `${parts.length} files are named ${bag}_… like parts of one bag; without metadata.yaml, each was read as a separate recording`,
    advice: 'if they are parts of one bag, reindex it (ros2 bag reindex)',
  }));
}
