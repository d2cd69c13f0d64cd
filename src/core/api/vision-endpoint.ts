/** A server of one's own that speaks OpenAI's protocol of chats, and shows its model pictures. */
export interface VisionEndpoint {
  /** Without a slash at its end: `http://10.0.0.7:8000/v1`. */
  readonly url: string;
  /** Null: it wants none. */
  readonly api_key: string | null;
  /** As the server calls it. */
  readonly model: string;
  /** How long it may say nothing. */
  readonly silence_ms: number;
}
