import type { CameraEvidence, Frames } from '#episode';

/** One camera of one episode to be measured. Structured-cloneable: it crosses a process boundary. */
export interface CameraRequest {
  /** Absolute folder that the locator's paths start from. */
  readonly root: string;
  readonly frames: Frames;
  /** Rate the recording declares, for frame indices where stamps are missing. */
  readonly declared_rate_hz: number | null;
  /** Frames the episode's table says there are; null when it does not. */
  readonly expected_frames: number | null;
  /** How many thumbnails to keep; 0 for none. */
  readonly thumbnails: number;
}

/**
 * Measures cameras in killable child processes. A crash, a hang past the time limit or a memory blow-up of the child
 * answers as evidence with `decodable: 'no'` and the reason; the child is replaced and the rest goes on.
 */
export interface MediaService {
  examine(request: CameraRequest): Promise<CameraEvidence>;
  /** Ends the children; resolves when none is left. */
  close(): Promise<void>;
}
