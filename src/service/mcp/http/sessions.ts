import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

interface Session {
  readonly token_id: string;
  readonly transport: StreamableHTTPServerTransport;
  used_ms: number;
}

const idle_ms = 1_800_000;
const mostOfToken = 20;

/** Open sessions of this process. Those that idle are ended when another begins, and so is a token's oldest of too many. */
export class Sessions {
  readonly #open = new Map<string, Session>();

  add(id: string, token_id: string, transport: StreamableHTTPServerTransport): void {
    const now_ms = Date.now();
    for (const [other, { used_ms }] of this.#open) if (now_ms - used_ms > idle_ms) this.#end(other);
    const own = [...this.#open].filter(([, session]) => session.token_id === token_id);
    const [oldest] = own.sort(([, a], [, b]) => a.used_ms - b.used_ms);
    if (own.length >= mostOfToken && oldest !== undefined) this.#end(oldest[0]);
    this.#open.set(id, { token_id, transport, used_ms: now_ms });
  }

  /** Null where there is none, and where it is another token's: which of both is not told. */
  get(id: string, token_id: string): StreamableHTTPServerTransport | null {
    const found = this.#open.get(id);
    if (found === undefined || found.token_id !== token_id) return null;
    found.used_ms = Date.now();
    return found.transport;
  }

  remove(id: string): void {
    this.#open.delete(id);
  }

  async close(): Promise<void> {
    const transports = [...this.#open.values()].map(({ transport }) => transport);
    this.#open.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  #end(id: string): void {
    const transport = this.#open.get(id)?.transport;
    this.#open.delete(id);
    void transport?.close();
  }
}
