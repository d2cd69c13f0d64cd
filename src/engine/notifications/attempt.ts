/** Result of one attempt of a delivery. */
export interface AttemptResult {
  /** `failed` may be tried again, `refused` is final. `gone`: final, and the receiver wants no more events. */
  readonly outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  /** HTTP or SMTP status; null if there was no answer. */
  readonly response_status: number | null;
  /** Reason of the failure, without the answer of the receiver; null if it succeeded. */
  readonly error: string | null;
}
