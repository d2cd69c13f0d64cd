import type { Aspect, ComparedNotes } from '../../check.ts';
import type { CameraFacts } from './facts.ts';

export function missing({ camera, missing }: CameraFacts, duration_s: number): Aspect {
  return {
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${camera} is missing: ${missing}`,
    marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
  };
}

/** Absent in every episode: the dataset's finding, unless it leaves this episode without any picture. */
export function everywhere(
  note: ComparedNotes[string] | undefined,
  id: string,
  cameras: readonly CameraFacts[],
): boolean {
  return listOf(note?.absent_everywhere).includes(id) && cameras.some((camera) => camera.missing === null);
}

/** Cameras that this episode does not even name. */
export function absentHere(note: ComparedNotes[string] | undefined): Aspect[] {
  return listOf(note?.absent_here).map((id) => ({
    flag: 'camera_missing',
    score: 0,
    observed: 0,
    message: () => `${id}, which most episodes of the dataset have, is not in this one`,
  }));
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
