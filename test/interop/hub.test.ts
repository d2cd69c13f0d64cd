import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { assess, locateRecordings } from '#engine/local';
import { startDatasetHub } from '#test/support/dataset-hub';
import { writeSet } from '#test/support/lerobot-set';
import { onPeers, peersPython } from '#test/support/peers';

const scratch = mkdtempSync(join(tmpdir(), 'assay-interop-hub-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const download = `
import sys
from huggingface_hub import snapshot_download
snapshot_download('lab/set', repo_type='dataset', local_dir=sys.argv[1])
`;

describe.skipIf(!peersPython)(onPeers("the hub's own library"), () => {
  it('downloads from the hub of these tests what is judged as it is from there', async () => {
    const hub = await startDatasetHub({ token: 'hf_t', page: 3 });
    hub.commit(await writeSet({ episodes: 3 }));
    const folder = join(scratch, 'downloaded');
    const env = {
      HF_ENDPOINT: hub.endpoint,
      HF_TOKEN: 'hf_t',
      HF_HOME: join(scratch, 'home'),
      HF_HUB_DISABLE_XET: '1',
    };
    await promisify(execFile)(peersPython!, ['-c', download, folder], { env: { ...process.env, ...env } });
    const located = await locateRecordings('hf://datasets/lab/set', async () => ({
      ...{ token: 'hf_t', endpoint: hub.endpoint, plain_http: false },
      ...{ cache_folder: join(scratch, 'cache'), cache_bytes: 1e9 },
    }));
    const receiptsOf = async (recordings: Parameters<typeof assess>[0]) => {
      const result = await assess(recordings, { receipts: true, workers: 1 });
      const receipts = [...result.receipts()];
      await result.close();
      return receipts;
    };
    expect(await receiptsOf(located.recordings)).toEqual(await receiptsOf(folder));
    await located.close();
    await hub.close();
  }, 120_000);
});
