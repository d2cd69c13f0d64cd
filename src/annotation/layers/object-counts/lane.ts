import { type JsonObject, significant } from '#kernel';
import { openDetector } from '../../detection/open-detector.ts';
import { type Lane, mainPart } from '../../lane.ts';
import { micro } from '../../micro.ts';
import { CameraNotes } from '../../pictures/camera-notes.ts';

/** Objects of each class on sampled frames, by number. */
export const lane: Lane = {
  version: 1,
  requires: ['detection'],
  run: async (_, context) => {
    const detector = await openDetector(context);
    const floor = Number(context.config.confidence_floor);
    const notes = new CameraNotes();
    const frames: JsonObject[] = [];
    let [objects, confidence] = [0, 0];
    for await (const batch of context.frames()) {
      notes.add(batch);
      for (const frame of batch.frames) {
        context.signal.throwIfAborted();
        const found = await detector.detect(frame, floor);
        const counts: Record<string, number> = {};
        for (const { label, score } of found) {
          counts[label] = (counts[label] ?? 0) + 1;
          confidence += score;
        }
        objects += found.length;
        const { camera, row, time_s } = frame;
        frames.push({ camera, counts, row, time_s: micro(time_s) });
      }
    }
    notes.demandFrames();
    const { model } = detector;
    const json = { cameras: notes.json(), frames, model, schema: 'assay/object-counts/v1' };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, objects },
      quality: objects === 0 ? null : significant(confidence / objects, 4),
      quality_reason: objects === 0 ? 'no object is seen' : null,
    };
  },
};
