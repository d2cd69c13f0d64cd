import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AssayClient, createClient } from '#client';
import { assessFolder } from './support/assessed-project.ts';
import { type MemoryS3, type Mood, startMemoryS3 } from './support/memory-s3.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { writeTinyRecordings } from './support/tiny-recordings.ts';
import { createUpload, offsetOf, sendBytes, sha256Of } from './support/tus-client.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay-test-blobs-away-'));
const recordings = join(scratch, 'recordings');
let s3: MemoryS3;
let service: ServiceProcess;
let client: AssayClient;
let project_id: string;
beforeAll(async () => {
  s3 = await startMemoryS3('blobs');
  service = await startServiceProcess({ data: join(scratch, 'data'), roots: [recordings], env: s3.env });
  client = createClient({ address: service.address, token: service.token, tries: 1 });
  await writeTinyRecordings(recordings);
  project_id = await assessFolder(service, recordings);
});
afterAll(async () => {
  await service?.stop();
  await s3?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Sends a request while the blob store behaves as `mood` says; returns the answer and its duration in s. */
async function asked<T>(mood: Mood, request: () => Promise<T>): Promise<{ answer: T; took_s: number }> {
  s3.mood = mood;
  const begun = performance.now();
  try {
    const answer = await request();
    return { answer, took_s: (performance.now() - begun) / 1000 };
  } finally {
    s3.mood = 'answers';
  }
}

/** No timing of work: how long a person waits for “not now”. */
const patience_s = 5;

const moods = ['silent', 'cuts'] as const;
describe.each(moods)('a blob store that is away (%s)', (mood) => {
  test('is told to who reads a receipt, with when to ask again', async () => {
    const { items } = await client.episodes.list({ project_id, limit: 1 });
    const { answer, took_s } = await asked(mood, () =>
      client.episodes.getReceipt({ episode_id: items[0].id }).catch((thrown) => thrown),
    );
    expect(answer).toMatchObject({
      code: 'storage_unavailable',
      status: 503,
      retry_after_s: expect.any(Number),
    });
    expect(took_s).toBeLessThan(patience_s);
    expect((await client.episodes.getReceipt({ episode_id: items[0].id })).decision).toBe(items[0].decision);
  });

  test.each([1000, 20_000_000])(
    'is told to who sends a file of %i bytes, and nothing of it is lost',
    async (size) => {
      const bytes = Buffer.alloc(size, mood);
      const sha256 = sha256Of(bytes);
      const source = await client.sources.create({ project_id, kind: 'upload', name: `${mood} ${size}` });
      const created = await createUpload(service, {
        source_id: source.id,
        path: 'a.bin',
        bytes: size,
        sha256,
      });
      const place = created.headers.get('location') ?? '';
      await sendBytes(service, place, 0, bytes.subarray(0, size - 10));
      const { answer, took_s } = await asked(mood, () =>
        sendBytes(service, place, size - 10, bytes.subarray(size - 10)),
      );
      expect([answer.status, answer.body.code]).toEqual([503, 'storage_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(took_s).toBeLessThan(patience_s);
      expect(await offsetOf(service, place)).toBe(size);
      expect(await client.sources.complete({ source_id: source.id })).toMatchObject({
        state: 'ready',
        files: 1,
        bytes: size,
      });
    },
  );
});
