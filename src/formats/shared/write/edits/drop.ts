import { type ExportEdit, requireFeature } from './export-edit.ts';

/** Edit `--drop observation.effort`: leaves out a feature. */
export const drop: ExportEdit = {
  id: 'drop',
  takes: 'FEATURE',
  about: 'removes a feature: a column, or a camera with its videos',
  read: (texts) => ({
    lineage: { edit: 'drop', features: [...texts] },
    named: texts,
    features: (features) => {
      const dropped = new Set(texts.map((text) => requireFeature(features, text, '--drop')));
      return features.filter((one) => !dropped.has(one));
    },
  }),
};
