/** Days over which spending counts against the cap. */
export const window_days = 7;
const day_ms = 86_400_000;

export const windowStart = (now: Date): Date => new Date(now.getTime() - window_days * day_ms);

/** To six places, as money is kept. */
export const usd = (amount: number): number => Math.round(amount * 1e6) / 1e6;
/** To six places, never less than asked. */
export const usdUp = (amount: number): number => Math.ceil(amount * 1e6 - 1e-6) / 1e6;
