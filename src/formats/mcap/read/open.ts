import type { SourceTree } from '#io/sources';
import { firstFile, openBags } from '../../shared/bags/open-bags.ts';
import { planRecordings } from '../../shared/bags/plan-recordings.ts';
import { isSidecar } from '../../shared/bags/sidecar.ts';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { openMcapWalk } from './mcap-walk.ts';
import { magic, opcode, parseHeader, prefixBytes } from './records.ts';
import { tailOf } from './tail.ts';

/** Looks at every file's place, bag by bag; what is in them is read unit by unit. */
export async function openMcap(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planRecordings(tree, 'mcap', (path) => !isSidecar(path));
  const first = firstFile(plan);
  const version = first === null ? null : await profileOf(tree, first);
  const format = { format: 'mcap', version, keeps_publish_time: true, openLog: openMcapWalk, tailOf };
  return openBags(tree, recognition, plan, format);
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
