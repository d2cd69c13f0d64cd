import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

describe.skipIf(process.platform !== 'linux')('what a service starts with (skipped but on Linux)', () => {
  let data: string;
  let service: ServiceProcess | null = null;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'assay-giving-back-'));
  });
  afterEach(async () => {
    await service?.stop();
    rmSync(data, { recursive: true, force: true });
  });

  const settings = ({ child }: ServiceProcess) =>
    readFileSync(`/proc/${child.pid}/environ`, 'latin1')
      .split('\0')
      .filter((one) => one.startsWith('MALLOC_'))
      .sort();

  it('is a C library that gives memory back, in the process that was started', async () => {
    service = await startServiceProcess({ data });
    expect(settings(service)).toEqual(['MALLOC_MMAP_THRESHOLD_=1000000', 'MALLOC_TRIM_THRESHOLD_=1000000']);
  });

  it('is what the operator chose', async () => {
    service = await startServiceProcess({ data, env: { MALLOC_TRIM_THRESHOLD_: '5000000' } });
    expect(settings(service)).toEqual(['MALLOC_TRIM_THRESHOLD_=5000000']);
  });
});
