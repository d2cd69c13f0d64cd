import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeMixedRecordings } from '#test/support/mixed-recordings';
import { assessAgain, conditionsBeside } from '#test/support/same-bytes';

// npm run same-bytes -- [PATH] [--runs N] [--only NAME]: assesses PATH (without one: generated recordings, and clips of ../shared/data
// where it is) N times under each condition and compares everything that was written, byte by byte.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '20' }, only: { type: 'string' } },
});
const work = mkdtempSync(join(tmpdir(), 'assay-same-bytes-'));
let failed = false;
try {
  const recordings =
    positionals[0] === undefined ? await writeMixedRecordings(work) : resolve(positionals[0]);
  const runs = Number(values.runs);
  let reference: Awaited<ReturnType<typeof assessAgain>>['written'] | null = null;
  for (const condition of conditionsBeside(16).filter(
    ({ name }) => values.only === undefined || values.only === name,
  )) {
    const { differences, written } = await assessAgain(
      recordings,
      join(work, 'out'),
      condition,
      runs,
      reference,
    );
    reference ??= written;
    const receipts = [...written.keys()].filter((name) => name.startsWith('receipts/')).length;
    const hash = createHash('sha256');
    for (const [name, bytes] of written) hash.update(`${name} ${bytes.length} `).update(bytes);
    const digest = hash.digest('hex').slice(0, 16);
    const outcome = differences.length === 0 ? 'the same bytes' : `${differences.length} differences`;
    console.log(
      `${condition.name}: ${runs} runs, ${receipts} receipts, ${written.size} files, ${digest}: ${outcome}`,
    );
    for (const line of differences.slice(0, 20)) console.log(`    ${line}`);
    failed ||= differences.length > 0;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
