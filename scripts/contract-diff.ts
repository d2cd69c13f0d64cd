/**
 * Holds the contract against the one that was last released: `node scripts/contract-diff.ts [--json]`. Exits with 1 where a change that
 * may break programs has no entry in docs/migrations.md, or an entry there is of no change.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Json, nameOf } from './contract/change.ts';
import { compareContracts } from './contract/compare-contracts.ts';
import { heldAgainstGuide } from './contract/migration-entries.ts';

const { values } = parseArgs({
  options: {
    released: { type: 'string', default: 'docs/contract/released-openapi.json' },
    current: { type: 'string', default: 'openapi.json' },
    guide: { type: 'string', default: 'docs/migrations.md' },
    json: { type: 'boolean', default: false },
  },
});
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
