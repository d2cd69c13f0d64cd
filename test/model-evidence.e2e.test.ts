import { expect, it } from 'vitest';
import type { AnnotationStatus, ModelRegistry } from '#client';
import { bundledDetector } from './support/bundled-detector.ts';
import { joinSharedService } from './support/shared-service.ts';

it('a model without benchmark results says why', async () => {
  const { ask } = await joinSharedService();
  const { items }: ModelRegistry = await ask('GET', '/v1/models');
  for (const { options, rejected } of items)
    for (const { id, evidence, no_evidence } of [...options, ...rejected])
      expect(no_evidence === null, id).toBe(evidence.length > 0);
});

it('a model whose weights have no stated licence runs only where somebody chose it', async () => {
  const { ask } = await joinSharedService();
  const workspace = await ask('POST', '/v1/workspaces', { name: 'lab', use_case: 'robotic-manipulation' });
  const project = { workspace_id: workspace.id, name: 'p', target_profile: 'vla' };
  const { id: project_id } = await ask('POST', '/v1/projects', project);
  const objectLabels = async () => {
    const { layers }: AnnotationStatus = await ask('GET', `/v1/projects/${project_id}/annotation/status`);
    return layers.find(({ layer }) => layer === 'object_labels');
  };
  const { items }: ModelRegistry = await ask('GET', '/v1/models');
  for (const { chosen, options } of items)
    expect(options.find(({ id }) => id === chosen.model)).toMatchObject({ needs_consent: null });
  const [detection] = items;
  expect(detection.options.find(({ id }) => id === bundledDetector)).toMatchObject({
    needs_consent: expect.stringContaining('no licence'),
    installed: 'bundled',
  });
  expect(await objectLabels()).toMatchObject({
    available: false,
    unavailable_reason: expect.stringContaining(
      `${bundledDetector} is bundled, but its authors state no licence`,
    ),
  });

  await ask('PUT', '/v1/models', { models: { detection: bundledDetector } });
  expect(await objectLabels()).toMatchObject({ available: true, unavailable_reason: null });
});
