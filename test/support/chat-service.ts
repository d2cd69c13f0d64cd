import { flatPrices, type Role } from '#core/api';
import { operations } from '#core/api/operations';
import { createServer, handlers } from '#service/http';
import {
  type Call,
  createProject,
  createTenant,
  createToken,
  createWorkspace,
  findActor,
  systemCall,
} from '#service/operations';
import { type ChatServer, startChatServer } from './chat-server.ts';
import { openTestStore, type TestStore } from './service-store.ts';

/** A service whose copilot is answered by a scripted model, with one project that holds nothing. */
export interface ChatService {
  readonly address: string;
  readonly model: ChatServer;
  readonly store: TestStore;
  readonly call: Call;
  readonly project_id: string;
  token(role: Role): Promise<string>;
  close(): Promise<void>;
}

export async function startChatService(): Promise<ChatService> {
  const model = await startChatServer();
  const provider = { base_url: model.url, api_key: null, models: ['m'], silence_ms: 60_000 } as const;
  const prices = { ...flatPrices(0), models: { m: { prompt_usd_per_mtok: 1, completion_usd_per_mtok: 2 } } };
  const store = await openTestStore({ prices, copilot_providers: [{ id: 'compatible', ...provider }] });
  const now = new Date();
  const { id: tenant_id } = await createTenant(store, { name: 'lab', by: 'test', now });
  const call = systemCall(tenant_id, 'test', now);
  const { id: workspace_id } = await createWorkspace(store, call, {
    ...{ name: 'arms', use_case: 'robotic-manipulation' },
  });
  const project = await createProject(store, call, { workspace_id, name: 'pick', target_profile: 'vla' });
  const server = await createServer({
    ...{ store, operations, handlers },
    authenticate: (token) => findActor(store, token, new Date()),
    limits: { token_per_minute: 1e6, address_per_minute: 1e6 },
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...{ address, model, store, call, project_id: project.id },
    token: async (role) => (await createToken(store, call, { name: role, role })).token,
    close: async () => {
      await server.close();
      await store.close();
      await model.close();
    },
  };
}
