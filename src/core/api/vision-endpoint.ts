/** A server of one's own that speaks OpenAI's protocol of chats, and shows its model pictures. */
export interface VisionEndpoint {
  /** Base URL without a trailing slash: `http://10.0.0.7:8000/v1`. */
  readonly url: string;
  /** API key; `null` if the server needs none. */
  readonly api_key: string | null;
  /** Model name that the server expects. */
  readonly model: string;
  /** Maximum silence during a call before it is aborted. */
  readonly silence_ms: number;
}
