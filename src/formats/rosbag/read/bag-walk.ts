import type { Finding } from '#core/episode';
import { openByteSource, type SourceTree } from '#io/sources';
import type { LogWalk, WalkTarget } from '../../shared/bags/log-walk.ts';
import { SourceWalk } from '../../shared/bags/source-walk.ts';
import { readBagStart } from './bag-start.ts';
import { sharedTopics } from './connection-findings.ts';
import type { Connection } from './connections.ts';
import { FileWalk } from './file-walk.ts';

/** Opens a bag. Throws an AssayError for another version, an encrypted bag and what is no bag at all. */
export async function openBagWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const bag = await readBagStart(tree, path);
  const source = await openByteSource(tree, path, { hashes: target.hashes });
  return new BagWalk(path, source, new FileWalk(source, path, bag, target), target.hashes);
}

class BagWalk extends SourceWalk<FileWalk> {
  findings(): Finding[] {
    const used = this.counted();
    return [...this.walk.integrity.findings(used), ...sharedTopics(used, this.path)];
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.walk.close();
    await super[Symbol.asyncDispose]();
  }

  protected counted(): readonly Connection[] {
    return this.walk.records.connections.used();
  }
}
