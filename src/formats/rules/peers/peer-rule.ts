/** A rule of another tool, and what of ours says the same. */
export interface PeerRule {
  /** As the tool names it, or where it has no names the check and what its message says: `TIME-202`, `Temporal Consistency`. */
  readonly rule: string;
  /** Pattern of the message, for tools whose messages have no names. */
  readonly message?: RegExp;
  /** What it finds. */
  readonly finds: string;
  /** Flags and findings of ours that say so, beside the contract rules that name the rule as their peer. */
  readonly ours: readonly string[];
  /** Why a breach alone is nothing wrong, or cannot come so far; without it one of ours must be said as well. */
  readonly not_a_fault?: string;
}
