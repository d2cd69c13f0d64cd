import { describe, expect, it } from 'vitest';
import { chooseModel, type ModelChoices } from './choose-model.ts';
import { modelRefusalReason, surfaceOf } from './surface-registry.ts';

const detection = {
  ...surfaceOf('detection'),
  by_use_case: { 'autonomous-driving': { model: 'peterande/d-fine-x', reason: 'small objects far away' } },
};
const nobody: ModelChoices = { use_case: null, tenant: {}, project: {}, environment: {} };
const said = {
  environment: { detection: 'peterande/d-fine-s' },
  project: { detection: 'lyuwenyu/rt-detrv2-s' },
  tenant: { detection: 'roboflow/rf-detr-large' },
} as const;

describe('the model of a surface', () => {
  it('is its first option where nobody says anything', () => {
    const chosen = chooseModel(detection, nobody);
    expect(chosen).toMatchObject({
      model: { id: 'roboflow/rf-detr-nano' },
      from: 'default',
      passed_over: null,
    });
  });

  it('is by default the first option that can be run here', () => {
    const isRunnable = ({ id }: { readonly id: string }) => id.startsWith('lyuwenyu/');
    expect(chooseModel(detection, nobody, isRunnable)).toMatchObject({
      model: { id: 'lyuwenyu/rt-detrv2-s' },
      from: 'default',
    });
    expect(chooseModel(detection, nobody, () => false).model.id).toBe('roboflow/rf-detr-nano');
    const asked = { ...nobody, environment: { detection: 'peterande/d-fine-x' } };
    expect(chooseModel(detection, asked, isRunnable).model.id).toBe('peterande/d-fine-x');
  });

  it('is what the last of use case, tenant, project and environment says', () => {
    const words = [
      [{ use_case: 'autonomous-driving' }, 'peterande/d-fine-x', 'use_case'],
      [{ use_case: 'drones-aerial' }, 'roboflow/rf-detr-nano', 'default'],
      [{ use_case: 'autonomous-driving', tenant: said.tenant }, said.tenant.detection, 'tenant'],
      [{ tenant: said.tenant, project: said.project }, said.project.detection, 'project'],
      [said, said.environment.detection, 'environment'],
    ] as const;
    for (const [wishes, model, from] of words)
      expect(chooseModel(detection, { ...nobody, ...wishes })).toMatchObject({ model: { id: model }, from });
  });

  it('passes over what is no option, and says the word that would have counted most', () => {
    const odd = { tenant: { detection: 'old/gone' }, project: { detection: 'older/gone' } };
    expect(chooseModel(detection, { ...nobody, ...odd })).toMatchObject({
      from: 'default',
      passed_over: 'older/gone',
    });
  });

  it('of a surface that may not be chosen is only set by the environment', () => {
    const surface = { ...detection, selectable: false };
    const { environment, ...rest } = said;
    expect(chooseModel(surface, { ...nobody, ...rest }).from).toBe('default');
    expect(chooseModel(surface, { ...nobody, environment }).from).toBe('environment');
  });

  it('is objected to by name of the options, and by licence where that is why', () => {
    expect(modelRefusalReason(detection, 'peterande/d-fine-s')).toBeNull();
    expect(modelRefusalReason(detection, 'ultralytics/yolo26-x')).toMatch(
      /ultralytics\/yolo26-x is not available for detection \(excluded because of its licence, AGPL-3.0.*roboflow\/rf-detr-nano/,
    );
  });
});
