/**
 * Returns the URL that signs a browser in. The token is in the fragment, which browsers do not send to servers; the
 * page removes it at once.
 */
export const signInAddress = (address: string, token: string): string => `${address}/#sign-in=${token}`;
