import { canonicalJson, sha256 } from '#core';
import { copilotConfirmationRows, type Store } from '#store';
import { actorId } from '../audit/audit-log.ts';
import { type Call, scopeOf } from '../call.ts';

/** Lifetime of an approval. */
const approvalLifetime_ms = 3600_000;

/** Message and approvals of a copilot turn. */
export interface ApprovalQuery {
  readonly message_hash: string;
  readonly autopilot: boolean;
  /** Approved tool calls; undefined approves all that were asked for. */
  readonly approvals?: readonly { readonly tool: string; readonly argument_hash: string }[] | undefined;
}

/** Tool calls that a person has approved. */
export interface Approvals {
  /** Returns whether a tool may run with these arguments, and uses the approval up. */
  take(tool: string, argument_hash: string): Promise<boolean>;
}

/** Returns the hash of a message and its project, by which approvals belong to a turn. */
export const hashMessage = (project_id: string | null, message: string): string =>
  sha256(canonicalJson({ project_id, message }));

/**
 * Returns a function that tells which tool calls of a copilot turn may run without asking, and uses their approvals up.
 * Without `autopilot` none may. With it, the calls that were proposed in answer to the same message may, each once; if none
 * was proposed, every call may.
 */
export async function openApprovals(store: Store, call: Call, query: ApprovalQuery): Promise<Approvals> {
  const { message_hash, autopilot, approvals } = query;
  if (!autopilot) return { take: async () => false };
  const scope = scopeOf(store, call);
  const messageKey = { owner_id: actorId(call), message_hash };
  const since = new Date(call.now.getTime() - approvalLifetime_ms);
  const requested = await copilotConfirmationRows.listConfirmations(scope, messageKey, since);
  if (requested.length === 0 && approvals === undefined) return { take: async () => true };
  return {
    take: async (tool, argument_hash) => {
      const named =
        approvals?.some((row) => row.tool === tool && row.argument_hash === argument_hash) ?? true;
      const confirmationKey = { ...messageKey, tool, argument_hash };
      return (
        named && copilotConfirmationRows.useConfirmation(scope, confirmationKey, { now: new Date(), since })
      );
    },
  };
}
