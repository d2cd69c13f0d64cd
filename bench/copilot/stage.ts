import { join } from 'node:path';
import { writeTeleopLeRobot } from '#apps/samples';
import type { CopilotProvider } from '#store';
import { startChatServer } from '#test/support/chat-server';
import { OwnObjects } from '#test/support/contract-calls';
import { type ContractService, startContractService } from '#test/support/contract-service';
import type { Stage } from './do-task.ts';

export interface OpenStage extends Stage {
  close(): Promise<void>;
}

/** A service with a project over generated episodes, answered by a scripted model or by the one that is given. */
export async function openStage(real?: CopilotProvider): Promise<OpenStage> {
  const model = await startChatServer();
  const scripted = { base_url: model.url, api_key: null, models: ['scripted'], silence_ms: 60_000 } as const;
  const service = await startContractService({
    write: writeRecordings,
    copilot_providers: [real ?? { id: 'compatible', ...scripted }],
  });
  return {
    address: service.address,
    tokens: service.tenants[0].tokens,
    world: await worldOf(service),
    ...(real === undefined ? { model } : {}),
    close: async () => {
      await service.close();
      await model.close();
    },
  };
}

/** Four demonstrations, one of which is spoilt. */
const writeRecordings = (folder: string) =>
  writeTeleopLeRobot(join(folder, 'teleop'), 7, () => {}, { episodes: 4, plan: { 2: ['nan', 'medium'] } });

async function worldOf(service: ContractService): Promise<Stage['world']> {
  const objects = new OwnObjects(service, service.tenants[0]);
  const project_id = await objects.fixture('create_export.project_id');
  const ask: Stage['world']['ask'] = async (method, path, body) => {
    const answer = await fetch(`${service.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.tenants[0].tokens.admin}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const accepted = await ask('GET', `/v1/projects/${project_id}/episodes?decision=accept`);
  return {
    project_id,
    workspace_id: await objects.fixture('workspace_id'),
    source_id: await objects.fixture('source_id'),
    episode_id: accepted.items[0].id,
    export_id: await objects.fixture('export_id'),
    recordings: service.recordings,
    ask,
  };
}
