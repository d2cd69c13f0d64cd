import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnObjects } from '../support/contract-calls.ts';
import { fixtures } from '../support/contract-fixtures.ts';
import { type ContractService, startContractService } from '../support/contract-service.ts';
import { onPeers, peerProgram, peersPython } from '../support/peers.ts';
import { isNightly, rounds } from '../support/tiers.ts';

/** Time limit of each of the two passes, in s. */
const budget_s = Number(process.env.ASSAY_SCHEMATHESIS_S ?? rounds(5, 120));

const options = [
  '--max-time',
  String(budget_s),
  '--seed',
  '1',
  // An episode is annotated while the caller waits, for a minute at most.
  '--request-timeout',
  '90',
  '--suppress-health-check',
  'all',
  // Values that a schema cannot describe, such as valid cursors, are refused with the documented 422; and
  // a POST under a used Idempotency-Key answers with what was made then, though it was deleted since.
  '--exclude-checks',
  'positive_data_acceptance,ensure_resource_availability',
  // It would end the token that it comes with.
  '--exclude-operation-id',
  'revoke_token',
  // Their answers end with the work that they tell of.
  '--exclude-operation-id',
  'stream_annotation_jobs',
  '--exclude-operation-id',
  'stream_run',
  // An answer may take a minute.
  ...(isNightly ? [] : ['--exclude-operation-id', 'annotate_episode']),
];

describe.skipIf(!peersPython)(onPeers('schemathesis on the served contract'), () => {
  let service: ContractService;
  let folder: string;
  beforeAll(async () => {
    service = await startContractService();
    folder = mkdtempSync(join(tmpdir(), 'assay-test-schemathesis-'));
  });
  afterAll(async () => {
    await service?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs Schemathesis and returns its output and whether it found no problems. */
  const examine = async (config: string, ...more: readonly string[]) => {
    writeFileSync(join(folder, 'schemathesis.toml'), config);
    const token = service.tenants[0].tokens.admin;
    const arguments_ = [`${service.address}/v1/openapi.json`, '-H', `Authorization: Bearer ${token}`];
    const ended = await promisify(execFile)(
      peerProgram('schemathesis'),
      ['run', ...arguments_, ...options, ...more],
      {
        cwd: folder,
        maxBuffer: 1e8,
      },
    ).catch((failed: { stdout: string; stderr: string }) => failed);
    const said = `${ended.stdout}${ended.stderr}`;
    return { said, fine: !('code' in ended) };
  };

  it('finds no 5xx and no answer that is not described, on objects that are there', {
    timeout: 300_000,
  }, async () => {
    const objects = new OwnObjects(service, service.tenants[0]);
    const lines: string[] = [];
    for (const name of Object.keys(fixtures))
      lines.push(`"path.${name}" = ${JSON.stringify(await objects.fixture(name))}`);
    const config = `[parameters]\n${lines.join('\n')}\n`;
    // Its phase of examples computes for a minute and a half over fixed objects, and leaves no time for the others.
    const phases = ['--phases', 'coverage,fuzzing,stateful'];
    const { said, fine } = await examine(config, '--exclude-method', 'DELETE', ...phases);
    expect(said).toMatch(/\d+ generated/);
    expect(fine, said).toBe(true);
  });

  it('finds none on any objects and in any order', { timeout: 300_000 }, async () => {
    const { said, fine } = await examine('');
    expect(said).toMatch(/\d+ generated/);
    expect(fine, said).toBe(true);
    expect(service.faults).toEqual([]);
  });
});
