/** A chat provider that whoever runs the service has set. */
export interface CopilotProvider {
  /** `openrouter`: the hosted router. `compatible`: any server that speaks the chat protocol of OpenAI. */
  readonly id: 'openrouter' | 'compatible';
  /** Without a slash at its end. */
  readonly base_url: string;
  /** Null: the server wants none. */
  readonly api_key: string | null;
  /** As the provider names them; the first answers where a request names none. */
  readonly models: readonly [string, ...string[]];
  /** A call that says nothing for so long is ended. */
  readonly silence_ms: number;
}
