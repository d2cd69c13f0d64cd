import type { Operation, Role } from '#core/api';
import type { Actor } from '#service/operations';

/** Access rules of a route. */
export interface Access {
  readonly id: string;
  readonly role: Role | 'public';
  /** Whether browsers open the route directly as a page; it then also accepts Basic credentials. */
  readonly page: boolean;
  readonly metered: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null on public operations and before authentication. */
    actor: Actor | null;
    received_at: Date;
  }
  interface FastifyContextConfig {
    access?: Access;
    operation?: Operation;
  }
}
