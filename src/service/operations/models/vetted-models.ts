import { AssayError } from '#core';
import type { StoredSettings } from '#labels/annotation';
import { objectToModel, surfaces } from '#labels/models';

/** The choice itself. Throws `invalid_request` naming every surface or model that may not be chosen, and what may. */
export function vettedModels(models: Readonly<Record<string, string>>): StoredSettings['models'] {
  const errors = Object.entries(models).flatMap(([surface, model]) => {
    const message = objection(surface, model);
    return message === null ? [] : [{ pointer: `/body/models/${escaped(surface)}`, message }];
  });
  if (errors.length === 0) return models;
  throw new AssayError('invalid_request', errors.map(({ message }) => message).join('; '), {
    advice: 'GET /v1/models lists what may be chosen, and why other models may not',
    details: { errors },
  });
}

function objection(surface_id: string, model: string): string | null {
  const surface = surfaces.get(surface_id);
  const selectable = surfaces.rows.filter(({ selectable }) => selectable).map(({ id }) => id);
  if (surface === undefined)
    return `there is no model surface ${surface_id}; a model may be chosen for ${selectable.join(', ')}`;
  if (!surface.selectable)
    return `the model of ${surface_id} may not be chosen; it may for ${selectable.join(', ')}`;
  return objectToModel(surface, model);
}

const escaped = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1');
