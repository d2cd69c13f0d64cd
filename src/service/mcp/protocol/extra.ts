import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

/** What comes with each request of the protocol: who sent it, and whether they have gone. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
