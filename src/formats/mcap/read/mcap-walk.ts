import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import { openByteSource, type SourceTree } from '#io/sources';
import type { LogWalk, WalkTarget } from '../../shared/bags/log-walk.ts';
import { SourceWalk } from '../../shared/bags/source-walk.ts';
import type { RecordingMetadata } from '../../shared/messages/recording-metadata.ts';
import { channelFindings } from './channel-findings.ts';
import type { Channel } from './channels.ts';
import { FileWalk } from './file-walk.ts';

/** Opens an MCAP file, inflated on the way where it is compressed as a whole. */
export async function openMcapWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const head = await tree.head(path, 4);
  const compressed = head[0] === 0x28 && head[1] === 0xb5;
  const source = await openByteSource(tree, path, { compressed, hashes: target.hashes });
  try {
    const walk = new FileWalk(source, path, target);
    if (await walk.begin()) return new McapWalk(path, source, walk, target.hashes);
    throw new AssayError('unreadable_input', `${path} does not start as an MCAP file does`, { path });
  } catch (thrown) {
    await source.close();
    throw thrown;
  }
}

class McapWalk extends SourceWalk<FileWalk> {
  override get metadata(): readonly RecordingMetadata[] {
    return this.walk.records.metadata;
  }

  override embeddedMetadata(): { text: string; where: string } | null {
    const last = this.metadata.findLast(({ source }) => source === 'metadata record rosbag2');
    const text = last?.values.get('serialized_metadata');
    return text === undefined ? null : { text, where: 'the metadata record rosbag2' };
  }

  findings(): Finding[] {
    return [...this.walk.integrity.findings(), ...channelFindings(this.counted(), this.path)];
  }

  protected counted(): readonly Channel[] {
    return this.walk.records.channels.all();
  }
}
