import type { Finding } from '#core/episode';
import { type FileEntry, openByteSource, type SourceTree } from '#io/sources';
import { type LogWalk, SourceWalk, type WalkTarget } from '../shared/bags/log-walk.ts';
import { openBags } from '../shared/bags/open-bags.ts';
import { buildPlan, type RecordingSelector } from '../shared/bags/plan-recordings.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { parseVersion, readBagStart } from './bag-start.ts';
import type { Connection } from './connections.ts';
import { FileWalk } from './file-walk.ts';

/** Opens ROS 1 bags as a dataset with one recording per bag; messages are read per unit. */
export async function openRosbags(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const [first] = tree.files;
  const version = first === undefined ? null : parseVersion(await tree.head(first.path, 32));
  const format = { format: 'rosbag', version, keeps_publish_time: false, openLog: openBagWalk };
  return openBags(tree, recognition, buildPlan(tree, tree.files.map(selectorOf)), format);
}

/** Returns the recording of one bag, named without its extension. */
function selectorOf({ path }: FileEntry): RecordingSelector {
  return { id: path.replace(/\.bag(\.\w+)?$/i, ''), files: [path], sidecar: null, missing: [] };
}

/** Opens a bag for reading. Throws an AssayError for other versions, encrypted bags and files that are not bags. */
async function openBagWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const bag = await readBagStart(tree, path);
  const source = await openByteSource(tree, path, { hashes: target.hashes });
  return new BagWalk(path, source, new FileWalk(source, path, bag, target), target.hashes);
}

/** Log walk over one bag. */
class BagWalk extends SourceWalk<FileWalk> {
  findings(): Finding[] {
    const used = this.topicCounts();
    return [...this.walk.integrity.findings(used), ...sharedTopics(used, this.path)];
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.walk.close();
    await super[Symbol.asyncDispose]();
  }

  protected topicCounts(): readonly Connection[] {
    return this.walk.records.connections.used();
  }
}

/** Topics that several nodes publish by design. */
const sharedByDesign = /(^|\/)(rosout|rosout_agg|tf|tf_static|diagnostics|parameter_updates)$/;

/** Reports topics with several publishers, other than those shared by design. */
function sharedTopics(used: readonly Connection[], path: string): Finding[] {
  const byTopic = Map.groupBy(used, ({ record }) => record.topic);
  return [...byTopic]
    .filter(([topic, connections]) => connections.length > 1 && !sharedByDesign.test(topic))
    .slice(0, 16)
    .map(([topic, connections]) => {
      const types = new Set(connections.map(({ record }) => record.type));
      const kept =
        types.size === 1
          ? 'their messages were read as one stream'
          : 'each message type is read as a separate stream';
      return {
        code: 'topic_shared',
        severity: 'info',
        path,
        message: `${topic} has ${connections.length} connections (${[...types].join(', ')}); ${kept}`,
        advice:
          'check that several publishers are meant to share the topic, or that a publisher was restarted',
      };
    });
}
