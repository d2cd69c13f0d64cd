import type { LaneFrame, VisionModel } from '#labels/annotation';
import {
  askEndpoint,
  type ModelRef,
  type ShownPicture,
  type VisionQuestion,
  type VisionUsage,
} from '#labels/models';

export interface VisionHooks {
  readonly signal: AbortSignal;
  readonly progress: () => void;
  readonly onUsage: (usage: VisionUsage) => void;
  /** Does what needs no computing here, so that others may. */
  readonly away: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A vision endpoint as a lane asks it; null where the model runs elsewhere. */
export function visionModel(
  { model, endpoint }: Pick<ModelRef, 'model' | 'endpoint'>,
  { signal, progress, onUsage, away }: VisionHooks,
): VisionModel | null {
  if (endpoint === undefined) return null;
  return {
    model,
    async ask<Answer>(question: VisionQuestion<Answer, LaneFrame>): Promise<Answer> {
      const shown: (string | ShownPicture)[] = [];
      for (const part of question.shown) shown.push(typeof part === 'string' ? part : await pictureOf(part));
      return away(() =>
        askEndpoint(endpoint, { ...question, shown }, { signal, onAlive: progress, onUsage }),
      );
    },
  };
}

async function pictureOf({ rgb, width_px, height_px }: LaneFrame): Promise<ShownPicture> {
  const { default: sharp } = await import('sharp');
  const raw = { width: width_px, height: height_px, channels: 3 } as const;
  return { jpeg: await sharp(rgb, { raw }).jpeg({ quality: 85 }).toBuffer(), width_px, height_px };
}

/** Whether a lane asks a vision endpoint. */
export const asksEndpoint = (models: Readonly<Partial<Record<string, ModelRef>>>): boolean =>
  Object.values(models).some((ref) => ref?.endpoint !== undefined);
