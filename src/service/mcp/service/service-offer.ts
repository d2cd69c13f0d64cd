import { tools } from '#service/copilot';
import type { Call } from '#service/operations';
import type { Store } from '#store';
import type { Offer } from '../protocol/offer.ts';
import { listReports, resourceKinds } from './resources.ts';
import { completeArgument, servicePrompts } from './service-prompts.ts';
import { offeredTool, offeredTools } from './service-tools.ts';

const instructions = [
  'Assay says with evidence whether robot and vision recordings are fit to train on.',
  'Start with list_workspaces and list_projects; get_readiness_report and diagnose_failures say how a project stands.',
  'Tools that end, remove, seal, spend or let somebody in need a person’s agreement: show them the prompt, never agree for them.',
  'No picture or video leaves here; receipts and reports are resources.',
].join(' ');

/** What a running service offers over the protocol: the copilot's tools, by role, and receipts and reports. */
export function serviceOffer(store: Store): Offer<Call> {
  return {
    instructions,
    tools: (call) => offeredTools(store, call),
    find: (id) => {
      const tool = tools.get(id);
      return tool === undefined ? undefined : offeredTool(store, tool);
    },
    kinds: resourceKinds(store),
    prompts: servicePrompts(store),
    complete: (name, typed, caller) => completeArgument(store, name, typed, caller),
    listResources: (caller) => listReports(store, caller),
  };
}
