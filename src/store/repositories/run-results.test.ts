import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding, Severity } from '#core/episode';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { pageFindings } from './run-results.ts';

const finding = (code: string, severity: Severity): Finding => ({
  ...{ code, severity, path: null, message: code, advice: 'none' },
});

describe.each(availableDatabases)('findings of a run on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
    const add = (tenant_id: string, place: number, findings: readonly Finding[]) =>
      store.database.query(
        `INSERT INTO run_datasets (tenant_id, run_id, place, path, format, claim, root, facts, evidence, kinds, findings, compared,
           episodes, unreadable)
         VALUES ($1, 'run_1', $2, 'a', 'lerobot', '{}', '', '{}', '[]', '{}', $3, '[]', 0, 0)`,
        [tenant_id, place, JSON.stringify(findings)],
      );
    await add('tnt_1', 0, [finding('a', 'info'), finding('b', 'warning'), finding('c', 'blocking')]);
    await add('tnt_1', 1, [finding('d', 'blocking'), finding('e', 'error'), finding('a', 'info')]);
    await add('tnt_2', 2, [finding('foreign', 'blocking')]);
  });
  afterAll(() => store.close());

  const codes = async (from: number, limit: number, severities = {}) => {
    const work = { database: store.database, tenant_id: 'tnt_1', run_id: 'run_1' };
    const runFindings = [finding('run', 'warning')];
    const page = await pageFindings(work, { runFindings, severities }, { from, limit });
    return page.map(({ code, severity }) => `${severity} ${code}`).join(', ');
  };

  it('are listed worst first, those of the run before those of its datasets', async () => {
    expect(await codes(0, 10)).toBe(
      'blocking c, blocking d, error e, warning run, warning b, info a, info a',
    );
    expect(await codes(3, 2)).toBe('warning run, warning b');
    expect(await codes(7, 2)).toBe('');
  });

  it('have the severities that the chosen loaders give them in a dataset', async () => {
    expect(await codes(0, 3, { 1: { a: 'error' } })).toBe('blocking c, blocking d, error e');
    expect(await codes(3, 4, { 1: { a: 'error' } })).toBe('error a, warning run, warning b, info a');
  });
});
