/**
 * Where a browser takes up a sign-in link. The token stands in the fragment, which browsers send to nobody; the page removes
 * it from the address at once.
 */
export const signInAddress = (address: string, token: string): string => `${address}/#sign-in=${token}`;
