/** Which run, and which attempt at it. */
export interface RunRef {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly attempt: number;
}
