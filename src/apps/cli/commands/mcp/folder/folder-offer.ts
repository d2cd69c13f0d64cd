import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { asUnreadable } from '#core';
import { demandPlace } from '#engine/local';
import type { Offer, OfferedTool } from '#service/mcp/stdio';
import { demandNoAddress } from '../../../demand-no-address.ts';
import type { Io } from '../../../io.ts';
import type { Launcher } from '../../../launcher.ts';
import { assessTool } from './assess-tool.ts';
import { exportTool } from './export-tool.ts';
import { inTurn } from './in-turn.ts';
import { inspectTool } from './inspect-tool.ts';
import { searchTool } from './search-tool.ts';

const instructions =
  'Assay says with evidence whether the recordings of one folder are fit to train on. Call inspect first, then assess; search finds episodes, and export says or writes what may be trained on. No picture or video leaves here.';

/** What may be asked of a folder without a service. Throws `not_found`, and `usage` for an address or an unusable `out`. */
export async function folderOffer(
  path: string,
  out: string | undefined,
  io: Io,
  launcher: Launcher,
): Promise<Offer<null>> {
  demandNoAddress(path, 'assay mcp');
  const root = resolve(path);
  await realpath(root).catch((thrown: unknown) => {
    throw asUnreadable(thrown, path);
  });
  if (out !== undefined) demandPlace(out);
  const context = { root, out: out === undefined ? null : resolve(out), io };
  const takeTurn = inTurn();
  const tools: readonly OfferedTool<null>[] = [inspectTool, assessTool, searchTool, exportTool]
    .map((make) => make(launcher)(context))
    .map((tool) => ({ ...tool, call: (input, caller) => takeTurn(() => tool.call(input, caller)) }));
  return {
    instructions,
    tools: () => tools,
    find: (id) => tools.find((tool) => tool.id === id),
    kinds: [],
    prompts: [],
    complete: async () => [],
    listResources: async () => [],
  };
}
