import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssayError } from '#core';
import { type AssessmentResult, type AssessOptions, assess } from '#engine/local';
import type { RecordingsRef } from '#io/sources';
import { openCutDoor } from './support/cut-door.ts';
import { haveServers, onServers, startS3, type TestS3 } from './support/servers.ts';
import { sharedSamples } from './support/shared-samples.ts';
import { rounds } from './support/tiers.ts';
import { uploadFolder } from './support/upload-folder.ts';

const data = resolve(import.meta.dirname, '../../shared/data');
const scratch = mkdtempSync(join(tmpdir(), 'assay-test-s3-recordings-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Everything an assessment says, or what it refuses with. */
async function told(path: Recordings, options: AssessOptions = {}) {
  const result = await assess(path, { receipts: true, ...options }).catch((thrown: unknown) => thrown);
  if (result instanceof AssayError) return { code: result.code, message: result.message };
  if (!isResult(result)) throw result;
  try {
    return { receipts: [...result.receipts()], summary: result.summary(), findings: result.findings };
  } finally {
    await result.close();
  }
}

type Recordings = Parameters<typeof assess>[0];
const isResult = (value: unknown): value is AssessmentResult =>
  value instanceof Object && 'receipts' in value;

describe.skipIf(!haveServers)(onServers('recordings in S3'), () => {
  let s3: TestS3;
  let connection: Extract<RecordingsRef, { kind: 's3' }>['connection'];
  const bucket = 'recordings';
  const cache_folder = join(scratch, 'cache');
  let samples: string;
  beforeAll(async () => {
    samples = (await sharedSamples()).recordings;
    s3 = await startS3();
    const { region, endpoint, force_path_style, access_key_id, secret_access_key } = await s3.bucket(bucket);
    connection = { region, endpoint, force_path_style, access_key_id, secret_access_key } as never;
  });
  afterAll(() => s3?.stop());

  const at = (prefix: string, cache_bytes = 1e9): RecordingsRef => ({
    ...{ kind: 's3', connection, bucket, prefix, cache_folder, cache_bytes },
  });
  const nothingHeld = () =>
    readdirSync(join(cache_folder, 'held')).concat(readdirSync(join(cache_folder, 'arriving')));

  test('the samples have the receipts they have in a folder, byte for byte', async () => {
    const own = join(samples, rounds(0, 1) ? '' : 'drive');
    await uploadFolder(s3, bucket, 'samples/', own);
    const local = await told(own);
    expect(await told(at('samples/'), { workers: 2 })).toEqual(local);
    expect(nothingHeld()).toEqual([]);
  }, 300_000);

  test('stored checksums and a cache smaller than one file change nothing', async () => {
    const folder = join(samples, 'teleop-lerobot');
    await uploadFolder(s3, bucket, 'hashed/', folder, true);
    expect(await told(at('hashed', 1000))).toEqual(await told(folder));
  });

  test('one object is one file', async () => {
    const folder = join(samples, 'teleop-mcap');
    const name = readdirSync(folder).find((file) => file.endsWith('.mcap'))!;
    await uploadFolder(s3, bucket, 'lone/', folder);
    expect(await told(at(`lone/${name}`))).toEqual(await told(join(folder, name)));
  });

  const names = ['rosbag', 'lerobot-v20-gr00t-pick-place', 'lerobot-malformed-omx', 'mcap', 'video'];
  for (const name of names.slice(0, rounds(1, names.length))) {
    const folder = join(data, name);
    test.skipIf(!existsSync(folder))(
      `${name} has the receipts it has in a folder (needs ../shared/data)`,
      async () => {
        await uploadFolder(s3, bucket, `${name}/`, folder);
        expect(await told(at(`${name}/`))).toEqual(await told(folder));
        expect(nothingHeld()).toEqual([]);
      },
      300_000,
    );
  }

  test('a prefix without recordings says so, naming it', async () => {
    expect(await told(at('nowhere/'))).toMatchObject({
      code: 'not_recognised',
      message: expect.stringContaining('s3://recordings/nowhere/'),
    });
  });

  test('a server lost at any moment ends it with that reason, never with other receipts', async () => {
    const local = await told(join(samples, 'teleop-lerobot'));
    const door = await openCutDoor(s3.endpoint);
    const ref = at('hashed/') as Extract<RecordingsRef, { kind: 's3' }>;
    const reached = { ...ref, connection: { ...connection, endpoint: door.endpoint } };
    const codes = new Set<string>();
    for (const answers of [9, 0, 2, 30].slice(0, rounds(2, 4))) {
      rmSync(cache_folder, { recursive: true, force: true });
      door.lastAnswers(answers);
      const said = await told(reached, { workers: 1 });
      if ('code' in said) codes.add(said.code);
      else expect(said).toEqual(local);
    }
    await door.close();
    expect([...codes]).toEqual(['storage_unavailable']);
  }, 120_000);
});
