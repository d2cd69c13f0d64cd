import type { Operation, Role } from '#core/api';
import type { Actor } from '#service/operations';

/** What a route lets in. */
export interface Access {
  readonly id: string;
  readonly role: Role | 'public';
  /** A browser opens it without a page of ours around it: it may ask its user for the token. */
  readonly page: boolean;
  readonly metered: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on public operations and before the token was looked at. */
    actor: Actor | null;
    received_at: Date;
  }
  interface FastifyContextConfig {
    access?: Access;
    operation?: Operation;
  }
}
