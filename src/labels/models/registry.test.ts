import { describe, expect, it } from 'vitest';
import { modelSurfaceIds } from '#core/api';
import { modelOptions, surfaces } from './surface-registry.ts';
import { bundledPath } from './weights/weight-folders.ts';

describe('the model registry', () => {
  it('has the surfaces of the contract, in their order', () => {
    expect(surfaces.ids).toEqual(modelSurfaceIds);
  });

  it('says of a model the same wherever it is an option', () => {
    for (const { options } of surfaces.rows)
      for (const option of options) expect(modelOptions).toContainEqual(option);
  });

  it('has no default that runs only where somebody has chosen it', () => {
    for (const { options, by_use_case } of surfaces.rows) {
      const defaults = [options[0].id, ...Object.values(by_use_case).map(({ model }) => model)];
      const ofConsent = options.flatMap(({ id, needs_consent }) => (needs_consent === undefined ? [] : [id]));
      expect(defaults.filter((id) => ofConsent.includes(id))).toEqual([]);
    }
  });

  it('offers no model that it turned down, and names a licence for each', () => {
    for (const { options, rejected } of surfaces.rows) {
      const offered = options.map(({ id }) => id);
      for (const { id, licence, reason } of rejected) {
        expect(offered).not.toContain(id);
        expect([licence, reason]).not.toContain('');
      }
    }
  });

  it('names ids and files that are safe as paths, each file once', () => {
    for (const { id, licence, weights } of modelOptions) {
      expect(id).toMatch(/^[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9.-]*$/);
      expect(licence).not.toBe('');
      const paths = weights?.files.map(({ path }) => path) ?? [];
      expect(new Set(paths).size).toBe(paths.length);
      for (const path of paths) expect(path).toMatch(/^(onnx\/)?[A-Za-z0-9][A-Za-z0-9_.]*$/);
    }
  });

  it('has weights for those only that run from weights', () => {
    for (const { runtime, weights, id } of modelOptions)
      if (runtime !== 'onnx' && runtime !== 'tfjs') expect(weights, id).toBeUndefined();
  });

  it('has a contract with the lanes for every model that this program runs', () => {
    for (const { runtime, contract, id } of modelOptions)
      expect(contract !== undefined, id).toBe(['onnx', 'tfjs', 'bundled'].includes(runtime));
  });

  it('finds the graphs that packages bring, and states what each takes and gives', () => {
    for (const { bundled, contract, runtime, id } of modelOptions) {
      expect(bundled !== undefined, id).toBe(runtime === 'bundled');
      if (bundled === undefined) continue;
      expect(Object.keys(contract?.graphs ?? {}), id).toEqual(Object.keys(bundled.files));
      for (const file of Object.values(bundled.files))
        expect(bundledPath(bundled.package, file)).not.toBeNull();
    }
  });

  it('names options of the surface where a use case is served better by another', () => {
    for (const { by_use_case, options } of surfaces.rows)
      for (const better of Object.values(by_use_case))
        expect(options.map(({ id }) => id)).toContain(better.model);
  });
});
