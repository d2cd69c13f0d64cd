import { canonicalJson, sha256 } from '#core';
import { copilotConfirmationRows, type Store } from '#store';
import { actorId } from '../audit/append-audit.ts';
import { type Call, scopeOf } from '../call.ts';

/** How long a yes to what was asked is good for. */
const good_ms = 3600_000;

export interface ApprovalQuery {
  readonly message_hash: string;
  readonly autopilot: boolean;
  /** Of what was asked, only these; absent: all of it. */
  readonly approvals?: readonly { readonly tool: string; readonly argument_hash: string }[] | undefined;
}

/** What a person has said yes to. */
export interface Approvals {
  /** Whether a tool may be run with these arguments; a yes that was asked for is used up by it. */
  take(tool: string, argument_hash: string): Promise<boolean>;
}

/** Of the message that a turn answers, and its project. */
export const messageHash = (project_id: string | null, message: string): string =>
  sha256(canonicalJson({ project_id, message }));

/**
 * Without `autopilot` nothing is approved. With it: where confirmations were asked in answer to the same message, those
 * alone, each once; where none was, everything.
 */
export async function openApprovals(store: Store, call: Call, query: ApprovalQuery): Promise<Approvals> {
  const { message_hash, autopilot, approvals } = query;
  if (!autopilot) return { take: async () => false };
  const scope = scopeOf(store, call);
  const asked = { owner_id: actorId(call), message_hash };
  const since = new Date(call.now.getTime() - good_ms);
  const bound = await copilotConfirmationRows.listConfirmations(scope, asked, since);
  if (bound.length === 0 && approvals === undefined) return { take: async () => true };
  return {
    take: async (tool, argument_hash) => {
      const named =
        approvals?.some((row) => row.tool === tool && row.argument_hash === argument_hash) ?? true;
      const wanted = { ...asked, tool, argument_hash };
      return named && copilotConfirmationRows.useConfirmation(scope, wanted, { now: new Date(), since });
    },
  };
}
