import type { Contract, ReaderDoes } from '../shared/rule.ts';

/** Whether a canonical reader opens a dataset and serves every row rightly. */
export interface LoadVerdict {
  /** `LeRobot v3.0`. */
  readonly reader: string;
  readonly loads: 'yes' | 'no';
  /** Broken rules that keep it from that, worst first; empty when it loads. */
  readonly why: readonly {
    readonly rule: string;
    readonly does: ReaderDoes;
    readonly episodes: number | null;
  }[];
}

/** A broken rule; `episodes`: how many broke it, null where the dataset as a whole did. */
export interface SeenBreach {
  readonly code: string;
  readonly episodes: number | null;
}

const rank: Record<ReaderDoes, number> = {
  refuses_set: 0,
  refuses_rows: 1,
  serves_wrong_rows: 2,
  loads: 3,
};

/** What the contract says of a dataset with these findings and flags; each code counts once. */
export function loadVerdict(contract: Contract, reader: string, seen: readonly SeenBreach[]): LoadVerdict {
  const rules = new Map(contract.rules.map((rule) => [rule.id, rule]));
  const why = seen.flatMap(({ code, episodes }) => {
    const does = rules.get(code)?.breach[reader]?.reader;
    return does === undefined || does === 'loads' ? [] : [{ rule: code, does, episodes }];
  });
  const worst = why.toSorted((a, b) => rank[a.does] - rank[b.does] || (a.rule < b.rule ? -1 : 1));
  return { reader, loads: worst.length === 0 ? 'yes' : 'no', why: worst };
}
