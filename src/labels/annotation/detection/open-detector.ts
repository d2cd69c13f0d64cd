import { AssayError } from '#core';
import type { ModelContract } from '#labels/models';
import type { LaneContext, LaneFrame } from '../lane.ts';
import { type Detection, storedDetections } from './boxes.ts';
import { centernet } from './centernet.ts';
import type { DetectorForm } from './detector.ts';
import { detr } from './detr.ts';

/** The model in effect for detection. */
export interface Detector {
  /** Its id in the registry. */
  readonly model: string;
  /** Names of the classes that it can find. */
  readonly classes: readonly string[];
  /** Objects in px of the stored picture, the surest first, from `floor` on. */
  readonly detect: (frame: LaneFrame, floor: number) => Promise<readonly Detection[]>;
}

const forms: Readonly<Partial<Record<ModelContract['form'], DetectorForm>>> = { centernet, detr };

/** Throws `layer_unavailable` where no model for detection can be run here, or lanes cannot read it. */
export async function openDetector(context: LaneContext): Promise<Detector> {
  const session = await context.model('detection');
  if (session === null)
    throw new AssayError('layer_unavailable', 'no model for detection can be run here', {
      advice: 'assay models list says which can',
    });
  const { contract, model } = session;
  const form = contract === null ? undefined : forms[contract.form];
  if (contract === null || form === undefined)
    throw new AssayError('layer_unavailable', `this version cannot read what ${model} finds`, {
      advice: 'choose another model for detection; assay models list names them',
    });
  return {
    model,
    classes: form.classes,
    detect: async (frame, floor) =>
      storedDetections(await form.detect(session, contract, frame, floor), frame),
  };
}
