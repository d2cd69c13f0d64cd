import type { ModelOption } from './surface.ts';

/** A model that can be run here. */
export interface RunnableModel extends ModelOption {
  /** Of one on an endpoint: as the server calls it. */
  readonly served?: string;
}

/** Between an option and the model that an endpoint serves in its place. */
const servedAs = '@';

/** A model as artifacts and jobs name it: another one on the same endpoint has another name. */
export const modelName = ({ id, served }: RunnableModel): string =>
  served === undefined ? id : `${id}${servedAs}${served}`;

/** The parts of such a name; `served` is null where no endpoint runs it. */
export function namedModel(name: string): { readonly id: string; readonly served: string | null } {
  const at = name.indexOf(servedAs);
  return at < 0 ? { id: name, served: null } : { id: name.slice(0, at), served: name.slice(at + 1) };
}
