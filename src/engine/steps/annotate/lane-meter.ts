import type { ComputeDevice } from '#core/api';
import type { ModelSession, VisionUsage } from '#labels/models';

/** What a lane's work on an episode turned out to take beside time. */
export class LaneMeter {
  readonly tokens = new TokenCount();
  /** Where its models were computed: `gpu` as soon as one of them was. */
  device: ComputeDevice = 'cpu';
  /** What was to compute one of them and does not, with the reason; null: nothing else was. */
  device_note: string | null = null;

  ran({ device, passed_over }: Pick<ModelSession, 'device' | 'passed_over'>): void {
    if (device === 'gpu') this.device = device;
    this.device_note ??= passed_over;
  }
}

/** Tokens of a lane's calls of a vision endpoint. */
class TokenCount implements VisionUsage {
  prompt_tokens = 0;
  completion_tokens = 0;

  add({ prompt_tokens, completion_tokens }: VisionUsage): void {
    this.prompt_tokens += prompt_tokens;
    this.completion_tokens += completion_tokens;
  }
}
