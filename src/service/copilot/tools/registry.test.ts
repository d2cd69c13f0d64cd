import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AssayError, newId } from '#core';
import { listAudit } from '#service/operations';
import { callAs } from '#test/support/service-call';
import { openTestStore, type TestStore } from '#test/support/service-store';
import { argumentHash } from './define-tool.ts';
import { tools, toolsFor } from './registry.ts';

describe('the registry of tools', () => {
  it('lists every tool that a file of this folder defines', () => {
    const ids = readdirSync(import.meta.dirname, { encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
      .flatMap((text) => [...text.matchAll(/= defineTool\(\{\s+id: '(\w+)'/g)].map(([, id]) => id));
    expect([...tools.ids].sort()).toEqual(ids.sort());
  });

  it('has the tools of the interface', () => expect(tools.ids).toHaveLength(35));

  it('gives a viewer what reads and nothing else', () => {
    expect(new Set(toolsFor('viewer').map(({ effect }) => effect))).toEqual(new Set(['read']));
  });

  it('has a person confirm what ends, removes, fixes, spends or lets in', () => {
    const confirmed = tools.rows.filter((tool) => tool.confirmed).map(({ id }) => id);
    expect(confirmed.sort()).toEqual([
      'cancel_run',
      'create_export',
      'curate_subset',
      'delete_export',
      'invite_user',
      'run_annotation_job',
      'seal_export',
      'set_budget',
      'trigger_run',
    ]);
  });

  it.each(tools.rows.map((tool) => [tool.id, tool] as const))('describes %s as an object', (_, tool) => {
    expect(tool.input_schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.stringify(tool.input_schema)).not.toContain('$ref');
    expect(tool.description.length).toBeGreaterThan(60);
  });
});

describe('a tool', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore();
  });
  afterAll(() => store.close());

  it('names what is wrong with its input', async () => {
    const tool = tools.get('list_projects');
    const input = { workspace_id: 'nowhere', limit: 0, colour: 'red' };
    const thrown = await tool?.run(store, callAs('viewer'), input).catch((fault: unknown) => fault);
    expect(thrown).toBeInstanceOf(AssayError);
    expect(thrown instanceof AssayError && { code: thrown.code, errors: thrown.details.errors }).toEqual({
      code: 'invalid_request',
      errors: [
        { pointer: '/limit', message: expect.stringContaining('too small') },
        { pointer: '/workspace_id', message: expect.stringContaining('invalid string') },
        { pointer: '/colour', message: 'unknown field' },
      ],
    });
  });

  it('answers as the operation does, and leaves a trace in the audit log', async () => {
    const call = callAs('viewer', newId('tnt'));
    expect(await tools.get('list_workspaces')?.run(store, call, {})).toEqual({
      items: [],
      next_cursor: null,
    });
    const { items } = await listAudit(store, callAs('admin', call.actor.tenant_id), { limit: 5 });
    expect(items).toMatchObject([
      { action: 'use_tool', object_id: 'list_workspaces', detail: { effect: 'read', outcome: 'done' } },
    ]);
  });

  it('has one hash for what means the same', () => {
    const search = tools.get('search_episodes');
    const project_id = newId('prj');
    const hash = (input: unknown) => argumentHash('search_episodes', search?.read(input) ?? null);
    expect(hash({ project_id })).toBe(hash({ limit: 50, project_id }));
    expect(hash({ project_id })).not.toBe(hash({ project_id, limit: 51 }));
  });
});
