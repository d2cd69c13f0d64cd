import type { Role } from '#core/api';
import { assertNoMedia } from '../boundary/assert-no-media.ts';
import type { ModelRequest } from '../providers/call-model.ts';
import { toolsFor } from './registry.ts';

const catalogues = new Map<Role, ModelRequest['tools']>();

/** What a model is told of the tools of a role. It is the program's own text: looked through once, not with each call. */
export function catalogueFor(role: Role): ModelRequest['tools'] {
  const known = catalogues.get(role);
  if (known !== undefined) return known;
  const catalogue = toolsFor(role).map(({ id, description, input_schema }) => ({
    id,
    description,
    input_schema,
  }));
  assertNoMedia(catalogue);
  catalogues.set(role, catalogue);
  return catalogue;
}
