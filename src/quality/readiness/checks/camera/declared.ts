import { clamp } from '#core';
import type { Aspect, ComparedNotes } from '../../check.ts';
import type { CameraFacts } from './facts.ts';

/** A declared rate that rows and video both contradict is the dataset's fault, said once there. */
export function rate({ camera, rate_hz, declared_rate_hz, served }: CameraFacts): Aspect[] {
  if (rate_hz === null || declared_rate_hz === null || !(rate_hz > 0 && declared_rate_hz > 0)) return [];
  if (served !== null && Math.abs(Math.log(rate_hz / served.rate_hz)) < 0.005) return [];
  const deviation = Math.abs(Math.log(rate_hz / declared_rate_hz));
  return [
    {
      flag: 'camera_rate_mismatch',
      score: clamp(1 - 10 * Math.max(0, deviation - 0.005), 0, 1),
      observed: rate_hz,
      message: () => `${camera} runs at ${rate_hz} Hz and is declared with ${declared_rate_hz} Hz`,
    },
  ];
}

/** Cameras whose pictures have another size than in the other episodes, as `declared_pictures` compared them. */
export function otherSizes(
  note: ComparedNotes[string] | undefined,
  cameras: readonly CameraFacts[],
): Aspect[] {
  const usual = (note?.usual_size_px ?? {}) as Readonly<Record<string, string | undefined>>;
  return cameras.flatMap(({ camera, size_px }) =>
    usual[camera] === undefined || size_px === null
      ? []
      : [
          {
            flag: 'camera_size_mismatch',
            score: 0,
            observed: size_px[0],
            message: () =>
              `${camera} is ${size_px.join('x')} px; the dataset has it as ${usual[camera]} px: pictures of two sizes cannot be stacked into a batch, and labels made for one do not fit the other`,
          },
        ],
  );
}
