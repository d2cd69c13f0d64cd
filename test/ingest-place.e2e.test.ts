import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { lockFolder } from '../src/store/index.ts';
import { runAssay } from './run-assay.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { copyEmptyDatabase } from './support/store-template.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-ingest-place-'));
const [allowed, other, data] = ['allowed', 'other', 'data'].map((name) => join(place, name));
beforeAll(async () => {
  await generateNumericSet(join(allowed, 'set'), 2);
  await generateNumericSet(join(other, 'set'), 2);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('without a service', () => {
  const none = join(place, 'none');

  test('a typo or a question makes no data folder', async () => {
    const typo = await runAssay(['ingest', join(place, 'alowed'), '--data', none]);
    expect([typo.code, typo.err]).toEqual([3, expect.stringContaining('no such file or folder')]);
    const planned = await runAssay(['ingest', allowed, '--data', none, '--plan', '--json']);
    expect(planned.code, planned.err).toBe(0);
    expect(JSON.parse(planned.out).episodes).toBe(2);
    expect(existsSync(none)).toBe(false);
  });
});

describe('a data folder that another process is leaving', () => {
  test('is waited for, with who has it', async () => {
    const held = join(place, 'held');
    await copyEmptyDatabase(held);
    const lock = lockFolder(held);
    let released = false;
    const ran = await runAssay(['ingest', allowed, '--data', held, '--plan'], {
      onError: (err) => {
        if (released || !err.includes('waiting: ')) return;
        released = true;
        lock.release();
      },
    });
    expect(ran.err).toMatch(new RegExp(`waiting: .* in use by process ${process.pid} since 20`));
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('Plan: 2 episodes')]);
  });
});

describe('beside a service', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startServiceProcess({ data, roots: [allowed] });
  });
  afterAll(() => service?.stop());
  const made = async () => [
    (await service.ask('GET', '/v1/workspaces')).items,
    (await service.ask('GET', '/v1/projects')).items,
  ];

  test('a refusal names the folders that may be read and how to add one, and neither it nor a plan leaves anything', async () => {
    const before = await made();
    const refused = await runAssay(['ingest', other, '--data', data, '--workspace', 'new']);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`outside of the allowed folders: `);
    expect(refused.err).toContain(allowed);
    expect(refused.err).toContain('assay serve --root DIR');
    expect(refused.err.match(/source location not allowed/gi)).toHaveLength(1);
    const planned = await runAssay(['ingest', allowed, '--data', data, '--workspace', 'new', '--plan']);
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('Plan: 2 episodes')]);
    expect(await made()).toEqual(before);
  });

  test.skipIf(process.platform !== 'linux')(
    'it runs with a C library that gives memory back (on Linux)',
    () => {
      const settings = readFileSync(`/proc/${service.child.pid}/environ`, 'latin1').split('\0');
      expect(settings.filter((one) => one.startsWith('MALLOC_')).sort()).toEqual([
        'MALLOC_MMAP_THRESHOLD_=1000000',
        'MALLOC_TRIM_THRESHOLD_=1000000',
      ]);
    },
  );

  test('a second one on its data folder is told who has it, since when and where', async () => {
    const second = await runAssay(['serve', '--data', data, '--port', '0']);
    expect(second.code).toBe(4);
    expect(second.err).toContain(`process ${service.child.pid} since 20`);
    expect(second.err).toContain(service.address);
    expect(second.err).toContain('--data DIR --port N');
  });

  test('a start by a loader stores it in the project, and judges an earlier run again', async () => {
    const set = join(allowed, 'set');
    const assessed = async (loader: readonly string[]) => {
      const { code, err } = await runAssay(['start', set, '--data', data, ...loader]);
      const { out } = await runAssay(['assess', set, '--json', ...loader]);
      expect(err).toContain(`already running at ${service.address}`);
      const { items } = await service.ask('GET', '/v1/projects');
      const { id } = items.find(({ name }: { name: string }) => name === 'set');
      const runs = (await service.ask('GET', `/v1/projects/${id}/runs`)).items;
      return { code, id, runs, local: JSON.parse(out).dataset };
    };
    const own = await assessed([]);
    expect(own).toMatchObject({ code: 0, runs: [{ type: 'assess', settings: {} }] });
    expect(own.runs[0].usability).toEqual(own.local.usability);
    const other = await assessed(['--loader', 'lerobot-0.3']);
    expect(other.runs).toMatchObject([
      { type: 'rescore', status: 'succeeded', settings: { loaders: ['lerobot-0.3'] } },
      { type: 'assess' },
    ]);
    expect(other.runs[0].usability).toEqual(other.local.usability);
    expect(other.local.usability.reasons).not.toEqual(own.local.usability.reasons);
    expect((await assessed(['--loader', 'lerobot-0.3'])).runs).toHaveLength(2);
    const settings = `/v1/projects/${own.id}/readiness/settings`;
    expect((await service.ask('GET', settings)).settings_file).toEqual({ loaders: ['lerobot-0.3'] });
    const refused = await service.request('PUT', settings, { loaders: ['lerobot-9'] });
    expect(refused).toMatchObject({
      status: 422,
      body: { advice: expect.stringMatching(/lerobot-0\.3.*gr00t/) },
    });
  });

  test('a start with other recordings brings up a service of its own', async () => {
    const own = `${data}-other`;
    await copyEmptyDatabase(own);
    let asked = false;
    const started = await runAssay(['start', other, '--data', data, '--port', '0'], {
      onError: (err, child) => {
        if (asked || !/^Serving .*\n/m.test(err)) return;
        asked = child.kill('SIGINT');
      },
    });
    expect(started.code, started.err).toBe(0);
    expect(started.err).toContain(`already running at ${service.address}`);
    const address = [...started.err.matchAll(/^Service:\s+(http\S+)$/gm)].at(-1)?.[1];
    expect(address).not.toBe(service.address);
    expect(existsSync(join(own, 'admin-token'))).toBe(true);
    expect(started.out).toContain('2 episodes');
  });
});
