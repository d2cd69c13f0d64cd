/**
 * Checks a running service against the statements of the service interface: `npm run conformance -- ADDRESS`, with admin tokens of
 * two tenants in ASSAY_TOKEN and ASSAY_OTHER_TOKEN. Prints one line per statement and exits with 1 if one failed. It makes
 * workspaces, projects and chats in the first tenant. `--section 3.2` checks one section.
 */
import { parseArgs } from 'node:util';
import { messageOf } from '#core';
import { statements } from './statements.ts';
import { createWorld } from './world.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { section: { type: 'string' } },
});
const [address] = positionals;
const { ASSAY_TOKEN: token, ASSAY_OTHER_TOKEN: other_token } = process.env;
if (address === undefined || token === undefined || other_token === undefined) {
  console.error('ASSAY_TOKEN=… ASSAY_OTHER_TOKEN=… npm run conformance -- ADDRESS [--section N.N]');
  process.exit(2);
}

const chosen = statements.filter(({ section }) => (values.section ?? section) === section);
const world = await createWorld({ address, token, other_token });
let failed = 0;
for (const { section, text, check } of chosen)
  try {
    const note = await check(world);
    console.log(
      `passed  ${section.padEnd(5)} ${text}${note === undefined ? '' : ` (not observed: ${note})`}`,
    );
  } catch (thrown) {
    failed++;
    console.log(
      `failed  ${section.padEnd(5)} ${text}: ${messageOf(thrown).replace(/\s+/g, ' ').slice(0, 500)}`,
    );
  }
await world.close();
console.log(`${chosen.length - failed} of ${chosen.length} statements passed`);
process.exitCode = failed === 0 ? 0 : 1;
