/** Holds the contract against the one that was last released; `help` below says how it is called. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { messageOf } from '#core';
import { type Json, nameOf } from './contract/change.ts';
import { compareContracts } from './contract/compare-contracts.ts';
import { heldAgainstGuide } from './contract/migration-entries.ts';

const help = `npm run contract-diff -- [options]

Holds the contract against the one that was last released. Exits with 1 where a change that may break programs has no entry in
docs/migrations.md, or an entry there is of no change; with 2 where it is called wrongly.

  --released FILE  the contract of the last release (docs/contract/released-openapi.json)
  --current FILE   the contract as it is (openapi.json)
  --guide FILE     what tells people what to do (docs/migrations.md)
  --json           print JSON
`;

const values = valuesOf();
if (values === null || values.help) {
  process[values === null ? 'stderr' : 'stdout'].write(help);
  process.exit(values === null ? 2 : 0);
}
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Json;
const changes = compareContracts(read(values.released), read(values.current));
const { missing, idle } = heldAgainstGuide(changes, readFileSync(values.guide, 'utf8'));
if (missing.length + idle.length > 0) process.exitCode = 1;
if (values.json) console.log(JSON.stringify({ changes, missing, idle }, null, 2));
else {
  for (const change of changes)
    console.log(`${change.breaking ? 'breaking  ' : 'compatible'}  ${nameOf(change)}`);
  const breaking = changes.filter((change) => change.breaking).length;
  console.log(`${changes.length} changes since the last release, ${breaking} of which may break programs`);
  if (missing.length > 0) console.error(`\nadd to ${values.guide}, under "## Unreleased":`);
  for (const change of missing) console.error(`- \`${nameOf(change)}\`: (what to do)`);
  for (const entry of idle)
    console.error(`\n${values.guide} names what is no change that breaks anything: ${entry}`);
}

/** Null where it is called wrongly, which is said. */
function valuesOf() {
  try {
    return parseArgs({
      options: {
        released: { type: 'string', default: 'docs/contract/released-openapi.json' },
        current: { type: 'string', default: 'openapi.json' },
        guide: { type: 'string', default: 'docs/migrations.md' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (thrown) {
    console.error(`${messageOf(thrown)}\n`);
    return null;
  }
}
