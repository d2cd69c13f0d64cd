import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '#store';
import { haveServers, onServers, startPostgres, startS3, type TestPostgres, type TestS3 } from './servers.ts';

describe.skipIf(!haveServers)(onServers('servers for tests'), () => {
  let postgres: TestPostgres;
  let s3: TestS3;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  });
  afterAll(async () => {
    await Promise.all([postgres?.stop(), s3?.stop()]);
  });

  test('PostgreSQL keeps its rows when it is halted and resumed, and has pgvector', async () => {
    const before = openServer(postgres.url);
    await before.query('CREATE EXTENSION vector');
    await before.query("CREATE TABLE kept AS SELECT '[1,2,3]'::vector AS v");
    await before.close();
    await postgres.halt();
    const away = openServer(postgres.url);
    await expect(away.query('SELECT 1')).rejects.toMatchObject({ code: 'database_unavailable' });
    await away.close();
    await postgres.resume();
    const after = openServer(postgres.url);
    expect((await after.query('SELECT v::text FROM kept')).rows).toEqual([{ v: '[1,2,3]' }]);
    await after.close();
  });

  test('the S3 server has the buckets it was asked for', async () => {
    const { bucket } = await s3.bucket('tried');
    expect((await s3.client.send(new ListObjectsV2Command({ Bucket: bucket }))).KeyCount).toBe(0);
  });
});
