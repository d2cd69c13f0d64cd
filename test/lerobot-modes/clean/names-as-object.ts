import type { CleanVariant } from '../mode.ts';

export const namesAsObject: CleanVariant = {
  id: 'names_as_object',
  versions: ['v2.1', 'v3.0'],
  lay: ({ info, recording }) => {
    for (const key of ['action', 'observation.state'])
      info.features[key].names = { motors: [...recording.names] };
  },
};
