import type { VisionUsage } from '#labels/models';

/** Tokens of a lane's calls of a vision endpoint. */
export class TokenCount implements VisionUsage {
  prompt_tokens = 0;
  completion_tokens = 0;

  add({ prompt_tokens, completion_tokens }: VisionUsage): void {
    this.prompt_tokens += prompt_tokens;
    this.completion_tokens += completion_tokens;
  }
}
